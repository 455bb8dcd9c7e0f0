"""Schemathesis finds no server fault, and no answer that differs from the description.

``TIMEGATE_SCHEMATHESIS=all`` asks a hundred times as much. ``tests/e2e`` asks the deployed stack.
"""

import os
from types import ModuleType

import pytest
from schemathesis import GenerationMode
from schemathesis.core.failures import FailureGroup

from api.http.route import Route
from api.http.table import ROUTES
from tests.functional.api.requests.test_hostile_input import stored
from tests.support.api import Context, HeardTelemetry
from tests.support.documents.generated_requests import (
    MODES,
    about,
    cases,
    event_of,
    judge,
    request_of,
)
from tests.support.tenants.asked import Ask, asking
from tests.support.tenants.sample_tenant import Inhabitant, inhabit
from tests.support.world import World

#: Cases of each operation and mode.
COUNT = 150 if os.environ.get("TIMEGATE_SCHEMATHESIS") == "all" else 2


@pytest.fixture
def ask(handler: ModuleType, workers_handler: ModuleType, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """A world in memory."""
    for module in (handler, workers_handler):
        monkeypatch.setattr(module, "services", module.services)
    return asking(handler, workers_handler, World(telemetry=HeardTelemetry()))


@pytest.fixture
def owner(ask: Ask) -> Inhabitant:
    """Return the owner of the token, who has one of everything."""
    return inhabit(ask.api.world, "acme")


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.operation)
def test_what_is_described_is_what_is_answered(
    ask: Ask, owner: Inhabitant, route: Route, mode: GenerationMode
) -> None:
    """Described and other requests alike: a refusal leaves every record as it was."""
    token = owner.callback_token if route.by_lease else owner.lease_token
    before = stored(ask.api.world)
    for number, case in enumerate(cases(route.operation, mode, COUNT)):
        # Most are about something that there is; one in three is of whatever was made up.
        if number % 3 != 2:
            about(case, owner.ids, number)
            if isinstance(case.body, dict) and isinstance(case.body.get("lease_token"), str):
                case.body["lease_token"] = token
        # No caller may ask for ever at one instant.
        ask.api.world.clock.advance(1)
        request = request_of(case)
        answered = ask.api.handle(event_of(route, request, owner.tenant), Context())

        judge(case, request, answered)
        if answered["statusCode"] >= 400:
            assert stored(ask.api.world) == before
        else:
            before = stored(ask.api.world)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({"statusCode": 500}, id="a-fault"),
        pytest.param({"statusCode": 418}, id="an-undescribed-status"),
        pytest.param({"body": '{"tenant": "acme"}'}, id="a-field-is-missing"),
        pytest.param({"headers": {"content-type": "text/html"}}, id="another-type"),
    ],
)
def test_an_answer_that_breaks_its_word_is_found(
    ask: Ask, owner: Inhabitant, change: dict[str, object]
) -> None:
    """The judge itself is checked: it passes the true answer and fails the changed one."""
    (route,) = [each for each in ROUTES if each.operation == "getOwnTenant"]
    (case,) = cases(route.operation, GenerationMode.POSITIVE, 1)
    request = request_of(case)
    answered = ask.api.handle(event_of(route, request, owner.tenant), Context())

    judge(case, request, answered)
    with pytest.raises(FailureGroup):
        judge(case, request, {**answered, **change})


def test_an_accepted_request_that_is_not_as_described_is_found(ask: Ask, owner: Inhabitant) -> None:
    """If whatever is wrong in its query were not looked at, some request would show it."""
    (route,) = [each for each in ROUTES if each.operation == "listJobs"]
    found = 0
    for case in cases(route.operation, GenerationMode.NEGATIVE, 20):
        request = request_of(case)
        event = event_of(route, request, owner.tenant)
        answered = ask.api.handle({**event, "rawQueryString": ""}, Context())
        try:
            judge(case, request, answered)
        except FailureGroup:
            found += 1

    assert found > 0
