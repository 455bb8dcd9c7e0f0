"""An ended run is tried again as a new attempt; what ended stays as it is."""

from dataclasses import replace
from datetime import datetime

import pytest

from tests.support.factories import NOW, after, attempt_factory, attempt_id, running, timing_factory
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.planning.reopen import reopened
from timegate.domain.runs.conclusion import end, fail, next_attempt
from timegate.domain.runs.run import TERMINAL, Attempt, Reason, RunState
from timegate.domain.values.errors import RunIsUnfinished
from timegate.domain.values.identity import OperationId

OPERATION = OperationId("an operation")
BROKEN = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="Status", message="busy")


def ended(state: RunState = RunState.DEAD_LETTERED, **fields: object) -> Attempt:
    """The third attempt, which was the last."""
    last = attempt_factory(
        id=attempt_id(3), state=state, ended_at=NOW, watch_at=None, fence=2, final=True
    )
    return replace(last, **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize("state", sorted(TERMINAL), ids=str)
def test_any_ended_run_is_opened_again(state: RunState) -> None:
    """The next attempt is due now under the present job; its end completes no job."""
    timing = timing_factory(version=7, priority=Priority.HIGH)
    again = reopened(ended(state), timing, now=after(60), operation=OPERATION)

    assert again.id == attempt_id(4)
    assert (again.state, again.due_at, again.created_at) == (RunState.QUEUED, after(60), after(60))
    assert (again.job_version, again.priority) == (7, Priority.HIGH)
    assert (again.fence, again.leases) == (2, 0)
    assert (again.lease, again.ended_at, again.final) == (None, None, False)
    assert again.operation == OPERATION
    assert again.watch_at is not None


@pytest.mark.parametrize(
    "last",
    [
        attempt_factory(),
        attempt_factory(due_at=after(1000), state=RunState.WAITING),
        running(),
        ended(RunState.FAILED, reason=Reason.RETRIED),
    ],
    ids=["queued", "waiting", "running", "a retry follows"],
)
def test_a_run_that_goes_on_is_not_opened_again(last: Attempt) -> None:
    """A second attempt would run beside it."""
    with pytest.raises(RunIsUnfinished, match="has not ended yet"):
        reopened(last, timing_factory(), now=NOW)


@pytest.mark.parametrize(
    ("due_at", "state", "direct"),
    [
        (after(0), RunState.QUEUED, True),
        (after(2), RunState.QUEUED, True),
        (after(2.001), RunState.QUEUED, False),
        (after(900), RunState.QUEUED, False),
        (after(900.001), RunState.WAITING, False),
    ],
    ids=["now", "2 s", "more than 2 s", "as far as queues reach", "farther"],
)
def test_the_gate_decides_how_it_waits(due_at: datetime, state: RunState, *, direct: bool) -> None:
    """It waits like any new attempt; the process that opens it publishes what is due at once."""
    again = reopened(ended(), timing_factory(), now=NOW, due_at=due_at)
    followed = reopened(ended(), timing_factory(), now=NOW, due_at=due_at, operation=OPERATION)

    assert (again.state, again.direct) == (state, direct)
    assert (followed.state, followed.direct) == (state, False)


def test_it_has_the_whole_retry_policy_before_it() -> None:
    """Tries, and the time for them, count from the attempt that opened it, be it days later."""
    twice = RetryPolicy(max_attempts=2, initial_delay_seconds=10, jitter=False, window_seconds=20)
    begun = replace(ended(), id=attempt_id(3, scheduled_at=after(-86_400)))
    first = running(reopened(begun, timing_factory(), now=NOW, operation=OPERATION))
    failed = fail(first, BROKEN, twice, started_at=NOW, now=NOW)
    assert failed.retry is not None
    last = fail(running(failed.retry), BROKEN, twice, started_at=NOW, now=NOW)

    assert (failed.ended.state, failed.ended.reason) == (RunState.FAILED, Reason.RETRIED)
    assert (failed.retry.id, failed.retry.tries) == (attempt_id(5, scheduled_at=after(-86_400)), 2)
    assert failed.retry.operation == OPERATION
    assert (last.ended.state, last.retry) == (RunState.DEAD_LETTERED, None)


def test_its_end_is_followed_by_the_operation_alone() -> None:
    """No job is completed; an attempt that is retried is not the end."""
    opened = running(reopened(ended(), timing_factory(), now=NOW, operation=OPERATION))
    done = end(opened, RunState.SUCCEEDED, now=NOW)
    retried = end(opened, RunState.FAILED, now=NOW, reason=Reason.RETRIED)

    assert (done.is_followed, done.completes_job) == (True, False)
    assert (retried.is_followed, opened.is_followed) == (False, False)
    assert next_attempt(opened, after(5), NOW).operation == OPERATION
