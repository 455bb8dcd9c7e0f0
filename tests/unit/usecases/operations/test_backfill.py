"""Backfilling: every instant of a range one run, so many at once, at any death on the way."""

from collections import Counter
from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.factories import (
    EVERY_MINUTE,
    JOB_ID,
    NOW,
    TENANT,
    after,
    attempt_factory,
    calendar_factory,
)
from tests.support.operations.started_operations import (
    REQUEST,
    backfill_factory,
    ended,
    finish,
    run_of,
    start_filling,
    stored,
    tally_of,
    to_fill,
    unfinished,
)
from tests.support.world import World
from timegate.domain.calendars.calendar import CalendarName
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.jobs.job import JobStatus
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.operations.backfill import InstantFate
from timegate.domain.operations.operation import OperationStatus, Reprocess, Tally, WaitsFor
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.errors import IdempotencyConflict
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.ledger.count_places import places_of
from timegate.usecases.operations.start_backfill import preview_backfill, start_backfill

REF = JobRef(tenant=TENANT, job_id=JOB_ID)


@pytest.fixture
def world() -> World:
    return to_fill()


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
    """At each look; one that ends makes room for the next."""
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
    """The next attempt runs it again; earlier attempts stay as they are."""
    states = [RunState.SUCCEEDED, RunState.DEAD_LETTERED, RunState.SKIPPED, RunState.CANCELLED]
    before = [ended(world, s, state) for s, state in zip(numbers, states, strict=True)]
    operation = start_filling(world, end=after(-360), reprocess=reprocess)
    world.settle()
    last = Counter(attempt.id.run.scheduled_at for attempt in world.attempts())
    again = sum(number - 1 for number in numbers.values())

    assert last == {after(-360): 1} | {after(s): number for s, number in numbers.items()}
    assert stored(world, operation).tally == Tally(matched=5, done=again + 1, unchanged=4 - again)
    after_ = [world.tables.attempts[TENANT, each.id] for each in before]
    settled = [each.resolution for each in after_ if each.resolution is not None]
    assert [replace(each, resolution=None) for each in after_] == before
    # The dead letter among them is none any more, and says who opened its run.
    assert [(each.settled, each.by, each.operation) for each in settled] == (
        [(Settled.REDRIVEN, "ci", operation.operation_id)] if numbers[-540] > 1 else []
    )


def test_runs_under_way_are_left_alone(world: World) -> None:
    """They are the instant's run and have not ended, so no request reprocesses them."""
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
    monkeypatch.setattr("timegate.usecases.operations.backfill_runs.LOOK_AHEAD", 2)
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
    world.add_job(next_run_at=after(60), schedule=replace(EVERY_MINUTE, max_runs=3), runs_begun=2)
    before = world.jobs.get(TENANT, JOB_ID)
    start_filling(world)
    world.settle()

    stored = world.jobs.get(TENANT, JOB_ID)
    assert stored == before
    places = places_of(stored.timing, world.runs)
    assert places is not None
    assert (places.begun, places.waiting) == (2, 0)


def test_a_completed_job_is_filled() -> None:
    """And stays completed; a last run that is opened again does not complete it twice."""
    world = World()
    world.add_job(next_run_at=None, status=JobStatus.COMPLETED)
    final = ended(world, 0, RunState.DEAD_LETTERED, final=True)
    start_filling(world, start=NOW, reprocess=Reprocess.FAILED)
    world.settle()

    assert [a.id.number for a in world.attempts()] == [1, 2]
    before = replace(world.tables.attempts[TENANT, final.id], resolution=None)
    assert before == final
    assert world.jobs.get(TENANT, JOB_ID).timing.version == 1


def test_a_preview_counts_and_writes_nothing(world: World) -> None:
    """It lists the instants in the order of their begin."""
    ended(world, -600, RunState.SUCCEEDED)
    ended(world, -540, RunState.DEAD_LETTERED)
    images = len(world.tables.images)
    asked = backfill_factory(reprocess=Reprocess.FAILED)
    preview = preview_backfill(TENANT, asked, api_services(world), now=NOW)

    assert (preview.instants, preview.new, preview.reopened, preview.unchanged) == (11, 9, 1, 1)
    assert preview.first[:2] == (
        (after(-540), InstantFate.REOPENED),
        (after(-480), InstantFate.NEW),
    )
    assert len(preview.first) == 10
    assert (dict(world.tables.operations), len(world.tables.images)) == ({}, images)


def test_the_same_request_is_the_same_backfill(world: World) -> None:
    """Also when what it asked for could not be asked for any more."""
    first = start_filling(world)
    pause_job(REF, api_services(world), now=NOW)
    again = start_backfill(REQUEST, backfill_factory(), api_services(world), now=after(9))

    assert (again.operation, again.replayed) == (first, True)
    with pytest.raises(IdempotencyConflict):
        start_filling(world, replace(REQUEST, hash="another"))


@pytest.mark.parametrize("action", CalendarAction)
def test_a_calendar_leaves_out_nothing_that_was_asked_for(action: CalendarAction) -> None:
    """Neither when it is chosen nor at its claim; runs of the schedule rest all the while."""
    world = World()
    world.restrictions.put_calendar(
        TENANT,
        calendar_factory(name=CalendarName("always"), weekdays=frozenset(range(7))),
        expected_version=None,
    )
    rules = (CalendarRule(calendar="always", action=action),)
    world.add_job(next_run_at=after(60), calendars=rules)
    planned = attempt_factory(due_at=after(-660))
    world.runs.insert_all([planned])
    operation = start_filling(world)
    world.settle()
    states = {attempt.id.run.scheduled_at: attempt.state for attempt in world.attempts()}

    assert states.pop(after(-660)) is not RunState.SUCCEEDED
    assert set(states.values()) == {RunState.SUCCEEDED}
    assert tally_of(world, operation) == Tally(matched=11, done=11)
