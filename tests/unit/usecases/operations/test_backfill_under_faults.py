"""Backfilling while jobs change, processes die and events are lost."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.factories import JOB_ID, NOW, TENANT, after, lease_factory
from tests.support.operations.started_operations import (
    AGAIN,
    ended,
    finish,
    start_filling,
    stored,
    to_fill,
    unfinished,
)
from tests.support.world import World
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.operations.operation import OperationStatus, Reprocess, Tally, WaitsFor
from timegate.domain.planning.reopen import reopened
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.watch import watched_end
from timegate.domain.values.errors import JobIsPaused, Throttled
from timegate.ports.runs.claims import LeaseClaim
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.operations.read_operations import cancel_operation

REF = JobRef(tenant=TENANT, job_id=JOB_ID)


@pytest.fixture
def world() -> World:
    return to_fill()


def test_a_paused_job_is_refused_and_a_pause_holds_a_backfill(world: World) -> None:
    """Nothing more begins until it is resumed; then it goes on at the sweeper's next look."""
    services = api_services(world)
    operation = start_filling(world, max_concurrent=2)
    world.operate()
    pause_job(REF, services, now=NOW)
    with pytest.raises(JobIsPaused):
        start_filling(world, AGAIN)
    for attempt in unfinished(world):
        finish(world, attempt)
    world.operate()
    held = stored(world, operation)
    resume_job(REF, services, now=NOW)
    world.clock.advance(300)
    world.sweep()
    world.settle()

    assert (held.waits_for, held.opened, held.tally.done) == (WaitsFor.JOB, (), 2)
    assert stored(world, operation).tally == Tally(matched=11, done=11)


def test_a_run_that_a_pause_skipped_begins_again_after_it(world: World) -> None:
    """It waited for a worker, or for its next try; nothing begins while the job is paused."""
    services = api_services(world)
    operation = start_filling(world, max_concurrent=2)
    world.operate()
    pause_job(REF, services, now=NOW)
    world.settle()
    held, skipped = stored(world, operation), world.attempts()
    resume_job(REF, services, now=NOW)
    world.clock.advance(300)
    world.sweep()
    world.settle()

    assert [each.reason for each in skipped] == [Reason.PAUSED] * 2
    assert (held.waits_for, held.tally) == (WaitsFor.JOB, Tally(matched=11))
    assert stored(world, operation).tally == Tally(matched=11, done=11)


@pytest.mark.parametrize("change", ["cancel", "edit"])
def test_it_gives_up_when_the_job_is_not_what_it_was(world: World, change: str) -> None:
    """Cancelled, or with another schedule; what it began ends first."""
    services = api_services(world)
    operation = start_filling(world, max_concurrent=2)
    world.operate()
    if change == "cancel":
        cancel_job(REF, services, now=NOW)
    else:
        hourly = Schedule(kind=ScheduleKind.CRON, cron="0 * * * *")
        update_job(REF, JobChanges(schedule=hourly), services, now=NOW)
    first, second = unfinished(world)[:2]
    finish(world, first)
    world.operate()
    waiting = stored(world, operation)
    finish(world, second)
    world.operate()
    done = stored(world, operation)

    assert waiting.is_running
    assert done.status is OperationStatus.FAILED
    assert done.failure is not None
    assert done.failure.code == {"cancel": "job_cancelled", "edit": "schedule_changed"}[change]
    assert done.tally == Tally(matched=11, done=2)


def test_other_edits_are_taken_up(world: World) -> None:
    """A run that begins after an edit begins under it."""
    operation = start_filling(world, max_concurrent=1)
    world.operate()
    update_job(REF, JobChanges(retry=RetryPolicy(max_attempts=9)), api_services(world), now=NOW)
    world.settle()

    assert stored(world, operation).tally == Tally(matched=11, done=11)
    assert {attempt.job_version for attempt in world.attempts()[1:]} == {2}


def test_a_cancelled_one_begins_nothing_more(world: World) -> None:
    """It cancels its runs that wait, and ends when those at work have ended."""
    operation = start_filling(world, max_concurrent=2)
    world.operate()
    held, waits = unfinished(world)
    lease = lease_factory(fence=1, expires_at=after(60))
    taken = LeaseClaim(attempt=held, job_version=held.job_version, lease=lease)
    assert world.runs.claim_all([taken]) == [True]
    cancel_operation(TENANT, operation.operation_id, api_services(world))
    world.operate()
    waiting = stored(world, operation)
    finish(world, world.runs.attempts(TENANT, held.id.run)[-1])
    world.operate()
    done = stored(world, operation)

    assert (waiting.is_running, waiting.exhausted, len(waiting.opened)) == (True, True, 1)
    assert done.status is OperationStatus.CANCELLED
    assert done.tally == Tally(matched=11, done=1, failed=1)
    assert [each.code for each in done.errors] == ["cancel_requested"]
    assert world.runs.attempts(TENANT, waits.id.run)[-1].state is RunState.CANCELLED
    assert len(world.attempts()) == 2


def test_a_cancelled_one_ends_although_no_worker_serves_its_pool(world: World) -> None:
    """Its run waited for hours, and would for ever; cancelled again, nothing changes."""
    operation = start_filling(world, max_concurrent=1)
    world.operate()
    world.clock.advance(3 * 3600)
    for _ in range(2):
        cancel_operation(TENANT, operation.operation_id, api_services(world))
        world.operate()
    done = stored(world, operation)

    assert (done.status, done.opened) == (OperationStatus.CANCELLED, ())
    assert done.tally == Tally(matched=11, failed=1)
    assert world.states() == [RunState.CANCELLED]


def test_a_run_that_keeps_changing_is_cancelled_at_the_next_step(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step that lost every race is no error: the next one tries again."""
    operation = start_filling(world, max_concurrent=1)
    world.operate()
    cancel_operation(TENANT, operation.operation_id, api_services(world))
    with monkeypatch.context() as patch:
        patch.setattr(world.runs, "replace", lambda *_: False)
        world.operate()
    waiting = stored(world, operation)
    world.operations.wake(TENANT, operation.operation_id)
    world.operate()

    assert (waiting.is_running, len(waiting.opened)) == (True, 1)
    assert stored(world, operation).status is OperationStatus.CANCELLED


class Gone(BaseException):
    """The process died."""


@pytest.mark.parametrize("lost", [True, False], ids=["before", "after"])
def test_an_operator_that_dies_between_choosing_and_beginning_is_followed(
    world: World, monkeypatch: pytest.MonkeyPatch, *, lost: bool
) -> None:
    """The choice is recorded: the record's own event begins it, once."""
    insert_all = world.runs.insert_all

    def dying(attempts: list[Attempt]) -> list[bool]:
        if not lost:
            insert_all(attempts)
        raise Gone

    operation = start_filling(world, max_concurrent=2)
    monkeypatch.setattr(world.runs, "insert_all", dying)
    with pytest.raises(Gone):
        world.operate()
    monkeypatch.undo()
    chosen = stored(world, operation)
    world.settle()

    assert len(chosen.opened) == 2
    assert stored(world, operation).tally == Tally(matched=11, done=11)
    assert len(world.attempts()) == 11


def test_a_faster_caller_keeps_the_run(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the choice and the beginning: it counts as unchanged, and nothing waits for it."""
    insert_all = world.runs.insert_all
    operation = start_filling(world, start=NOW)

    def contended(attempts: list[Attempt]) -> list[bool]:
        monkeypatch.undo()
        insert_all([replace(attempts[0], operation=None)])
        return insert_all(attempts)

    monkeypatch.setattr(world.runs, "insert_all", contended)
    world.operate()

    assert stored(world, operation).tally == Tally(matched=1, unchanged=1)
    assert stored(world, operation).status is OperationStatus.SUCCEEDED


def test_what_is_forgotten_before_it_is_opened_again_is_an_error(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its record reached the end of its retention between the choice and the beginning."""
    dead = ended(world, 0, RunState.DEAD_LETTERED)
    operation = start_filling(world, start=NOW, reprocess=Reprocess.FAILED)
    choose = world.operations.advance

    def forgets(*args: Any) -> bool:  # noqa: ANN401 - as the store's
        world.tables.attempts.pop((TENANT, dead.id), None)
        return choose(*args)

    monkeypatch.setattr(world.operations, "advance", forgets)
    world.operate()

    assert [e.code for e in stored(world, operation).errors] == ["record_expired"]
    assert world.attempts() == []


def test_a_lost_wake_is_made_up_for_by_the_sweeper(world: World) -> None:
    """Outcomes never told: it looks now and then, and no function is roused for that."""
    operation = start_filling(world, start=NOW)
    world.operate()
    (attempt,) = world.attempts()
    done = replace(attempt, state=RunState.SUCCEEDED, ended_at=NOW, watch_at=None)
    world.tables.put_attempt(done)
    world.read_images = len(world.tables.images)
    world.clock.advance(299)
    world.sweep()
    early = world.operate()
    world.clock.advance(1)
    world.sweep()
    world.operate()

    assert early == 0
    assert stored(world, operation).status is OperationStatus.SUCCEEDED
    assert world.telemetry.counts["OperationsStalled"] == 0


def test_a_run_opened_by_another_afterwards_is_not_counted(world: World) -> None:
    """The end of the run that the operation began counts."""
    operation = start_filling(world, start=NOW)
    world.operate()
    (attempt,) = world.attempts()
    dead = watched_end(replace(attempt, state=RunState.DEAD_LETTERED, ended_at=NOW))
    world.tables.put_attempt(dead)
    timing = world.jobs.get(TENANT, JOB_ID).timing
    world.runs.insert_all([reopened(dead, timing, now=NOW)])
    world.stream()
    world.operate()

    assert stored(world, operation).tally == Tally(matched=1, failed=1)


def test_a_throttle_delays_and_loses_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither when choosing nor when beginning."""
    operation = start_filling(world, max_concurrent=2)
    for store, name in ((world.runs, "history"), (world.runs, "insert_all")):

        def throttled(*_: Any, **__: Any) -> Any:  # noqa: ANN401 - as the store's
            raise Throttled

        monkeypatch.setattr(store, name, throttled)
        world.operate(steps=1)
        monkeypatch.undo()
        world.read_operations -= 1
    world.settle()

    assert stored(world, operation).tally == Tally(matched=11, done=11)
