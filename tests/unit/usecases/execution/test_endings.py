"""A run ends by success, failure, time-out or cancel; a retryable failure starts a new attempt."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.execution.executing import only, prepare
from tests.support.factories import NOW, after, lease_factory, running
from tests.support.world import World
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import Throttled
from timegate.ports.runs.held_leases import RetryWritten

UNAVAILABLE = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="Http", message="503")
NOT_FOUND = Failure(kind=FailureKind.PERMANENT, code="http_404", type="Http", message="404")


def test_a_failure_is_followed_by_a_new_attempt() -> None:
    """The first keeps its error; the second waits for its back-off."""
    world = World()
    world.target.then(UNAVAILABLE)
    retry = RetryPolicy(max_attempts=2, initial_delay_seconds=10, jitter=False)
    world.execute([prepare(world, retry=retry)])
    first, second = world.attempts()

    assert (first.state, first.reason) == (RunState.FAILED, Reason.RETRIED)
    assert first.error is not None
    assert first.error.code == "http_503"
    assert (second.state, second.due_at, second.id.number) == (RunState.QUEUED, after(10), 2)
    assert second.watch_at is not None


def test_a_back_off_beyond_the_queues_limit_waits() -> None:
    """The sweeper queues it when it is near."""
    world = World()
    world.target.then(UNAVAILABLE)
    retry = RetryPolicy(
        max_attempts=2, initial_delay_seconds=3600, max_delay_seconds=3600, jitter=False
    )
    world.execute([prepare(world, retry=retry)])

    assert world.states() == [RunState.FAILED, RunState.WAITING]


@pytest.mark.parametrize(
    ("failure", "state", "reason"),
    [
        pytest.param(
            UNAVAILABLE, RunState.DEAD_LETTERED, Reason.RETRIES_EXHAUSTED, id="out of retries"
        ),
        pytest.param(NOT_FOUND, RunState.FAILED, Reason.PERMANENT, id="permanent"),
    ],
)
def test_a_last_failure_ends_the_run(failure: Failure, state: RunState, reason: Reason) -> None:
    """With its error and its reason, and no further attempt."""
    world = World()
    world.target.then(failure)
    world.execute([prepare(world, retry=RetryPolicy(max_attempts=1))])

    attempt = only(world)
    assert (attempt.state, attempt.reason, attempt.watch_at) == (state, reason, None)


def test_a_run_that_takes_too_long_times_out() -> None:
    """Its supervisor stops waiting at the deadline."""
    world = World()
    world.call_runner.takes = None
    world.execute([prepare(world, timeout_seconds=30, retry=RetryPolicy(max_attempts=2))])
    first, second = world.attempts()

    assert (first.state, first.ended_at) == (RunState.TIMED_OUT, after(30))
    assert second.id.number == 2


def test_a_cancel_is_seen_at_the_next_heartbeat() -> None:
    """The worker stops waiting for its target."""
    world = World()
    world.call_runner.takes = timedelta(seconds=50)
    invoke = world.target.invoke

    def cancel_meanwhile(call: Call) -> Answer:
        world.tables.put_attempt(replace(only(world), cancel_requested=True))
        return invoke(call)

    world.target.invoke = cancel_meanwhile  # type: ignore[method-assign]
    world.execute([prepare(world, timeout_seconds=60)])

    attempt = only(world)
    assert (attempt.state, attempt.reason) == (RunState.CANCELLED, Reason.CANCEL_REQUESTED)
    assert attempt.ended_at == after(20)


@pytest.mark.parametrize("throttled", [0, 1], ids=["at-once", "after-a-throttle"])
def test_a_cancel_after_the_last_heartbeat_prevents_the_retry(throttled: int) -> None:
    """The write of the end finds it: no worker has to hear of it before (R10)."""
    world = World()
    finish_and_retry = world.runs.finish_and_retry
    refusals = [Throttled("busy")] * throttled

    def cancelled_first(ended: Attempt, retry: Attempt) -> RetryWritten:
        world.tables.put_attempt(replace(only(world), cancel_requested=True))
        if refusals:
            raise refusals.pop()
        return finish_and_retry(ended, retry)

    world.runs.finish_and_retry = cancelled_first  # type: ignore[method-assign]
    world.target.then(UNAVAILABLE)
    world.execute([prepare(world, retry=RetryPolicy(max_attempts=3))])

    attempt = only(world)
    assert (attempt.state, attempt.reason) == (RunState.CANCELLED, Reason.CANCEL_REQUESTED)
    assert attempt.error is not None
    assert attempt.explanation == "not tried again: a cancel was requested"
    assert world.telemetry.counts["RunsCancelled"] == 1
    assert world.telemetry.counts["RunsRetried"] == 0


@pytest.mark.parametrize(("fence", "executed"), [(4, True), (5, False)], ids=str)
def test_what_kills_its_workers_is_buried(fence: int, *, executed: bool) -> None:
    """Five leases are enough, all but the first beside no other run."""
    world = World()
    killer = running(lease=lease_factory(fence=fence, expires_at=NOW))
    world.execute([prepare(world, replace(killer, alone=fence - 1))])

    assert bool(world.target.calls) is executed
    assert (only(world).reason is Reason.KILLS_WORKERS) is not executed


@pytest.mark.parametrize(
    ("code", "counted"),
    [
        ("address_not_allowed", 1),
        ("secret_not_allowed", 1),
        ("target_not_allowed", 1),
        ("invalid_url", 1),
        ("secret_not_found", 0),
        ("http_403", 0),
    ],
)
def test_a_call_that_is_refused_before_it_is_made_is_told(code: str, counted: int) -> None:
    """Each call checks its address and the stage's rules again."""
    world = World()
    world.target.then(replace(NOT_FOUND, code=code))
    world.execute([prepare(world)])
    told = [event.fields["code"] for event in world.telemetry.named("target_refused")]

    assert world.telemetry.counts["TargetsRefused"] == counted
    assert told == [code] * counted
