"""Retry decisions."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timegate.domain.jobs.retry import (
    Backoff,
    Failure,
    FailureCause,
    FailureKind,
    GiveUp,
    Retry,
    RetryPolicy,
    Trial,
    decide_retry,
    delay_before,
    explained_retry,
)

NOW = datetime(2026, 11, 21, 7, tzinfo=UTC)
STEADY = RetryPolicy(max_attempts=3, jitter=False, initial_delay_seconds=2, max_delay_seconds=60)
BROKEN = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="503")


def decide(policy: RetryPolicy, attempt: int, failure: Failure = BROKEN) -> Retry | GiveUp:
    """The decision about one failed attempt."""
    trial = Trial(number=attempt, scheduled_at=NOW, seed="seed")
    return decide_retry(policy, trial, failure, now=NOW)


@pytest.mark.parametrize(("attempt", "expected"), [(1, 2), (2, 4), (3, 8), (6, 60), (5000, 60)])
def test_exponential_delays_double_up_to_the_maximum(attempt: int, expected: float) -> None:
    """However many attempts came before."""
    assert expected == delay_before(STEADY, attempt, "seed")


def test_fixed_delays_stay_what_they_are() -> None:
    """The fifth wait is as long as the first."""
    policy = RetryPolicy(backoff=Backoff.FIXED, initial_delay_seconds=7, jitter=False)

    assert delay_before(policy, 1, "seed") == delay_before(policy, 5, "seed") == 7


@pytest.mark.parametrize(("attempt", "expected"), [(1, 10), (2, 60), (3, 5), (4, 5), (5000, 5)])
def test_listed_delays_are_waited_in_turn(attempt: int, expected: float) -> None:
    """They may shrink, and the last stands for all that follow; no maximum cuts them."""
    policy = RetryPolicy(delays_seconds=(10, 60, 5), max_delay_seconds=1, jitter=False)

    assert expected == delay_before(policy, attempt, "seed")


def test_jitter_spreads_listed_delays_as_others() -> None:
    """Over the upper half of each; without it, they are as they are written."""
    spread = RetryPolicy(delays_seconds=(3600,))
    delays = [delay_before(spread, 1, str(seed)) for seed in range(200)]

    assert 1800 <= min(delays) < 1900
    assert 3500 < max(delays) <= 3600


@given(attempt=st.integers(1, 100), seed=st.text(), initial=st.floats(0, 1e6))
def test_jitter_takes_at_most_half_of_the_delay(attempt: int, seed: str, initial: float) -> None:
    """A retry is never early by more than half, and never later than the policy allows."""
    policy = RetryPolicy(initial_delay_seconds=initial, max_delay_seconds=3600)
    steady = RetryPolicy(initial_delay_seconds=initial, max_delay_seconds=3600, jitter=False)
    full = delay_before(steady, attempt, seed)

    assert full / 2 <= delay_before(policy, attempt, seed) <= full


def test_the_same_failure_is_decided_the_same_way_twice() -> None:
    """A replayed decision names the same instant."""
    policy = RetryPolicy()

    assert decide(policy, 1) == decide(policy, 1)


@pytest.mark.parametrize(
    ("attempt", "gives_up"),
    [pytest.param(2, False, id="2 of 3"), pytest.param(3, True, id="3 of 3")],
)
def test_the_last_attempt_is_the_last(attempt: int, *, gives_up: bool) -> None:
    """max_attempts counts attempts, the first included."""
    assert gives_up is isinstance(decide(STEADY, attempt), GiveUp)


def test_a_permanent_failure_is_not_retried() -> None:
    """The same request would be refused again."""
    refused = Failure(kind=FailureKind.PERMANENT, code="http_404", type="HttpStatus", message="404")

    assert decide(STEADY, 1, refused) == GiveUp(
        cause=FailureCause.PERMANENT, explanation="http_404 is not tried again"
    )


@pytest.mark.parametrize(
    ("asked", "expected"),
    [pytest.param(30, 30, id="longer than the back-off"), pytest.param(1, 2, id="shorter")],
)
def test_a_target_that_asks_for_time_gets_it(asked: float, expected: float) -> None:
    """Retry-After lengthens the wait and never shortens it."""
    busy = Failure(
        kind=FailureKind.RETRYABLE,
        code="http_429",
        type="HttpStatus",
        message="429",
        retry_after_seconds=asked,
    )
    decision = decide(STEADY, 1, busy)

    assert isinstance(decision, Retry)
    assert decision.due_at == NOW + timedelta(seconds=expected)


def test_a_decision_explains_itself() -> None:
    """The stored and logged explanation is a sentence that a person reads."""
    assert decide(STEADY, 2).explanation == "attempt 2 of 3, next at 2026-11-21T07:00:04.000Z"
    assert decide(STEADY, 3).explanation == "attempt 3 of 3, none left"


@pytest.mark.parametrize(("initial", "expected"), [(1, 30), (29, 30), (31, 31)])
def test_a_right_that_may_be_spreading_is_given_time(initial: float, expected: float) -> None:
    """The policy's own delay holds where it is longer; no target is said to have asked for it."""
    policy = RetryPolicy(jitter=False, initial_delay_seconds=initial)
    refused = replace(BROKEN, code="lambda_refused", spreads_for_seconds=30)

    decided = decide(policy, 1, refused)

    assert isinstance(decided, Retry)
    assert decided.due_at == NOW + timedelta(seconds=expected)
    assert ("as a new right takes a while" in decided.explanation) == (expected == 30)
    assert "Retry-After" not in decided.explanation
    assert explained_retry(decided.explanation) == decided.due_at


def test_a_right_that_stays_missing_uses_the_attempts() -> None:
    """A job whose runs are to fail at once names the error in ``give_up_on``."""
    refused = replace(BROKEN, code="lambda_refused", type="AccessDenied", spreads_for_seconds=30)
    at_once = RetryPolicy(give_up_on=("lambda_refused/AccessDenied",))

    assert isinstance(decide(STEADY, 2, refused), Retry)
    last, given_up = decide(STEADY, 3, refused), decide(at_once, 1, refused)

    assert isinstance(last, GiveUp)
    assert last.cause is FailureCause.EXHAUSTED
    assert isinstance(given_up, GiveUp)
    assert given_up.cause is FailureCause.PERMANENT
