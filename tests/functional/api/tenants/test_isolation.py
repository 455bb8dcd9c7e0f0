"""No tenant learns anything of another: not by any route, id, cursor or key, nor by the calls.

On the real adapters, so that what an answer costs is what it costs on AWS: the number of calls of
each kind is the same for what is another tenant's and for what no tenant ever had. So is the time.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from types import ModuleType

import pytest

from api.http.route import Route
from api.http.table import ROUTES
from tests.support.archived import complete_round
from tests.support.documents.sample_requests import sample_of
from tests.support.stores.tabled import TabledWorld
from tests.support.tenants.asked import Ask, asking, body_for
from tests.support.tenants.sample_tenant import Inhabitant
from tests.support.tenants.tabled_tenant import settle_in
from timegate.domain.pools.lease_token import issue_callback_token, issue_token
from timegate.domain.values.identity import RunId, job_id_from
from timegate.domain.values.tenant import TenantId

#: Ids that no tenant has, of the form of those that a tenant has.
_UNKNOWN = job_id_from(b"unknown")
GUESSED = {
    "job_id": _UNKNOWN,
    "run_id": f"{_UNKNOWN}.s20261121T065800000Z",
    "operation_id": _UNKNOWN,
    "calendar": "vacation",
    "rule": "unknown",
    "freeze_id": "20261121T070000000Z-000000000000",
    "event_trigger": "unheard-of",
    "hook_id": _UNKNOWN,
    "pool": "unknown",
    "dag_id": _UNKNOWN,
    "dag_run_id": _UNKNOWN,
    "key_id": "000123456789",
    "version": "1",
    "month": "2025-12",
}
#: Not those of the stage: they are about no token's tenant.
OF_TENANTS = [route for route in ROUTES if not route.of_stage]
WITH_ID = [route for route in OF_TENANTS if "<" in route.path]
WITHOUT_ID = [route for route in OF_TENANTS if "<" not in route.path]
_NAMED = {"<calendar>", "<event_trigger>", "<rule>", "<pool>"}
#: Routes that name a record by an id, and not by its user.
OF_THINGS = [
    route
    for route in WITH_ID
    if route.served_by == "api" and not _NAMED & set(route.path.split("/"))
]
PAGED = [route for route in OF_TENANTS if route.query and "cursor" in route.query.model_fields]
(CHANGE,) = [route for route in ROUTES if route.operation == "updateJob"]
#: Its cursor counts the lines of one run, and says nothing of whose they are.
OF_ONE_RUN = {"readLog"}

_numbers = count(1)


@pytest.fixture(scope="module")
def owner(ask: Ask) -> Inhabitant:
    """Return the owner of the ids that are tried."""
    return settle_in(ask.world, "acme")


def stranger() -> str:
    """A tenant who never asked before: what is remembered of tenants is not of this one."""
    return f"stranger-{next(_numbers):04}"


def parameter(route: Route) -> str:
    """The path parameter that says what a request is about."""
    (name, *_) = re.findall(r"<(\w+)>", route.path)
    return str(name)


def within(path: str) -> str:
    """A path whose first id is there, with names that lead on from it."""
    return path.replace("<version>", "1").replace("<task_key>", "first")


def tried() -> Iterator[tuple[Route, int]]:
    """Every route with everything of its kind that its owner has."""
    many = {"job_id": 3, "run_id": 4, "dag_id": 3, "pool": 1, "hook_id": 1}
    for route in WITH_ID:
        for place in range(many.get(parameter(route), 2)):
            yield route, place


@pytest.mark.parametrize(
    ("route", "place"), [pytest.param(r, n, id=f"{r.operation}-{n}") for r, n in tried()]
)
def test_what_is_another_tenants_is_as_if_it_never_was(
    ask: Ask, owner: Inhabitant, route: Route, place: int
) -> None:
    """A live, ended or deleted record answers like an unknown id, in body, headers and calls."""
    name, before = parameter(route), ask.world.items(owner.tenant)
    taken, query = owner.ids[name][place], sample_of(route).query
    learnt = []
    for value in (taken, GUESSED[name]):
        who = stranger()
        path = within(re.sub(rf"<{name}>", value, route.path))
        body = body_for(route, as_seen_by(owner, who, value) if route.by_lease else owner)
        words = {value: "id", value.partition(".")[0]: "job", who: "tenant"}
        learnt.append(ask.learn(who, route, path, body, words=words, query=query))
    foreign, unknown = learnt

    assert foreign == unknown
    assert ask.world.items(owner.tenant) == before
    # These are named by their users: every tenant can have these names.
    by_name = {"calendar", "pool", "event_trigger", "rule"}
    # A trigger that names the owner's job names an unknown one.
    expected = {200, 400, 404} if name in by_name else {401} if route.by_signature else {404, 409}
    assert foreign.status in expected


def as_seen_by(owner: Inhabitant, who: str, run: str) -> Inhabitant:
    """With a token for a run that a stranger made himself: he knows everything but the key."""
    run_id = RunId.parse(run)
    guess = replace(
        owner.held,
        tenant=TenantId(who),
        id=replace(owner.held.id, run=run_id),
        lease_key="a guess",
    )
    at = owner.held.due_at
    return replace(
        owner,
        lease_token=issue_token(guess, claimed_at=at),
        callback_token=issue_callback_token(guess, claimed_at=at, silence_seconds=300),
    )


@pytest.mark.parametrize("route", OF_THINGS, ids=lambda route: route.operation)
def test_text_that_is_no_id_is_answered_alike(ask: Ask, owner: Inhabitant, route: Route) -> None:
    """No caller learns what ids look like from how a wrong one is refused."""
    name, query = parameter(route), sample_of(route).query
    told = []
    for value in ("no-id", GUESSED[name]):
        path = within(re.sub(rf"<{name}>", value, route.path))
        answer = ask(stranger(), route, path, body_for(route, owner), query=query)
        told.append((answer.status, answer.body["code"]))

    assert told[0] == told[1]
    assert told[0][0] == (401 if route.by_signature else 404)


@pytest.mark.parametrize(
    "route", [route for route in WITH_ID if route.by_lease], ids=lambda route: route.operation
)
def test_a_forged_token_finds_nothing_out(ask: Ask, owner: Inhabitant, route: Route) -> None:
    """A token made up for the owner's tenant does not even reveal which runs exist."""
    learnt = []
    for value in (str(owner.held.id.run), GUESSED["run_id"]):
        body = body_for(route, as_seen_by(owner, owner.tenant, value))
        path = route.path.replace("<run_id>", value)
        learnt.append(ask.learn("", route, path, body, words={value: "id"}))

    assert learnt[0] == learnt[1]
    assert (learnt[0].status, learnt[0].body["code"]) == (409, "lease_lost")


@pytest.mark.parametrize("route", WITHOUT_ID, ids=lambda route: route.operation)
def test_beside_another_tenant_everything_is_as_if_alone(
    ask: Ask, owner: Inhabitant, handler: ModuleType, workers_handler: ModuleType, route: Route
) -> None:
    """Lists, searches, new things and questions: answers and calls are those of an empty world."""
    body, query = sample_of(route).body, sample_of(route).query
    empty = asking(handler, workers_handler, TabledWorld(ask.world.client))
    # The stage archives as often, with runs or without.
    complete_round(empty.world)
    learnt = []
    for world in (ask, empty):
        who = stranger()
        found = world.learn(who, route, route.path, body, words={who: "tenant"}, query=query)
        learnt.append((found.status, unseeded((found.headers, found.body)), found.calls))

    assert learnt[0] == learnt[1]
    assert owner.tenant not in str(learnt[0])


def unseeded(value: object) -> object:
    """Without ids that are drawn from a seed, as each request has its own."""
    drawn = r"\b[a-z2-7]{26}\b|Z-[0-9a-f]{12}\b|\b00[0-9a-f]{10}\b|\.00\.[\w-]{43}"
    return re.sub(drawn, "<new>", str(value))


@pytest.mark.parametrize("route", PAGED, ids=lambda route: route.operation)
def test_a_cursor_of_another_tenant_is_none(ask: Ask, owner: Inhabitant, route: Route) -> None:
    """It is refused as one is that a caller made up, and costs the same."""
    reader = settle_in(ask.world, stranger())
    for name in ("one", "another"):
        # The trail has what was asked for; what stands in the tables has none.
        ask(owner.tenant, CHANGE, owner.path(CHANGE), {"name": name})
    query = re.sub(r"&?limit=\d+", "", sample_of(route).query)
    filters = "&".join(part for part in query.split("&") if part.startswith(("from=", "to=")))
    # The example asks for a month in which no run of this world ended.
    filters = "" if route.operation == "listArchivedRuns" else filters
    page = ask(owner.tenant, route, owner.path(route), query=f"{filters}&limit=1".strip("&"))
    if route.operation in OF_ONE_RUN:
        assert page.status == 400
        return
    cursor = page.body["next_cursor"]
    mark = str(cursor).partition(".")[0]
    # A tenant's settings are read by his first request.
    ask(reader.tenant, route, reader.path(route), query=filters)
    learnt = [
        ask.learn(
            reader.tenant,
            route,
            reader.path(route),
            words={text: "cursor"},
            query=f"{filters}&cursor={text}".strip("&"),
        )
        for text in (cursor, f"{mark}.nonsense")
    ]

    assert cursor is not None
    assert learnt[0] == learnt[1]
    assert learnt[0].status == 400
    assert learnt[0].body["errors"][0]["code"] == "invalid_cursor"


#: They take a task that failed within a run that goes on (``test_interventions.py``).
REPAIRS = {"completeDagTask", "skipDagTask", "rerunDagTask", "decideDagTask", "signalDagTask"}
WITH_KEY = [
    route
    for route in OF_TENANTS
    if "Idempotency-Key" in route.request_headers and route.operation not in REPAIRS
]


#: Which of its things: a run that was given up, and a DAG run that has ended.
PLACES = {"dead-letters": 2, "runs": 2, "dag-runs": 1}


@pytest.mark.parametrize("route", WITH_KEY, ids=lambda route: route.operation)
def test_an_idempotency_key_is_each_tenants_own(ask: Ask, route: Route) -> None:
    """The same key, used by another tenant before, is a new one: nothing conflicts or replays."""
    tenants = [settle_in(ask.world, stranger()) for _ in range(2)]
    statuses, made = [], []
    for tenant in tenants:
        path = tenant.path(route, PLACES.get(route.path.split("/")[2], 0))
        answers = [
            ask(tenant.tenant, route, path, body_for(route, tenant), Idempotency_Key="same")
            for _ in range(2)
        ]
        statuses.append([each.status for each in answers])
        made.append([unique(each.body) for each in answers])

    assert statuses[0] == statuses[1]
    assert statuses[0][0] in {201, 202, 207}
    # Each is told again of what is its own.
    assert made[0][0] == made[0][1]
    assert made[0][0].isdisjoint(made[1][0])


def unique(body: object) -> set[str]:
    """The ids in an answer."""
    return set(re.findall(r"\b[a-z2-7]{26}\b", str(body)))
