"""Every operation that changes something leaves its entry in the audit trail, or says why not."""

import pytest

from api.http.route import Route
from api.http.table import ROUTES
from bench.routes.api_routes import place_of
from tests.support.documents.sample_requests import sample_of
from tests.support.tenants.asked import Ask, body_for
from tests.support.tenants.sample_tenant import Inhabitant
from tests.support.tenants.tabled_tenant import settle_in
from timegate.domain.tenants.audit_trail import AuditEntry, AuditFilter

CHANGING = [route for route in ROUTES if route.changes]
#: Which leave none, and why; ``docs/operations/audit.md`` has to say the same.
WITHOUT = {
    "sendEvents": "an event changes nothing by itself; the task that it ends names it",
    "testRule": "a message changes nothing, and is listed with what the rule told",
    "createDagTaskLink": "a link is kept nowhere; the decision names whom it was made for",
}
#: Owners of these have a first record that is not as it would have to be.
PLACES = {
    # A DAG run that has ended, of which a task has failed.
    **dict.fromkeys(["completeDagTask", "skipDagTask", "rerunDagTask"], 1),
    # A job that was not triggered at this instant.
    "triggerJob": 2,
}
#: Operations that must have been done before.
FIRST = {
    "resumeJob": "pauseJob",
    "resumeEventTrigger": "pauseEventTrigger",
    "resumePool": "pausePool",
}
BY_OPERATION = {route.operation: route for route in ROUTES}


def told(ask: Ask, owner: Inhabitant, operation: str) -> list[AuditEntry]:
    """Return the trail's entries of an operation."""
    page = ask.world.audits.list_entries(owner.tenant, AuditFilter(), limit=100, cursor=None)
    return [each for each in page.rows if each.stamp.operation == operation]


def send(ask: Ask, owner: Inhabitant, route: Route) -> int:
    """The operation's sample, about what this tenant has."""
    place = PLACES.get(route.operation, place_of(route))
    path, query = owner.path(route, place), sample_of(route).query
    return ask(owner.tenant, route, path, body_for(route, owner), query=query).status


@pytest.mark.parametrize("route", CHANGING, ids=lambda route: route.operation)
def test_what_changes_something_is_told(ask: Ask, route: Route) -> None:
    """By the operation, with what is not as it was; or it is listed here with a reason."""
    owner = settle_in(ask.world, route.operation.lower())
    if route.operation in FIRST:
        send(ask, owner, BY_OPERATION[FIRST[route.operation]])
    before = len(told(ask, owner, route.operation))
    status = send(ask, owner, route)
    entries = told(ask, owner, route.operation)[: -before or None]

    assert status < 300
    assert bool(entries) == (route.operation not in WITHOUT)
    assert all(entry.changes for entry in entries)


def test_no_exception_outlives_its_route() -> None:
    """Reads, workers and callbacks are none of these: no person asks them to change anything."""
    assert WITHOUT.keys() | FIRST.keys() | PLACES.keys() <= {each.operation for each in CHANGING}
