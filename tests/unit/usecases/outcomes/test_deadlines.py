"""Deadlines: a run that will miss its own is told of before it does, and once."""

from dataclasses import replace
from datetime import timedelta
from unittest.mock import Mock

import pytest

from tests.support.execution.deadlines import (
    USUAL,
    due_run,
    finish,
    look_on,
    stored,
    told,
    with_history,
)
from tests.support.execution.telling import documents, hook, notices, run_all, telling
from tests.support.factories import JOB_ID, TENANT, after
from tests.support.world import World
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.checkpoint import SILENCE
from timegate.domain.runs.finish import Finish
from timegate.domain.runs.finishing import FEWEST_RUNS
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Throttled
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.outcomes.foresee_finish import foresee_one

BUSY = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="busy")


@pytest.mark.parametrize(("at", "occasions"), [(200, []), (200.001, ["will_be_late"])])
def test_a_run_that_begins_too_late_is_told_of_before_its_claim(
    world: World, at: float, occasions: list[str]
) -> None:
    """To the millisecond: now and the usual duration pass the deadline."""
    with_history(world)
    attempt = due_run(world)
    world.stream()
    world.clock.advance(at)
    world.execute(world.receive())

    assert occasions == told(world)
    assert finish(world, attempt).expected_at == after(at + USUAL)
    assert finish(world, attempt).will_be_late is bool(occasions)


def test_a_run_in_time_tells_no_hook_anything(world: World) -> None:
    """Nor is it looked at."""
    with_history(world)
    attempt = due_run(world)
    world.call_runner.takes = timedelta(seconds=USUAL)
    run_all(world)

    assert notices(world) == []
    assert finish(world, attempt) == Finish(
        by=after(300), is_judged=True, usual_ms=USUAL * 1000, expected_at=after(USUAL)
    )


def test_an_unclaimed_run_is_told_of_within_a_look(world: World) -> None:
    """The warning comes when the usual duration no longer fits, and not before."""
    with_history(world)
    due_run(world)
    look_on(world, 200)

    assert told(world) == []

    look_on(world, 12.1)

    assert told(world) == ["will_be_late"]

    look_on(world, 60)

    assert told(world) == ["will_be_late"]

    look_on(world, 60)

    assert told(world) == ["will_be_late", "missed_deadline"]

    look_on(world, 3600)

    assert told(world) == ["will_be_late", "missed_deadline"]


def test_without_history_only_the_miss_is_told(world: World) -> None:
    """One run too few is on record."""
    with_history(world, runs=FEWEST_RUNS - 1)
    attempt = due_run(world)
    look_on(world, 299)

    assert told(world) == []
    assert finish(world, attempt).expected_at is None

    look_on(world, 13)

    assert told(world) == ["missed_deadline"]


def test_a_run_at_work_is_found_at_its_deadline(world: World) -> None:
    """Its heartbeats hide it from no look."""
    with_history(world)
    attempt = due_run(world, timeout_seconds=800, resource_class="long")
    world.stream()
    (delivery,) = world.receive()
    execution = world.execution()
    (claimed,) = claim_runs([delivery], execution).held
    for _ in range(30):
        world.clock.advance(11)
        world.runs.extend(
            stored(world, attempt),
            expires_at=world.clock.now() + execution.lease_length,
            report=SILENCE,
        )
        world.look()
        if told(world):
            break

    assert claimed.attempt.finish is not None
    assert told(world) == ["missed_deadline"]
    assert after(300) < world.clock.now() <= after(300 + 12)
    assert finish(world, attempt).missed


@pytest.mark.parametrize(("takes", "occasions"), [(300, []), (300.001, ["missed_deadline"])])
def test_an_end_after_the_deadline_is_told_once(
    world: World, takes: float, occasions: list[str]
) -> None:
    """By the step that follows the end, where no look came between."""
    attempt = due_run(world, timeout_seconds=800)
    world.call_runner.takes = timedelta(seconds=takes)
    world.stream()
    world.execute(world.receive())
    world.stream()

    assert occasions == told(world)
    assert stored(world, attempt).state is RunState.SUCCEEDED

    world.call_runner.takes = timedelta(0)
    run_all(world, for_hours=1)

    assert [f"run.{each}" for each in occasions] == [each["type"] for each in documents(world)]
    assert stored(world, attempt).watch_at is None


def test_a_look_and_an_end_tell_the_same_once(world: World) -> None:
    """The look's notice is not repeated when the run ends."""
    due_run(world)
    world.stream()
    held = world.receive()
    look_on(world, 313)
    world.execute(held)
    run_all(world, for_hours=1)

    assert told(world) == ["missed_deadline"]
    assert [each["run"]["state"] for each in documents(world)] == ["queued"]


def test_a_retry_that_comes_too_late_is_told_of_at_once(world: World) -> None:
    """No history is needed where it begins after the deadline."""
    retry = RetryPolicy(initial_delay_seconds=1000, max_delay_seconds=1000, jitter=False)
    first = due_run(world, retry=retry)
    world.target.then(BUSY)
    world.stream()
    world.execute(world.receive())
    look_on(world, 12)

    assert told(world) == ["will_be_late"]
    again = replace(first, id=first.id.next())
    assert stored(world, again).state is RunState.WAITING
    assert finish(world, again).expected_at == after(1000)

    look_on(world, 300)

    assert told(world) == ["will_be_late", "missed_deadline"]
    assert stored(world, again).state is RunState.WAITING


def test_a_retry_is_forecast_by_the_usual_duration(world: World) -> None:
    """It begins before the deadline, and would end after it."""
    with_history(world)
    retry = RetryPolicy(initial_delay_seconds=250, max_delay_seconds=250, jitter=False)
    due_run(world, retry=retry)
    world.target.then(BUSY)
    world.stream()
    world.execute(world.receive())
    look_on(world, 12)

    assert told(world) == ["will_be_late"]


def test_a_run_is_told_of_once_over_all_its_attempts(world: World) -> None:
    """The notice is the run's: its id names the attempt that opened it."""
    with_history(world)
    due_run(world, retry=RetryPolicy(jitter=False))
    world.clock.advance(250)
    world.target.then(BUSY, BUSY)
    run_all(world, for_hours=1)

    made = {str(each.id.run) for each in notices(world)}
    heard = {each["notification_id"]: each["type"] for each in documents(world)}
    assert all("-s1-" in mark for mark in made)
    assert sorted(heard.values()) == sorted({*heard.values()})
    assert "run.will_be_late" in heard.values()


def test_a_job_without_a_deadline_reads_no_history(world: World) -> None:
    """Nor writes a deadline."""
    telling(world, hook(Occasion.SUCCEEDED))

    world.runs.list_runs = Mock(side_effect=AssertionError("history was read"))  # type: ignore[method-assign]
    run_all(world)

    assert {each.finish for each in world.attempts()} == {None}


def test_a_throttled_forecast_holds_no_run_up(world: World) -> None:
    """The next look makes it."""

    attempt = due_run(world)
    world.runs.list_runs = Mock(side_effect=Throttled("busy"))  # type: ignore[method-assign]
    run_all(world)

    assert stored(world, attempt).state is RunState.SUCCEEDED
    assert finish(world, attempt) == Finish(by=after(300))


def test_a_deadline_that_has_passed_at_the_claim_is_a_miss(world: World) -> None:
    """A forecast would come too late."""
    with_history(world)
    due_run(world)
    world.stream()
    world.clock.advance(300.001)
    world.execute(world.receive())

    assert told(world) == ["missed_deadline"]


def test_a_run_with_a_short_span_is_looked_at_after_its_deadline(world: World) -> None:
    """Its claim brings the look nearer."""
    attempt = due_run(world, within=20, timeout_seconds=30)
    world.stream()
    claim_runs(world.receive(), world.execution())

    assert stored(world, attempt).watch_at == after(20.001)


def test_a_deadline_that_its_job_has_dropped_is_forecast_no_more(world: World) -> None:
    """The run keeps it: no history is read, and a miss is told all the same."""
    with_history(world)
    attempt = replace(due_run(world), finish=Finish(by=after(300)))
    job = replace(world.jobs.get(TENANT, JOB_ID), finish_by=None)

    world.runs.list_runs = Mock(side_effect=AssertionError("history was read"))  # type: ignore[method-assign]
    services = world.execution()

    assert foresee_one(attempt, job, services, now=after(299)) == attempt
    assert told(world) == []

    missed = foresee_one(attempt, job, services, now=after(300.001))

    assert missed.finish == Finish(by=after(300), missed=True)
    assert told(world) == ["missed_deadline"]


def test_each_piece_of_news_has_its_own_metric_and_event(world: World) -> None:
    """Danger first, and then the miss."""
    with_history(world)
    due_run(world)
    look_on(world, 213)
    counts = world.telemetry.counts

    assert (counts["DeadlinesForecastMissed"], counts["DeadlinesMissed"]) == (1, 0)
    assert len(world.telemetry.named("deadline_in_danger")) == 1
    assert world.telemetry.named("deadline_missed") == []

    look_on(world, 120)

    assert (counts["DeadlinesForecastMissed"], counts["DeadlinesMissed"]) == (1, 1)
    assert len(world.telemetry.named("deadline_in_danger")) == 1
    assert len(world.telemetry.named("deadline_missed")) == 1
