"""A reference in a body or query is looked up among the caller's own records alone."""

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from api.http.table import ROUTES
from tests.functional.api.tenants.test_isolation import GUESSED, unseeded
from tests.support.api import new_job
from tests.support.tenants.asked import Ask, Learnt
from tests.support.tenants.sample_tenant import CALENDARS, POOL, Inhabitant
from tests.support.tenants.tabled_tenant import settle_in

KEPT = Path(__file__).resolve().parents[4] / "docs" / "reference" / "openapi.json"
BY_NAME = {route.operation: route for route in ROUTES}
SPAN = {"from": "2026-11-21T07:00:00Z", "to": "2026-11-21T08:00:00Z"}
RATE = {"kind": "rate", "every_seconds": 600}
STEP = {"type": "worker", "pool": POOL, "handler": "step"}


def _then(job: str) -> dict[str, object]:
    return new_job(then=[{"job_id": job, "on": ["succeeded"]}])


def _kept(calendar: str) -> dict[str, object]:
    return new_job(calendars=[{"calendar": calendar, "mode": "exclude", "action": "skip"}])


def _dag(job: str) -> dict[str, object]:
    return {"name": "load", "tasks": [{"key": "only", "job_id": job}], "edges": []}


def _pooled(pool: str) -> dict[str, object]:
    return new_job(schedule={"kind": "immediate"}, action={**STEP, "pool": pool})


def _slotted(key: str) -> dict[str, object]:
    return new_job(overlap={"policy": "forbid", "max_concurrent": 1, "concurrency_key": key})


def _paced(key: str) -> dict[str, object]:
    return new_job(rate_limit={"per_minute": 1, "key": key})


def _letters(job: str) -> dict[str, object]:
    return {"filter": {"job_id": job}}


def _ruled(job: str) -> dict[str, object]:
    return {
        "jobs": {"job_id": job},
        "when": {"failures_in_a_row": 1},
        "channels": [{"url": "https://hooks.example.com/told"}],
    }


def _frozen(job: str) -> dict[str, object]:
    scope = {"kind": "job", "job_id": job}
    return {"scope": scope, "ends_at": "2026-11-21T09:00:00Z"}


def _started(dag: str) -> dict[str, object]:
    return new_job(action={"type": "dag", "dag_id": dag})


def _scenario(**fields: object) -> dict[str, object]:
    return {"schedule": RATE, **SPAN, **fields}


def _simulated_calendar(name: str) -> dict[str, object]:
    return _scenario(calendar_rules=[{"calendar": name, "mode": "exclude"}])


#: Fields that name something, where they stand, and a body that does so.
REFERENCES: list[tuple[str, str, Callable[[str], object]]] = [
    ("createJob", "job_id", _then),
    ("createJob", "calendar", _kept),
    ("createJob", "pool", _pooled),
    ("createJob", "concurrency_key", _slotted),
    ("createJob", "rate_limit.key", _paced),
    ("createJobs", "job_id", lambda job: {"jobs": [_then(job)]}),
    ("createJobs", "calendar", lambda name: {"jobs": [_kept(name)]}),
    ("createJobs", "pool", lambda name: {"jobs": [_pooled(name)]}),
    ("createJobs", "concurrency_key", lambda key: {"jobs": [_slotted(key)]}),
    ("createJobs", "rate_limit.key", lambda key: {"jobs": [_paced(key)]}),
    ("updateJob", "job_id", lambda job: {"then": _then(job)["then"]}),
    ("updateJob", "calendar", lambda name: {"calendars": _kept(name)["calendars"]}),
    ("updateJob", "pool", lambda name: {"action": {**STEP, "pool": name}}),
    ("updateJob", "concurrency_key", lambda key: {"overlap": _slotted(key)["overlap"]}),
    ("updateJob", "rate_limit.key", lambda key: {"rate_limit": _paced(key)["rate_limit"]}),
    ("createJob", "dag_id", _started),
    ("createJobs", "dag_id", lambda dag: {"jobs": [_started(dag)]}),
    ("updateJob", "dag_id", lambda dag: {"action": _started(dag)["action"]}),
    ("validateNewJob", "dag_id", _started),
    ("validateNewJob", "job_id", _then),
    ("validateNewJob", "calendar", _kept),
    ("validateNewJob", "pool", _pooled),
    ("validateNewJob", "concurrency_key", _slotted),
    ("previewSchedule", "calendar", lambda name: {"schedule": RATE, **_calendars(name)}),
    ("simulate", "job_id", lambda job: {"job_id": job, **SPAN}),
    ("simulate", "calendar", _simulated_calendar),
    ("createFreeze", "job_id", _frozen),
    ("redriveDeadLetters", "job_id", _letters),
    ("discardDeadLetters", "job_id", _letters),
    ("redriveRuns", "job_id", _letters),
    ("cancelRuns", "job_id", _letters),
    ("rescheduleRuns", "job_id", lambda job: {**_letters(job), "delay_seconds": 3600}),
    ("putRule", "job_id", _ruled),
    ("createDag", "job_id", _dag),
    ("updateDag", "job_id", lambda job: {"tasks": _dag(job)["tasks"], "edges": []}),
    ("validateNewDag", "job_id", _dag),
    ("putEventTrigger", "job_id", lambda job: {"starts": {"type": "job", "job_id": job}}),
    ("putEventTrigger", "dag_id", lambda dag: {"starts": {"type": "dag_run", "dag_id": dag}}),
    ("validateDag", "job_id", lambda job: {"tasks": _dag(job)["tasks"], "edges": []}),
]
#: These take the body of an operation that changes something, and change nothing.
ASKING = {
    "updateJob": "previewJob",
    "putRule": "validateRule",
    "putEventTrigger": "validateEventTrigger",
}
REFERENCES += [
    (ASKING[operation], field, body) for operation, field, body in REFERENCES if operation in ASKING
]
#: Names of fields that can lead to something that has an owner.
LEADING = {"job_id", "calendar", "pool", "concurrency_key", "dag_id", "operation_id", "freeze_id"}
#: Fields of tasks: a job of its own takes the fields of ``createJob``. Scenarios name their own
#: parts.
ELSEWHERE = {
    ("createDag", "dag_id"),
    ("updateDag", "dag_id"),
    ("validateDag", "dag_id"),
    ("validateNewDag", "dag_id"),
    ("createDag", "pool"),
    ("updateDag", "pool"),
    ("validateDag", "pool"),
    ("validateNewDag", "pool"),
    ("createDag", "concurrency_key"),
    ("updateDag", "concurrency_key"),
    ("validateDag", "concurrency_key"),
    ("validateNewDag", "concurrency_key"),
    ("simulate", "concurrency_key"),
    # A key of a trigger is one among the slots of the job in the path.
    ("triggerJob", "concurrency_key"),
    ("triggerMany", "concurrency_key"),
    ("simulate", "dag_id"),
    # The administration may ask of each tenant; the job is looked for in the one of the path.
    ("getTenantCost", "job_id"),
}
QUERIES = [
    *(
        (name, "job_id")
        for name in ("listDeadLetters", "listAllRuns", "listArchivedRuns", "getCost")
    ),
    ("listApprovals", "dag_id"),
]

_numbers = count(1)


def _calendars(name: str) -> dict[str, object]:
    return {"calendars": _kept(name)["calendars"]}


@pytest.fixture(scope="module")
def owner(ask: Ask) -> Inhabitant:
    """Return the owner of the named records, who uses a key of each kind."""
    owner = settle_in(ask.world, "acme")
    for body in (_slotted("his-slots"), _paced("his-pace")):
        created = ask(owner.tenant, BY_NAME["createJob"], "/v1/jobs", body)
        assert created.status == 201
    return owner


def named(field: str, owner: Inhabitant) -> tuple[str, str]:
    """Something of the owner's, and a name of the same length that is not used."""
    if field == "calendar":
        return CALENDARS[0], GUESSED["calendar"]
    if field == "pool":
        return POOL, "unknown"
    if field == "concurrency_key":
        return "his-slots", "new-slots"
    if field == "rate_limit.key":
        return "his-pace", "new-pace"
    kind = "dag_id" if field == "dag_id" else "job_id"
    return owner.ids[kind][0], GUESSED[kind]


def learn(ask: Ask, operation: str, word: str, body: object, query: str = "") -> Learnt:
    """Return the answer to a tenant with records of its own."""
    route = BY_NAME[operation]
    name = f"reader-{next(_numbers):04}"
    reader = settle_in(ask.world, name, pool="own", calendars=("own", "other"))
    words = {word: "it", reader.tenant: "tenant"}
    words |= {each: "own" for ids in reader.ids.values() for each in ids if len(each) == 26}
    return ask.learn(reader.tenant, route, reader.path(route), body, words=words, query=query)


@pytest.mark.parametrize(
    ("operation", "field", "body"), REFERENCES, ids=[f"{o}-{f}" for o, f, _ in REFERENCES]
)
def test_a_reference_finds_nothing_of_another_tenant(
    ask: Ask, owner: Inhabitant, operation: str, field: str, body: Callable[[str], object]
) -> None:
    """The answer and the calls are those of a name that was never used."""
    before = ask.world.items(owner.tenant)
    told = [learn(ask, operation, word, body(word)) for word in named(field, owner)]
    foreign, unknown = [(each.status, unseeded(each.body), each.calls) for each in told]

    assert foreign == unknown
    assert told[0].status < 500
    assert ask.world.items(owner.tenant) == before


@pytest.mark.parametrize(("operation", "field"), QUERIES)
def test_a_filter_finds_nothing_of_another_tenant(
    ask: Ask, owner: Inhabitant, operation: str, field: str
) -> None:
    """The page is empty, as for a name that was never used."""
    told = [learn(ask, operation, word, None, f"{field}={word}") for word in named(field, owner)]

    assert told[0] == told[1]
    # Costs show a job that is asked for, without runs.
    shown = told[0].body.get("items") or [
        each for each in told[0].body.get("jobs", ()) if each["runs"]
    ]
    assert shown == []


def test_every_field_that_leads_somewhere_is_tried() -> None:
    """A new one without a case fails here."""
    described = json.loads(KEPT.read_text())
    found = {
        (operation["operationId"], name)
        for methods in described["paths"].values()
        for operation in methods.values()
        for name in LEADING & set(fields_of(operation, described["components"]["schemas"]))
    }
    tried = {(operation, field) for operation, field, _ in REFERENCES} | ELSEWHERE | set(QUERIES)

    assert {each for each in tried if each[1] in LEADING} == found


def fields_of(operation: dict[str, Any], models: dict[str, dict[str, Any]]) -> Iterator[str]:
    """The names of all fields of its body and its query, however deep."""
    yield from (each["name"] for each in operation["parameters"] if each["in"] == "query")
    waiting = [json.dumps(operation.get("requestBody", {}))]
    seen: set[str] = set()
    while waiting:
        found = set(re.findall(r"#/components/schemas/([\w-]+)", waiting.pop()))
        for model in found - seen:
            seen.add(model)
            yield from models[model].get("properties", {})
            waiting.append(json.dumps(models[model]))
