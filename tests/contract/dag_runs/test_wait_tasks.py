"""Waits of DAG runs, on every engine: one write ends them, and the sweeper finds them in time."""

from dataclasses import replace
from datetime import timedelta

from tests.contract.dag_runs.dag_run_factories import LOAD, opened, run_of
from tests.support.factories import NOW
from tests.support.stores.contract_stores import Stores, race
from tests.unit.domain.dags.definitions import ACME
from timegate.domain.dag_runs.progress import (
    DagRun,
    DagRunStatus,
    EndingEvent,
    TaskProgress,
    TaskReason,
    TaskState,
)


def waiting(stores: Stores, run: DagRun) -> TaskProgress:
    """A task that waits for ten minutes."""
    until = NOW + timedelta(minutes=10)
    return opened(stores, run, state=TaskState.RUNNING, started_at=NOW, waits_until=until)


def test_a_wait_is_stored_and_forgotten_by_the_next_round(stores: Stores) -> None:
    """Its end is a part of its state."""
    run = stores.dag_runs.create(run_of())
    before = waiting(stores, run)
    back = replace(before, state=TaskState.PENDING, round=2, started_at=None, waits_until=None)
    again = replace(run, status=DagRunStatus.REOPENING, round=2)

    assert stores.dag_runs.task(ACME, run.dag_run_id, LOAD) == before
    assert stores.dag_runs.change_together(run, again, [(before, back)])
    assert stores.dag_runs.task(ACME, run.dag_run_id, LOAD) == back


def test_a_decision_or_the_expiry_ends_a_wait_and_never_both(stores: Stores) -> None:
    """The other of two simultaneous writes is refused."""
    run = stores.dag_runs.create(run_of())
    before = waiting(stores, run)
    ended = replace(before, ended_at=NOW)
    approved = replace(ended, state=TaskState.SUCCEEDED, reason=TaskReason.APPROVED)
    expired = replace(ended, state=TaskState.FAILED, reason=TaskReason.EXPIRED)
    won = race(
        lambda: stores.dag_runs.change_together(run, run, [(before, approved)]),
        lambda: stores.dag_runs.change_task(before, expired) is not None,
    )
    after = stores.dag_runs.task(ACME, run.dag_run_id, LOAD)

    assert sorted(won) == [False, True]
    assert after == (approved if won[0] else expired)


def test_a_look_is_brought_forward_and_never_put_off(stores: Stores) -> None:
    """The end of a DAG run leaves nothing to be looked at."""
    due = NOW + timedelta(minutes=2)
    run = stores.dag_runs.create(run_of(watch_at=due))
    seen = []
    for seconds in (121, 119, 120):
        stores.dag_runs.look_by(run, NOW + timedelta(seconds=seconds))
        seen.append(stores.dag_runs.get(ACME, run.dag_run_id).watch_at)
    over = replace(run, status=DagRunStatus.SUCCEEDED, watch_at=None)
    assert stores.dag_runs.change(run, over)
    stores.dag_runs.look_by(run, NOW)

    assert seen == [due, *[NOW + timedelta(seconds=119)] * 2]
    assert stores.dag_runs.get(ACME, run.dag_run_id).watch_at is None


def test_a_dag_run_is_looked_at_now_unless_it_has_ended(stores: Stores) -> None:
    """The stream shows it to outcomes, and the sweeper looks again."""
    again = NOW + timedelta(minutes=1)
    run = stores.dag_runs.create(run_of(watch_at=NOW + timedelta(minutes=2)))
    stores.dag_runs.look_now(run, again)
    seen = stores.dag_runs.get(ACME, run.dag_run_id)
    over = replace(seen, status=DagRunStatus.SUCCEEDED, watch_at=None, follow=False)
    assert stores.dag_runs.change(seen, over)
    stores.dag_runs.look_now(run, again)
    after = stores.dag_runs.get(ACME, run.dag_run_id)

    assert (seen.watch_at, seen.follow) == (again, True)
    assert (after.watch_at, after.follow) == (None, False)


def test_the_event_that_ended_a_task_is_stored(stores: Stores) -> None:
    """With the key that it waited for."""
    run = stores.dag_runs.create(run_of())
    before = waiting(stores, run)
    event = EndingEvent(source="shop", id="1", received_at=NOW)
    after = replace(before, state=TaskState.SUCCEEDED, correlation="4711", event=event)

    assert stores.dag_runs.change_task(before, after) == after
    assert stores.dag_runs.task(ACME, run.dag_run_id, LOAD) == after
