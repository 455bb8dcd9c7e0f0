"""Backfilling: every instant of a range one run, so many at once, whoever dies on the way."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.factories import EVERY_MINUTE, JOB_ID, NOW, TENANT, after, attempt_factory
from tests.support.operating import (
    AGAIN,
    REQUEST,
    backfill_factory,
    finish,
    run_of,
    start_filling,
    stored,
    unfinished,
)
from tests.support.world import World
from timegate.domain.backfill import Fate
from timegate.domain.errors import IdempotencyConflict, JobIsPaused, Throttled
from timegate.domain.job import JobStatus
from timegate.domain.operation import OperationStatus, Reprocess, Tally, WaitsFor
from timegate.domain.overlap import Overlap, OverlapPolicy
from timegate.domain.reopen import reopened
from timegate.domain.retry import RetryPolicy
from timegate.domain.run import Attempt, Reason, RunState
from timegate.domain.schedule import Schedule, ScheduleKind
from timegate.usecases.cancel_job import cancel_job
from timegate.usecases.change_job import JobRef
from timegate.usecases.definition import JobChanges
from timegate.usecases.pause_job import pause_job
from timegate.usecases.read_operations import cancel_operation
from timegate.usecases.resume_job import resume_job
from timegate.usecases.start_backfill import preview_backfill, start_backfill
from timegate.usecases.update_job import update_job

REF = JobRef(tenant=TENANT, job_id=JOB_ID)


@pytest.fixture
def world() -> World:
    """A job of every minute that was planned up to now and of which nothing is on record."""
    world = World()
    world.add_job(next_run_at=after(60))
    return world


def ended(world: World, seconds: float, state: RunState, **fields: Any) -> Attempt:  # noqa: ANN401
    """A run of the past that ended in such a state."""
    attempt = attempt_factory(
        due_at=after(seconds), state=state, ended_at=after(seconds + 1), watch_at=None, **fields
    )
    world.runs.insert_all([attempt])
    return attempt


def test_every_instant_without_a_run_gets_one(world: World) -> None:
    """In order, and never more at once than was asked for; the job's own runs are none of it."""
    operation = start_filling(world, max_concurrent=2)
    world.operate()
    first, opened = stored(world, operation), unfinished(world)
    world.settle()
    done = stored(world, operation)

    assert [attempt.id for attempt in opened] == [run_of(after(-600)), run_of(after(-540))]
    assert (first.tally, first.waits_for) == (Tally(matched=11), WaitsFor.RUNS)
    assert done.status is OperationStatus.SUCCEEDED
    assert done.tally == Tally(matched=11, done=11)
    assert [attempt.id for attempt in world.attempts()] == [
        run_of(after(seconds)) for seconds in range(-600, 1, 60)
    ]
    assert world.jobs.get(TENANT, JOB_ID).timing.runs_planned == 0


def test_no_more_of_its_runs_than_asked_for_are_unfinished(world: World) -> None:
    """Whenever anybody looks; one that ends makes room for the next."""
    operation = start_filling(world, max_concurrent=3)
    world.operate()
    most = 0
    while waiting := unfinished(world):
        most = max(most, len(waiting))
        finish(world, waiting[-1])
        world.operate()

    assert most == 3
    assert stored(world, operation).tally == Tally(matched=11, done=11)


def test_its_runs_are_due_at_once_and_published_by_the_stream(world: World) -> None:
    """The operator sends to no queue for them; their job is not completed by them."""
    start_filling(world, max_concurrent=1)
    world.operate()
    (attempt,) = world.attempts()

    assert (attempt.state, attempt.due_at, attempt.direct) == (
        RunState.QUEUED,
        world.clock.now(),
        False,
    )
    assert not attempt.final
    assert world.publisher.sent == []
    world.stream()
    assert len(world.publisher.sent) == 1


@pytest.mark.parametrize(
    ("reprocess", "numbers"),
    [
        (Reprocess.NONE, {-600: 1, -540: 1, -480: 1, -420: 1}),
        (Reprocess.FAILED, {-600: 1, -540: 2, -480: 2, -420: 1}),
        (Reprocess.ALL, {-600: 2, -540: 2, -480: 2, -420: 2}),
    ],
    ids=str,
)
def test_what_ran_already_is_run_again_as_asked(
    world: World, reprocess: Reprocess, numbers: dict[int, int]
) -> None:
    """As the next attempt; the records of those before stay as they are."""
    states = [RunState.SUCCEEDED, RunState.DEAD_LETTERED, RunState.SKIPPED, RunState.CANCELLED]
    before = [ended(world, s, state) for s, state in zip(numbers, states, strict=True)]
    operation = start_filling(world, end=after(-360), reprocess=reprocess)
    world.settle()
    last = Counter(attempt.id.run.scheduled_at for attempt in world.attempts())
    again = sum(number - 1 for number in numbers.values())

    assert last == {after(-360): 1} | {after(s): number for s, number in numbers.items()}
    assert stored(world, operation).tally == Tally(matched=5, done=again + 1, unchanged=4 - again)
    assert [world.tables.attempts[TENANT, each.id] for each in before] == before


def test_runs_under_way_are_left_alone(world: World) -> None:
    """Whatever is asked for: they are the instant's run, and have not ended."""
    world.runs.insert_all([attempt_factory(due_at=NOW)])
    operation = start_filling(world, start=after(-60), reprocess=Reprocess.ALL)
    world.operate()

    assert [attempt.id for attempt in world.attempts()] == [run_of(after(-60)), run_of(NOW)]
    assert stored(world, operation).tally == Tally(matched=2, unchanged=1)


def test_a_run_that_fails_is_an_error_of_the_operation(world: World) -> None:
    """After its retries; the others go on."""
    operation = start_filling(world, start=after(-60), max_concurrent=1)
    world.operate()
    finish(world, unfinished(world)[0], RunState.DEAD_LETTERED)
    world.settle()
    done = stored(world, operation)

    assert (done.status, done.tally) == (OperationStatus.FAILED, Tally(matched=2, done=1, failed=1))
    assert [error.item for error in done.errors] == [str(run_of(after(-60)).run)]


def test_the_end_of_a_retry_is_the_end_that_counts(world: World) -> None:
    """A failed attempt that is followed by another makes no room."""
    operation = start_filling(world, start=after(-60), max_concurrent=1)
    world.operate()
    (first,) = world.attempts()
    retried = replace(first, state=RunState.FAILED, reason=Reason.RETRIED, ended_at=NOW)
    world.tables.put_attempt(replace(retried, watch_at=None))
    second = replace(first, id=first.id.next())
    world.tables.put_attempt(second)
    world.stream()
    world.operations.wake(TENANT, operation.operation_id)
    world.operate()
    waiting = stored(world, operation)
    finish(world, second)
    world.operate()

    assert (waiting.tally.done, len(waiting.opened)) == (0, 1)
    assert stored(world, operation).tally.done == 1


def test_long_stretches_of_what_ran_are_passed_over_in_steps(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each step looks at a bounded number of instants, and its write brings the next."""
    monkeypatch.setattr("timegate.usecases.backfill_runs.LOOK_AHEAD", 2)
    for seconds in range(-600, 0, 60):
        ended(world, seconds, RunState.SUCCEEDED)
    operation = start_filling(world, max_concurrent=1)
    world.settle()
    done = stored(world, operation)

    assert done.tally == Tally(matched=11, done=1, unchanged=10)
    assert done.step >= 6


def test_a_job_that_forbids_overlap_has_its_backfilled_runs_queued() -> None:
    """None is skipped: they run one after the other."""
    world = World()
    world.add_job(
        next_run_at=after(60), overlap=Overlap(policy=OverlapPolicy.FORBID), start_within_seconds=1
    )
    operation = start_filling(world, max_concurrent=5)
    for _ in range(20):
        world.settle()
        world.clock.advance(61)
        world.sweep()

    assert stored(world, operation).tally == Tally(matched=11, done=11)
    assert set(world.states()) == {RunState.SUCCEEDED}


def test_runs_do_not_count_into_max_runs_nor_complete_the_job() -> None:
    """Neither a job that has runs left nor one that is completed notices."""
    world = World()
    world.add_job(next_run_at=after(60), schedule=replace(EVERY_MINUTE, max_runs=3), runs_planned=2)
    before = world.jobs.get(TENANT, JOB_ID)
    start_filling(world)
    world.settle()

    assert world.jobs.get(TENANT, JOB_ID) == before


def test_a_completed_job_is_filled() -> None:
    """And stays completed; a last run that is opened again does not complete it twice."""
    world = World()
    world.add_job(next_run_at=None, status=JobStatus.COMPLETED)
    final = ended(world, 0, RunState.DEAD_LETTERED, final=True)
    start_filling(world, start=NOW, reprocess=Reprocess.FAILED)
    world.settle()

    assert [a.id.number for a in world.attempts()] == [1, 2]
    assert world.tables.attempts[TENANT, final.id] == final
    assert world.jobs.get(TENANT, JOB_ID).timing.version == 1


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
    """What begins after one begins under it."""
    operation = start_filling(world, max_concurrent=1)
    world.operate()
    update_job(REF, JobChanges(retry=RetryPolicy(max_attempts=9)), api_services(world), now=NOW)
    world.settle()

    assert stored(world, operation).tally == Tally(matched=11, done=11)
    assert {attempt.job_version for attempt in world.attempts()[1:]} == {2}


def test_a_cancelled_one_begins_nothing_more(world: World) -> None:
    """It ends when the runs it began have ended."""
    operation = start_filling(world, max_concurrent=2)
    world.operate()
    cancel_operation(TENANT, operation.operation_id, api_services(world))
    world.operate()
    waiting = stored(world, operation)
    world.settle()
    done = stored(world, operation)

    assert (waiting.is_running, waiting.exhausted, len(waiting.opened)) == (True, True, 2)
    assert (done.status, done.tally) == (OperationStatus.CANCELLED, Tally(matched=11, done=2))
    assert len(world.attempts()) == 2


class Gone(BaseException):
    """The process died."""


@pytest.mark.parametrize("lost", [True, False], ids=["before", "after"])
def test_whoever_dies_between_choosing_and_beginning_is_followed(
    world: World, monkeypatch: pytest.MonkeyPatch, *, lost: bool
) -> None:
    """What is chosen is on record: the record's own event begins it, once."""
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


def test_somebody_who_was_faster_keeps_the_run(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
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
    """Outcomes never told: it looks now and then, and nobody is roused for that."""
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


def test_a_run_opened_by_somebody_else_afterwards_is_his(world: World) -> None:
    """What counts is how the run ended that the operation had begun."""
    operation = start_filling(world, start=NOW)
    world.operate()
    (attempt,) = world.attempts()
    dead = replace(attempt, state=RunState.DEAD_LETTERED, ended_at=NOW, watch_at=None)
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


def test_a_preview_counts_and_writes_nothing(world: World) -> None:
    """What it names first is what would be begun first."""
    ended(world, -600, RunState.SUCCEEDED)
    ended(world, -540, RunState.DEAD_LETTERED)
    images = len(world.tables.images)
    asked = backfill_factory(reprocess=Reprocess.FAILED)
    preview = preview_backfill(TENANT, asked, api_services(world), now=NOW)

    assert (preview.instants, preview.new, preview.reopened, preview.unchanged) == (11, 9, 1, 1)
    assert preview.first[:2] == ((after(-540), Fate.REOPENED), (after(-480), Fate.NEW))
    assert len(preview.first) == 10
    assert (world.tables.operations, len(world.tables.images)) == ({}, images)


def test_the_same_request_is_the_same_backfill(world: World) -> None:
    """Also when what it asked for could not be asked for any more."""
    first = start_filling(world)
    pause_job(REF, api_services(world), now=NOW)
    again = start_backfill(REQUEST, backfill_factory(), api_services(world), now=after(9))

    assert (again.operation, again.replayed) == (first, True)
    with pytest.raises(IdempotencyConflict):
        start_filling(world, replace(REQUEST, hash="another"))
