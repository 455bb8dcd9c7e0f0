"""Tasks that wait for events: early, late, of another key, and never."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.dag_runs.dag_interventions import asked
from tests.support.dag_runs.dag_world import DagWorld
from tests.support.dag_runs.event_waits import ORDER, PARAMETERS, paid, payment, send
from tests.support.dag_runs.waiting import approval, look, then
from tests.unit.domain.dags.definitions import dag, task
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    InterventionKind,
    TaskProgress,
    TaskReason,
)
from timegate.domain.dag_runs.run_errors import (
    EventExpired,
    NotAnEventTask,
    TaskHasEnded,
    TaskNotStarted,
)
from timegate.domain.dags.definition import FailurePolicy
from timegate.domain.dags.waits import Expiry
from timegate.domain.events.event import KEPT
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.tenant import TenantId

SIGNAL = InterventionKind.SIGNAL


def started(dag_world: DagWorld, key: str = "first", **fields: object) -> DagRun:
    """A run of a DAG whose first task waits for the payment of order 4711."""
    own = then(payment(**fields), failure_policy=FailurePolicy.CONTINUE)  # type: ignore[arg-type]
    return dag_world.start(own, key=key, parameters=PARAMETERS)


def wait_of(dag_world: DagWorld, run: DagRun) -> TaskProgress:
    """The task that waits."""
    return dag_world.tasks(run)[TaskKey("wait")]


def test_an_event_ends_the_task_and_later_tasks_find_its_data() -> None:
    """Without a run; the sender is told which task it ended."""
    dag_world = DagWorld()
    run = started(dag_world)
    before = dag_world.states(run)
    (delivered,) = send(dag_world, paid(42))
    after = wait_of(dag_world, run)
    (second,) = dag_world.waiting()

    assert before == {"wait": "running", "b": "pending"}
    assert [(each.kind, each.name, each.dag_run_id) for each in delivered.met] == [
        ("task", "wait", run.dag_run_id)
    ]
    assert (after.state, after.reason, after.correlation) == (
        "succeeded",
        TaskReason.RECEIVED,
        "4711",
    )
    assert after.event is not None
    assert (after.event.source, after.event.id) == ("shop", "42")
    assert second.payload is not None
    assert second.payload.inline == '{"amount":42}'
    assert dag_world.play(run, lambda *_: RunState.SUCCEEDED).status is DagRunStatus.SUCCEEDED


def test_an_event_that_comes_before_its_task_waits_is_found() -> None:
    """The task behind another one finds the earliest that came since the DAG run began."""
    dag_world = DagWorld()
    own = dag((task("a"), payment(), task("b")), "a -> wait", "wait -> b")
    run = dag_world.start(own, parameters=PARAMETERS)
    dag_world.world.clock.advance(60)
    (early,) = send(dag_world, paid(1))
    dag_world.world.clock.advance(60)
    send(dag_world, paid(2))
    (first,) = dag_world.waiting()
    dag_world.hear(dag_world.finish(first, RunState.SUCCEEDED))

    assert early.met == ()
    assert wait_of(dag_world, run).result == '{"amount":1}'
    assert dag_world.states(run)["b"] == "running"


@pytest.mark.parametrize(
    ("lookback", "age", "counts"),
    [(0, 0, True), (0, 1, False), (300, 300, True), (300, 301, False)],
)
def test_an_event_before_the_dag_run_counts_as_far_back_as_the_task_says(
    lookback: int, age: int, *, counts: bool
) -> None:
    """The event of yesterday is none of today's run, unless its task says so."""
    dag_world = DagWorld()
    now = dag_world.world.clock.now()
    send(dag_world, paid(), at=now - timedelta(seconds=age))
    run = started(dag_world, event=replace(ORDER, lookback_seconds=lookback))

    assert dag_world.states(run)["wait"] == ("succeeded" if counts else "running")


def test_an_event_is_kept_for_a_day() -> None:
    """A task that begins to wait later does not find it."""
    found = []
    for seconds in (KEPT.total_seconds(), KEPT.total_seconds() + 1):
        dag_world = DagWorld()
        own = dag((task("a"), payment(3600)), "a -> wait", timeout_seconds=3 * 86_400)
        run = dag_world.start(own, parameters=PARAMETERS)
        send(dag_world, paid())
        dag_world.world.clock.advance(seconds)
        (first,) = dag_world.waiting()
        dag_world.hear(dag_world.finish(first, RunState.SUCCEEDED))
        found.append(dag_world.states(run)["wait"])

    assert found == ["succeeded", "running"]


@pytest.mark.parametrize(
    "fields",
    [
        {"type": "order.sent"},
        {"correlation": "4712"},
        {"correlation": None},
        {"source": "elsewhere"},
        {"data": '{"amount":9}'},
        {"data": None},
    ],
)
def test_an_event_of_another_kind_ends_nothing(fields: dict[str, object]) -> None:
    """Another type, key, source or data ends nothing; the right event does afterwards."""
    dag_world = DagWorld()
    awaited = replace(ORDER, source="shop", match='{"amount":[{"numeric":[">",9]}]}')
    run = started(dag_world, event=awaited)
    (wrong,) = send(dag_world, paid(10, **fields))
    before = dag_world.states(run)["wait"]
    (right,) = send(dag_world, paid(11))

    assert (wrong.met, before) == ((), "running")
    assert len(right.met) == 1
    assert wait_of(dag_world, run).result == '{"amount":11}'


def test_an_event_of_another_tenant_ends_nothing() -> None:
    """Nor does it stand in the way of the tenant's own with the same source and id."""
    dag_world = DagWorld()
    run = started(dag_world)
    (foreign,) = send(dag_world, paid(), tenant=TenantId("globex"))
    before = dag_world.states(run)["wait"]
    send(dag_world, paid())

    assert (foreign.met, before) == ((), "running")
    assert dag_world.states(run)["wait"] == "succeeded"


def test_an_event_ends_every_task_that_waits_for_it() -> None:
    """One event ends tasks of several DAG runs; repeated, it ends no more and answers alike."""
    dag_world = DagWorld()
    runs = [started(dag_world, key) for key in ("first", "second")]
    (first,) = send(dag_world, paid())
    (again,) = send(dag_world, paid())

    assert {each.dag_run_id for each in first.met} == {run.dag_run_id for run in runs}
    assert (again.receipt, again.met) == ("repeated", first.met)
    assert [dag_world.states(run)["b"] for run in runs] == ["running"] * 2


@pytest.mark.parametrize(
    ("on_expiry", "default", "state", "after", "result"),
    [
        (Expiry.FAIL, None, "failed", "skipped", None),
        (Expiry.SKIP, None, "skipped", "skipped", None),
        (Expiry.SUCCEED, None, "succeeded", "running", None),
        (Expiry.SUCCEED, '{"amount":0}', "succeeded", "running", '{"amount":0}'),
    ],
)
def test_a_task_whose_event_does_not_come_ends_as_its_dag_says(
    on_expiry: Expiry, default: str | None, state: str, after: str, result: str | None
) -> None:
    """A millisecond before its end an event counts, however late it is found; then none does."""
    dag_world = DagWorld()
    run = started(dag_world, on_expiry=on_expiry, default=default)
    end = wait_of(dag_world, run).waits_until
    assert end is not None
    send(dag_world, paid(), at=end, follows=False)
    before = dag_world.states(run)["wait"]
    look(dag_world, run, 600)
    other = DagWorld()
    saved = started(other, on_expiry=on_expiry, default=default)
    other.world.events.receive(saved.tenant, [paid(7)], at=end - timedelta(milliseconds=1))
    look(other, saved, 600)

    assert before == "running"
    assert dag_world.states(run) == {"wait": state, "b": after}
    assert wait_of(dag_world, run).reason == TaskReason.EXPIRED
    assert wait_of(dag_world, run).result == result
    assert wait_of(other, saved).result == '{"amount":7}'


def test_a_large_event_is_a_result_as_a_runs_is() -> None:
    """An excerpt in the record, and the whole for references."""
    dag_world = DagWorld()
    run = started(dag_world)
    text = '"' + "x" * 5_000 + '"'
    send(dag_world, paid(data=text))
    after = wait_of(dag_world, run)

    assert after.result is not None
    assert len(after.result) < 1_000
    assert after.stored_result is not None
    assert dag_world.world.blobs.get(after.stored_result.blob) == text


@pytest.mark.parametrize("parameters", ["{}", '{"order":{"id":1}}', '{"order":""}'])
def test_a_task_whose_key_cannot_be_made_fails_before_it_waits(parameters: str) -> None:
    """A task whose input cannot be made fails alike."""
    dag_world = DagWorld()
    own = then(payment(), failure_policy=FailurePolicy.CONTINUE)
    run = dag_world.start(own, parameters=parameters)
    after = wait_of(dag_world, run)

    assert (after.state, after.reason) == ("failed", TaskReason.INVALID_INPUT)


def test_a_number_is_the_key_that_json_writes() -> None:
    """An order with the number 4711 has the subject 4711."""
    dag_world = DagWorld()
    run = dag_world.start(then(payment()), parameters='{"order":4711}')
    send(dag_world, paid())

    assert dag_world.states(run)["wait"] == "succeeded"


def test_a_caller_gives_the_event_himself() -> None:
    """Once; it is his word, whatever the pattern says, and on record as his."""
    dag_world = DagWorld()
    awaited = replace(ORDER, match='{"amount":[1]}')
    run = started(dag_world, event=awaited)
    done = asked(dag_world, run, "wait", SIGNAL, result='{"by":"phone"}', by="ann")
    again = asked(dag_world, run, "wait", SIGNAL, result='{"by":"phone"}', by="ann")
    with pytest.raises(TaskHasEnded):
        asked(dag_world, run, "wait", SIGNAL, result="2")
    dag_world.follow()
    after = wait_of(dag_world, run)
    (late,) = send(dag_world, paid(1))

    assert (done.is_replay, again.is_replay) == (False, True)
    assert (after.state, after.reason, after.result) == (
        "succeeded",
        TaskReason.SIGNALLED,
        '{"by":"phone"}',
    )
    assert after.intervention is not None
    assert after.intervention.by == "ann"
    assert late.met == ()
    assert dag_world.states(run)["b"] == "running"


def test_only_a_task_that_waits_for_an_event_is_signalled() -> None:
    """Neither an approval nor a run, nor one that has not begun, nor one whose time is over."""
    dag_world, other = DagWorld(), DagWorld()
    late = replace(payment(), key=TaskKey("late"))
    own = dag((approval(), task("b"), late), "wait -> late")
    run = dag_world.start(own, parameters=PARAMETERS)
    waits = started(other)
    other.world.clock.advance(600)
    for world, of, key, error in (
        (dag_world, run, "wait", NotAnEventTask),
        (dag_world, run, "b", NotAnEventTask),
        (dag_world, run, "late", TaskNotStarted),
        (other, waits, "wait", EventExpired),
    ):
        with pytest.raises(error):
            asked(world, of, key, SIGNAL)


def test_a_task_that_is_run_again_takes_the_earliest_event_again() -> None:
    """An event that came before its second round counts for it, as its input would."""
    dag_world = DagWorld()
    run = started(dag_world)
    send(dag_world, paid(1))
    asked(dag_world, run, "wait", InterventionKind.RERUN)
    dag_world.follow()
    after = wait_of(dag_world, run)

    assert (after.round, after.state, after.result) == (2, "succeeded", '{"amount":1}')
