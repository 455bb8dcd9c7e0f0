"""A run under at_most_once is never executed twice, whichever step fails."""

from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.execution.executing import only, prepare
from tests.support.factories import (
    NOW,
    after,
    lease_factory,
    running,
)
from tests.support.world import World
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.call import Answer, Call
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState
from timegate.usecases.operations.bury_message import bury_message

ONCE = DeliveryMode.AT_MOST_ONCE
EXACTLY = DeliveryMode.EXACTLY_ONCE
UNAVAILABLE = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="Http", message="503")
NOT_FOUND = Failure(kind=FailureKind.PERMANENT, code="http_404", type="Http", message="404")


def abandoned(mode: DeliveryMode, **fields: object) -> Attempt:
    """Held by a worker that died; its lease expires now."""
    lease = lease_factory(expires_at=NOW, deadline_at=after(600))
    return replace(running(lease=lease), delivery=mode, **fields)  # type: ignore[arg-type]


def test_a_message_is_acknowledged_before_the_work() -> None:
    """And after the claim: a worker that dies in between leaves a record, and no second try."""
    world = World()
    seen: list[tuple[list[str], RunState]] = []
    invoke = world.target.invoke

    def look(call: Call) -> Answer:
        seen.append((list(world.inbox.acknowledged), only(world).state))
        return invoke(call)

    world.target.invoke = look  # type: ignore[method-assign]
    world.execute([prepare(world, delivery=ONCE)])

    assert seen == [(["receipt-0"], RunState.RUNNING)]
    assert only(world).state is RunState.SUCCEEDED


@pytest.mark.parametrize("mode", DeliveryMode, ids=str)
def test_the_target_is_told_if_the_call_may_reach_it_once_alone(mode: DeliveryMode) -> None:
    """Clients of AWS repeat requests, which this mode forbids."""
    world = World()
    world.execute([prepare(world, delivery=mode)])

    (call,) = world.target.calls
    assert call.once is (mode is ONCE)


@pytest.mark.parametrize("mode", [DeliveryMode.AT_LEAST_ONCE, EXACTLY], ids=str)
def test_any_other_message_is_acknowledged_by_its_end(mode: DeliveryMode) -> None:
    """A worker that dies leaves it to the queue to bring it back."""
    world = World()
    world.execute([prepare(world, delivery=mode)])

    assert world.inbox.acknowledged == []


def test_what_is_acknowledged_is_not_hidden_any_more() -> None:
    """Its message is hidden before the claim deletes it; heartbeats renew the lease alone."""
    world = World()
    world.call_runner.takes = timedelta(seconds=50)
    world.execute(
        [prepare(world, delivery=ONCE, timeout_seconds=60)], visibility=timedelta(seconds=900)
    )
    lease = only(world).lease

    assert [hidden.seconds for hidden in world.inbox.hidden] == [65]
    assert lease is not None
    assert lease.expires_at == after(40 + 60)


@pytest.mark.parametrize(
    ("failure", "state", "reason"),
    [
        pytest.param(UNAVAILABLE, RunState.FAILED, Reason.AT_MOST_ONCE, id="retryable"),
        pytest.param(NOT_FOUND, RunState.FAILED, Reason.PERMANENT, id="permanent"),
        pytest.param(None, RunState.TIMED_OUT, Reason.AT_MOST_ONCE, id="no answer"),
    ],
)
def test_a_failure_is_never_tried_again(
    failure: Failure | None, state: RunState, reason: Reason
) -> None:
    """The retry policy does not count; the run is no dead letter either, for a redrive is wrong."""
    world = World()
    if failure is not None:
        world.target.then(failure)
    else:
        world.call_runner.takes = None
    world.execute([prepare(world, delivery=ONCE, retry=RetryPolicy(max_attempts=5))])

    assert (only(world).state, only(world).reason) == (state, reason)
    assert only(world).ends_run


def test_a_dead_workers_run_is_ended_by_the_sweeper() -> None:
    """With a record that says so; it is not executed again."""
    world = World()
    prepare(world, replace(abandoned(ONCE), watch_at=after(5)), delivery=ONCE)
    world.clock.set(after(10))
    world.sweep()
    world.stream()
    expected = RunError(
        code="worker_died",
        type="LeaseExpired",
        message=(
            "1 lease ended without a word from the worker."
            " worker-1 had the last lease, which ended at 2026-11-21T07:00:00.000Z."
        ),
    )

    assert (only(world).state, only(world).reason) == (RunState.FAILED, Reason.WORKER_DIED)
    assert only(world).error == expected
    assert (only(world).explanation or "").startswith("at most once: not tried again")
    assert world.publisher.sent == []
    assert world.telemetry.counts["RunsFailed"] == 1


def test_a_dead_workers_run_is_ended_by_the_worker_that_meets_its_message() -> None:
    """Its acknowledgement may have been lost."""
    world = World()
    again = world.execute([prepare(world, abandoned(ONCE), delivery=ONCE)])

    assert again == set()
    assert (only(world).state, only(world).reason) == (RunState.FAILED, Reason.WORKER_DIED)
    assert world.target.calls == []


def test_a_dead_workers_run_stays_at_most_once_when_its_job_changes() -> None:
    """The mode is that of the claim: the user who changed it may have been too late."""
    world = World()
    world.execute([prepare(world, abandoned(ONCE), delivery=DeliveryMode.AT_LEAST_ONCE)])

    assert only(world).reason is Reason.WORKER_DIED


def test_a_dead_letter_of_it_says_that_its_worker_died() -> None:
    """Should its message come so far."""
    world = World()
    attempt = abandoned(ONCE)
    world.runs.insert_all([attempt])
    bury_message(RunMessage.of(attempt), world.runs, world.telemetry, now=NOW)

    assert (only(world).state, only(world).reason) == (RunState.FAILED, Reason.WORKER_DIED)


def test_a_cancel_that_a_dead_worker_did_not_see_is_still_a_cancel() -> None:
    """In every mode."""
    world = World()
    world.execute([prepare(world, abandoned(ONCE, cancel_requested=True), delivery=ONCE)])

    assert only(world).reason is Reason.CANCEL_REQUESTED
