"""Events that start runs of DAGs, as a rule hands them over."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from infra.constructs.dags.dag_events import INPUT_PATHS, input_template
from tests.functional.events.functions import DAG_EVENT, EVENTS, Event, Functions
from tests.support.dag_runs.dag_world import MemoryDags
from tests.support.factories import freeze_factory, job_factory
from tests.support.world import delivery
from tests.unit.domain.dags.definitions import ACME, dag, tasks
from timegate.domain.dag_runs.run_identity import DagTrigger
from timegate.domain.dags.definition import DagStatus
from timegate.domain.dags.errors import DagNotFound
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.limits.quotas import Quotas
from timegate.domain.restrictions.freeze import FreezeId, FreezeKind, FreezeScope
from timegate.domain.tenants.tenant_settings import MoveState, Suspension, TenantMove
from timegate.domain.values.errors import InvalidInput, Malformed, TimegateError
from timegate.domain.values.identity import DagRunId
from timegate.domain.values.payload import PayloadSchema
from timegate.usecases.dag_runs.starting.start_on_event import EventTooOld

CHAIN = dag(tasks("extract", "load"), "extract -> load")


def sample(**changes: object) -> Event:
    """Return the function's sample event with these changes."""
    told: Event = json.loads((EVENTS / f"{DAG_EVENT}.json").read_text())
    return {**told, **changes}


def test_an_event_starts_one_run(functions: Functions) -> None:
    """However often it comes; another event starts another."""
    functions.dags.add(CHAIN)
    answers = [functions.send("dag_runs", sample()) for _ in range(2)]
    other = functions.send("dag_runs", sample(event={**sample()["event"], "id": "another"}))
    run = functions.world.dag_runs.get(ACME, DagRunId(answers[0]["dag_run_id"]))

    assert answers[0] == answers[1] != other
    assert (run.trigger, run.dag_id) == (DagTrigger.EVENT, CHAIN.dag_id)
    assert run.scheduled_at.isoformat() == "2026-11-21T07:00:00+00:00"
    assert json.loads(run.parameters.inline or "") == sample()["event"]


def test_the_template_makes_of_an_event_what_the_function_takes(functions: Functions) -> None:
    """Put together as EventBridge does: texts with their quotes, objects as they are."""
    event = {
        "id": "1",
        "time": "2026-11-21T07:00:00Z",
        "source": "billing",
        "detail-type": 'the "month"',
        "detail": {"tenant": "globex", "dag_id": "b" * 26, "step": "cleanup"},
    }
    functions.dags.add(CHAIN)
    text = input_template("acme", CHAIN.dag_id)
    for name, path in INPUT_PATHS.items():
        text = text.replace(f"<{name}>", json.dumps(event[path.removeprefix("$.")]))
    told = json.loads(text)
    started = functions.send("dag_runs", told)

    assert (told["step"], told["tenant"], told["dag_id"]) == ("start", "acme", CHAIN.dag_id)
    assert functions.world.dag_runs.get(ACME, DagRunId(started["dag_run_id"])).tenant == ACME


def set_for_acme(functions: Functions, **fields: Any) -> None:  # noqa: ANN401
    """Apply the administration's settings to the tenant."""
    store = functions.world.tenants
    before = store.get(ACME)
    store.put(ACME, before, replace(before, **fields))


def suspended(functions: Functions) -> None:
    """The tenant is suspended."""
    since = functions.world.clock.now()
    set_for_acme(
        functions, suspension=Suspension(since=since, reason="unpaid", freeze_id=FreezeId("f"))
    )


def moving(functions: Functions) -> None:
    """The tenant has left for another stage."""
    now = functions.world.clock.now()
    move = TenantMove(state=MoveState.CLOSED, stage="prod-b", at=now, since=now)
    set_for_acme(functions, move=move)


def erased(functions: Functions) -> None:
    """Nothing of the tenant is left."""
    set_for_acme(functions, erased_at=functions.world.clock.now())


def full(functions: Functions) -> None:
    """No run may begin today."""
    set_for_acme(functions, quotas=Quotas(runs_per_day=0))


def deleted(functions: Functions) -> None:
    """The operator has not removed the rule."""
    functions.dags.add(replace(CHAIN, version=2, status=DagStatus.DELETED))


def misfit(functions: Functions) -> None:
    """The own job of the DAG has a schema that no event fits."""
    functions.dags.add(replace(CHAIN, version=2, has_job=True))
    job = job_factory(payload_schema=PayloadSchema(text='{"type":"null"}'))
    assert isinstance(functions.dags.dags, MemoryDags)
    functions.dags.dags.own_jobs[CHAIN.dag_id] = job


def as_it_is(functions: Functions) -> None:
    """Nothing is in its way but the event itself."""


def at(text: str, **more: object) -> Event:
    """An event of another time."""
    return {"event": {**sample()["event"], "time": text, **more}}


#: Refusals by a tenant's standing, quota, deletion or schema.
OF_TENANTS: dict[str, tuple[Callable[[Functions], None], str]] = {
    "suspended": (suspended, "tenant_suspended"),
    "moving": (moving, "tenant_moving"),
    "day-is-full": (full, "quota_exceeded"),
    "deleted": (deleted, "dag_deleted"),
    "misfit": (misfit, "payload_mismatch"),
}
HUGE = {"detail": {"text": "x" * 300_000}}
REFUSED: dict[str, tuple[Event, Callable[[Functions], None], type[TimegateError], str]] = {
    "no-dag": ({"dag_id": "b" * 26}, as_it_is, DagNotFound, "dag_not_found"),
    "other-tenant": ({"tenant": "globex"}, as_it_is, DagNotFound, "dag_not_found"),
    "too-old": (at("2026-11-20T06:59:59.999Z"), as_it_is, EventTooOld, "event_too_old"),
    "too-large": (at("2026-11-21T07:00:00Z", **HUGE), as_it_is, InvalidInput, "payload_too_large"),
    "no-id": ({"dag_id": "nightly"}, as_it_is, Malformed, "malformed"),
    "no-tenant": ({"tenant": "#"}, as_it_is, Malformed, "malformed"),
    "no-event": ({"event": None}, as_it_is, Malformed, "malformed"),
    "text": ({"event": "landed"}, as_it_is, Malformed, "malformed"),
    "no-time": ({"event": {"id": "1", "time": "noon"}}, as_it_is, Malformed, "malformed"),
    "no-zone": (at("2026-11-21T07:00:00"), as_it_is, Malformed, "malformed"),
}


@pytest.mark.parametrize(("changes", "prepare", "error", "code"), REFUSED.values(), ids=REFUSED)
def test_what_starts_nothing_is_told_and_kept_by_who_sent_it(
    functions: Functions,
    changes: Event,
    prepare: Callable[[Functions], None],
    error: type[TimegateError],
    code: str,
) -> None:
    """The invocation fails with the reason: Lambda tries again, then puts both into the queue."""
    functions.dags.add(CHAIN)
    prepare(functions)
    with pytest.raises(error):
        functions.send("dag_runs", sample(**changes))
    (told,) = functions.world.telemetry.named("event_not_started")

    assert told.fields["code"] == code
    assert functions.world.telemetry.counts["EventsNotStarted"] == 1
    assert functions.world.tables.dag_runs == {}


@pytest.mark.parametrize(("prepare", "code"), OF_TENANTS.values(), ids=OF_TENANTS)
def test_an_event_that_its_tenant_explains_is_kept_and_fails_nothing(
    functions: Functions, prepare: Callable[[Functions], None], code: str
) -> None:
    """An operator was called for each such event, twice: by the function's errors and the queue."""
    functions.dags.add(CHAIN)
    prepare(functions)
    answer = functions.send("dag_runs", sample())
    (told,) = functions.world.telemetry.named("event_not_started")
    (parked,) = functions.rejects.parked

    assert answer == {"dag_run_id": None}
    assert told.fields["code"] == code
    assert functions.world.telemetry.counts["EventsNotStarted"] == 1
    assert json.loads(parked.body) == sample()
    assert parked.reason.startswith(f"{code}: ")
    assert functions.world.tables.dag_runs == {}


def test_nothing_is_kept_of_an_event_of_an_erased_tenant(functions: Functions) -> None:
    """The log has its id."""
    functions.dags.add(CHAIN)
    erased(functions)

    assert functions.send("dag_runs", sample()) == {"dag_run_id": None}
    assert len(functions.world.telemetry.named("event_not_started")) == 1
    assert functions.rejects.parked == []


def test_an_event_of_exactly_a_day_ago_starts_its_run(functions: Functions) -> None:
    """So long EventBridge tries to deliver it."""
    functions.dags.add(CHAIN)
    functions.send("dag_runs", sample(**at("2026-11-20T07:00:00Z")))

    assert len(functions.world.tables.dag_runs) == 1
    assert functions.world.telemetry.counts["EventsNotStarted"] == 0


@pytest.mark.parametrize(
    "prepare", [suspended, full, deleted, misfit], ids=lambda each: each.__name__
)
def test_an_event_that_comes_again_has_started_what_it_starts(
    functions: Functions, prepare: Callable[[Functions], None]
) -> None:
    """No later refusal applies to it, not even for its age: the event was not lost."""
    functions.dags.add(CHAIN)
    first = functions.send("dag_runs", sample())
    prepare(functions)
    functions.world.clock.advance(2 * 86_400)

    assert functions.send("dag_runs", sample()) == first
    assert functions.world.telemetry.counts["EventsNotStarted"] == 0


def test_during_a_freeze_of_the_tenants_own_it_starts_and_its_tasks_are_held(
    functions: Functions,
) -> None:
    """Nothing of it works before the thaw; its deadline does not move."""
    functions.dags.add(CHAIN)
    world = functions.world
    freeze = freeze_factory(tenant=ACME, scope=FreezeScope(kind=FreezeKind.TENANT))
    world.restrictions.put_freeze(ACME, freeze, now=world.clock.now())
    started = functions.send("dag_runs", sample())
    functions.dags.open(world.dag_runs.get(ACME, DagRunId(started["dag_run_id"])))
    (extract,) = functions.dags.waiting()
    world.execute([delivery(RunMessage.of(extract))])
    (held,) = functions.dags.waiting()

    assert held.frozen_since is not None
    assert world.target.calls == []
