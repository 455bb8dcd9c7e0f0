"""An attempt ends once, and its outcome decides whether a retry follows."""

from dataclasses import replace

import pytest

from tests.support.factories import NOW, after, attempt_factory, lease_factory, running
from timegate.domain.jobs.retry import (
    MAX_RETRY_AFTER_SECONDS,
    Backoff,
    Failure,
    FailureKind,
    RetryPolicy,
)
from timegate.domain.runs.conclusion import Conclusion, end, fail, next_attempt, succeed
from timegate.domain.runs.run import TERMINAL, Attempt, Reason, RunError, RunState

TWICE = RetryPolicy(max_attempts=2, initial_delay_seconds=10, jitter=False)
STARTED = after(-5)


def failure(kind: FailureKind, *, retry_after_seconds: float | None = None) -> Failure:
    return Failure(
        kind=kind,
        code="http_503",
        type="HttpStatus",
        message="busy",
        retry_after_seconds=retry_after_seconds,
    )


BROKEN = failure(FailureKind.RETRYABLE)


def failed(attempt: Attempt, why: Failure = BROKEN, policy: RetryPolicy = TWICE) -> Conclusion:
    return fail(attempt, why, policy, started_at=STARTED, now=NOW)


def numbered(number: int, **fields: object) -> Attempt:
    """That attempt of a run, held by a worker."""
    attempt = running()
    return replace(attempt, id=replace(attempt.id, number=number), **fields)  # type: ignore[arg-type]


def test_success_records_what_the_target_answered() -> None:
    """And ends the watch."""
    ended = succeed(running(), started_at=STARTED, now=NOW, result="200 OK")

    assert (ended.state, ended.reason, ended.error) == (RunState.SUCCEEDED, None, None)
    assert (ended.started_at, ended.ended_at, ended.watch_at) == (STARTED, NOW, None)
    assert ended.result == "200 OK"
    assert ended.ends_run


@pytest.mark.parametrize(
    ("kind", "number", "state", "reason"),
    [
        (FailureKind.RETRYABLE, 1, RunState.FAILED, Reason.RETRIED),
        (FailureKind.TIMEOUT, 1, RunState.TIMED_OUT, Reason.RETRIED),
        (FailureKind.PERMANENT, 1, RunState.FAILED, Reason.PERMANENT),
        (FailureKind.RETRYABLE, 2, RunState.DEAD_LETTERED, Reason.RETRIES_EXHAUSTED),
        (FailureKind.TIMEOUT, 2, RunState.DEAD_LETTERED, Reason.RETRIES_EXHAUSTED),
        (FailureKind.PERMANENT, 2, RunState.FAILED, Reason.PERMANENT),
    ],
    ids=str,
)
def test_a_failure_ends_the_attempt_and_says_why(
    kind: FailureKind, number: int, state: RunState, reason: Reason
) -> None:
    """A retry exists exactly when the reason says so."""
    conclusion = failed(numbered(number), failure(kind))
    ended = conclusion.ended

    assert (ended.state, ended.reason) == (state, reason)
    assert ended.error == RunError(code="http_503", type="HttpStatus", message="busy")
    assert (ended.started_at, ended.ended_at, ended.watch_at) == (STARTED, NOW, None)
    assert (conclusion.retry is not None) is (reason is Reason.RETRIED)
    assert ended.ends_run is (conclusion.retry is None)


def test_a_retry_is_a_fresh_record_of_the_same_run() -> None:
    """Only the fence is carried over from the failed attempt's lease, error and times."""
    before = numbered(1, job_version=7, final=True, direct=True)
    retry = failed(before).retry
    expected = attempt_factory(
        id=before.id.next(),
        job_version=7,
        final=True,
        due_at=after(10),
        created_at=NOW,
        fence=1,
        fenced_from=1,
    )

    assert retry == expected


def test_the_fence_goes_on_where_the_last_attempt_left_it() -> None:
    """A target compares fences under one idempotency key: the run's, whatever the attempt."""
    taken_over = running(lease=lease_factory(fence=3))
    retry = failed(taken_over).retry

    assert retry is not None
    assert (retry.fence, retry.leases) == (3, 0)
    assert running(retry, lease=lease_factory(fence=4)).leases == 1


@pytest.mark.parametrize(
    ("seconds", "state"),
    [(900, RunState.QUEUED), (900.001, RunState.WAITING)],
    ids=["within a queue's reach", "beyond it"],
)
def test_a_patient_retry_waits_in_the_table(seconds: float, state: RunState) -> None:
    """A retry that no queue can hold is stored waiting, like any other attempt."""
    retry = next_attempt(running(), after(seconds), NOW)

    assert (retry.state, retry.due_at) == (state, after(seconds))
    assert retry.watch_at == (after(seconds + 60) if state is RunState.QUEUED else after(300.001))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (10.0, 10.0),
        (3600.0, 3600.0),
        (MAX_RETRY_AFTER_SECONDS, MAX_RETRY_AFTER_SECONDS),
        (MAX_RETRY_AFTER_SECONDS + 1, MAX_RETRY_AFTER_SECONDS),
        (1e300, MAX_RETRY_AFTER_SECONDS),
        (float("inf"), MAX_RETRY_AFTER_SECONDS),
    ],
    ids=str,
)
def test_a_target_is_left_alone_for_a_day_at_most(asked: float, expected: float) -> None:
    """However long it asks for: a header is no reason to lose a run, or to fail recording it."""
    busy = failure(FailureKind.RETRYABLE, retry_after_seconds=asked)
    retry = failed(running(), busy).retry

    assert retry is not None
    assert retry.due_at == after(expected)


@pytest.mark.parametrize("kind", [FailureKind.RETRYABLE, FailureKind.TIMEOUT], ids=str)
def test_a_cancelled_run_is_not_tried_again(kind: FailureKind) -> None:
    """The cancel came while it worked, and its attempt failed before the worker saw it."""
    conclusion = failed(running(attempt_factory(cancel_requested=True)), failure(kind))

    assert conclusion.retry is None
    assert (conclusion.ended.state, conclusion.ended.reason) == (
        RunState.CANCELLED,
        Reason.CANCEL_REQUESTED,
    )
    assert conclusion.ended.error is not None
    assert conclusion.explanation == "not tried again: a cancel was requested"


@pytest.mark.parametrize(
    ("kind", "number", "state"),
    [
        (FailureKind.PERMANENT, 1, RunState.FAILED),
        (FailureKind.RETRYABLE, 2, RunState.DEAD_LETTERED),
    ],
    ids=str,
)
def test_a_failure_that_was_the_last_word_stays_it(
    kind: FailureKind, number: int, state: RunState
) -> None:
    """A cancel changes nothing where no retry would have followed."""
    assert failed(numbered(number, cancel_requested=True), failure(kind)).ended.state is state


@pytest.mark.parametrize("state", sorted(TERMINAL), ids=str)
def test_what_has_ended_never_ends_again(state: RunState) -> None:
    """A programming error, never a user's."""
    ended = attempt_factory(state=state, watch_at=None)

    with pytest.raises(ValueError, match=f"cannot go from {state}"):
        end(ended, RunState.CANCELLED, now=NOW)


def test_what_is_only_queued_cannot_succeed() -> None:
    """A worker must have leased it."""
    with pytest.raises(ValueError, match="cannot go from queued to succeeded"):
        succeed(attempt_factory(), started_at=STARTED, now=NOW, result="")


def test_an_attempt_keeps_why_it_was_its_last_or_not() -> None:
    """A person reads there what was decided, and the numbers it was decided by."""
    first, last = failed(numbered(1)), failed(numbered(2))

    assert first.ended.explanation == "attempt 1 of 2, next at 2026-11-21T07:00:10.000Z"
    assert last.ended.explanation == "attempt 2 of 2, none left"


POISONED = Failure(kind=FailureKind.RETRYABLE, code="http_500", type="HttpStatus", message="no")
PATIENT = RetryPolicy(max_attempts=10, initial_delay_seconds=5, backoff=Backoff.FIXED, jitter=False)


def test_three_quick_failures_open_the_breaker() -> None:
    """The instants of the first two ride in the records of the attempts after them."""
    now, attempt, seen = NOW, attempt_factory(), []
    while True:
        concluded = fail(running(attempt), POISONED, PATIENT, started_at=now, now=now)
        seen.append(concluded.ended)
        if concluded.retry is None:
            break
        attempt, now = concluded.retry, concluded.retry.due_at

    assert [ended.failed_at for ended in seen] == [(), (NOW,), (NOW, after(5))]
    assert (seen[-1].state, seen[-1].reason) == (RunState.DEAD_LETTERED, Reason.BREAKER_OPENED)
    assert seen[-1].explanation == "attempt 3 of 10, given up: 3 failures within 60 s"


def test_a_closed_window_is_on_record() -> None:
    """With the instant at which the next attempt would have started."""
    policy = RetryPolicy(window_seconds=60, initial_delay_seconds=60.001, jitter=False)
    concluded = failed(numbered(1), BROKEN, policy)
    expected = (
        "attempt 1 of 3, given up: the next would start at 2026-11-21T07:01:00.001Z, more than"
        " 60 s after the run's instant"
    )

    assert concluded.retry is None
    assert concluded.ended.state is RunState.DEAD_LETTERED
    assert concluded.ended.reason is Reason.RETRY_WINDOW_CLOSED
    assert concluded.ended.explanation == expected


def test_concluding_twice_is_concluding_once() -> None:
    """The same failure of the same attempt gives the same retry, jitter included."""
    policy = RetryPolicy()
    attempt = running(lease=lease_factory(owner="worker-1"))

    assert failed(attempt, BROKEN, policy) == failed(attempt, BROKEN, policy)
