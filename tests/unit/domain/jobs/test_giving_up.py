"""A window, a breaker or a classification ends a run before its attempts are used."""

from datetime import UTC, datetime, timedelta

import pytest

from timegate.domain.jobs.retry import (
    Breaker,
    Failure,
    FailureCause,
    FailureKind,
    GiveUp,
    Retry,
    RetryPolicy,
    Trial,
    classify,
    decide_retry,
    failures_to_remember,
    is_poisonous,
)

NOW = datetime(2026, 11, 21, 7, tzinfo=UTC)
PATIENT = RetryPolicy(max_attempts=10, jitter=False, initial_delay_seconds=2)


def failure(
    code: str = "http_500",
    kind: FailureKind = FailureKind.RETRYABLE,
    error_type: str = "HttpStatus",
    retry_after: float | None = None,
) -> Failure:
    return Failure(
        kind=kind, code=code, type=error_type, message="", retry_after_seconds=retry_after
    )


def ago(*seconds: float) -> tuple[datetime, ...]:
    return tuple(NOW - timedelta(seconds=each) for each in seconds)


def decide(
    policy: RetryPolicy, what: Failure, *, failed_at: tuple[datetime, ...] = (), late: float = 0
) -> Retry | GiveUp:
    """About the third attempt at a run whose instant passed so long ago."""
    (scheduled_at,) = ago(late)
    trial = Trial(number=3, scheduled_at=scheduled_at, seed="seed", failed_at=failed_at)
    return decide_retry(policy, trial, what, now=NOW)


@pytest.mark.parametrize(
    ("failed_at", "opens"),
    [
        pytest.param(ago(59.999, 30), True, id="three within a minute"),
        pytest.param(ago(60, 30), False, id="a minute from the first to the last"),
        pytest.param(ago(30), False, id="only two"),
        pytest.param(ago(500, 400, 59, 1), True, id="the last three count"),
        pytest.param(ago(59, 58, 57, 61)[:1], False, id="one before"),
    ],
)
def test_the_breaker_opens_at_the_third_failure_in_under_a_minute(
    failed_at: tuple[datetime, ...], *, opens: bool
) -> None:
    """From the first of the three to the last, and not at the full minute."""
    decision = decide(PATIENT, failure(), failed_at=failed_at)

    assert (isinstance(decision, GiveUp) and decision.cause is FailureCause.BREAKER) is opens


@pytest.mark.parametrize(
    ("breaker", "opens"),
    [
        (None, False),
        (Breaker(failures=4), False),
        (Breaker(failures=2), True),
        (Breaker(window_seconds=20), False),
    ],
    ids=["off", "four", "two", "twenty seconds"],
)
def test_a_breaker_is_the_users_to_set(breaker: Breaker | None, *, opens: bool) -> None:
    """Or to switch off."""
    policy = RetryPolicy(max_attempts=10, breaker=breaker)

    assert isinstance(decide(policy, failure(), failed_at=ago(30, 10)), GiveUp) is opens


@pytest.mark.parametrize(
    ("what", "counts"),
    [
        (failure("http_500"), True),
        (failure("http_501"), True),
        (failure("http_409"), True),
        (failure("function_error", error_type="KeyError"), True),
        (failure("executor_error", error_type="KeyError"), True),
        (failure("http_503"), False),
        (failure("http_502"), False),
        (failure("http_504"), False),
        (failure("http_429"), False),
        (failure("http_500", retry_after=1.0), False),
        (failure("timeout", FailureKind.TIMEOUT), False),
        (failure("connection_failed"), False),
        (failure("lambda_unavailable"), False),
    ],
    ids=lambda value: value.code if isinstance(value, Failure) else str(value),
)
def test_what_the_breaker_counts(what: Failure, *, counts: bool) -> None:
    """The target broke on this call; an outage, a throttle or a time-out may simply pass."""
    assert is_poisonous(what) is counts
    assert isinstance(decide(PATIENT, what, failed_at=ago(2, 1)), GiveUp) is counts
    assert failures_to_remember(ago(2), what, now=NOW) == (ago(2, 0) if counts else ago(2))


def test_an_attempt_carries_no_more_instants_than_a_breaker_can_ask_for() -> None:
    """The largest waits for ten failures, and the tenth is the one that is judged."""
    many = ago(*range(50, 0, -1))

    assert failures_to_remember(many, failure(), now=NOW) == (*many[-8:], NOW)


@pytest.mark.parametrize(
    ("late", "gives_up"),
    [pytest.param(92, False, id="at its end"), pytest.param(92.001, True, id="after it")],
)
def test_no_retry_starts_after_the_window(late: float, *, gives_up: bool) -> None:
    """A hundred seconds after the nominal instant; this retry would start eight from now."""
    policy = RetryPolicy(max_attempts=10, jitter=False, initial_delay_seconds=2, window_seconds=100)
    decision = decide(policy, failure("http_503"), late=late)

    assert isinstance(decision, GiveUp) is gives_up
    if isinstance(decision, GiveUp):
        assert decision.cause is FailureCause.WINDOW


def test_a_target_that_asks_for_more_time_than_there_is_ends_the_run() -> None:
    """Its wish is heeded, so the retry would come too late."""
    policy = RetryPolicy(max_attempts=10, window_seconds=100)
    decision = decide(policy, failure("http_503", retry_after=101.0))

    assert isinstance(decision, GiveUp)
    assert decision.cause is FailureCause.WINDOW


@pytest.mark.parametrize(
    ("what", "expected"),
    [
        pytest.param(failure("http_409", FailureKind.PERMANENT), FailureKind.RETRYABLE, id="409"),
        pytest.param(failure("http_404", FailureKind.PERMANENT), FailureKind.PERMANENT, id="404"),
        pytest.param(failure("http_501"), FailureKind.PERMANENT, id="501"),
        pytest.param(failure("http_503"), FailureKind.RETRYABLE, id="503"),
        pytest.param(failure("timeout", FailureKind.TIMEOUT), FailureKind.PERMANENT, id="timeout"),
        pytest.param(failure("http_423", FailureKind.PERMANENT), FailureKind.PERMANENT, id="both"),
    ],
)
def test_a_policy_overrides_the_classification(what: Failure, expected: FailureKind) -> None:
    """Both ways; where both lists name an error, it is not tried again."""
    policy = RetryPolicy(
        retry_on=("http_409", "http_423"),
        give_up_on=("http_501", "timeout", "http_423"),
    )

    assert classify(policy, what) is expected


def test_a_timeout_that_is_tried_again_stays_a_timeout() -> None:
    """Naming it changes nothing: it is recorded as what it was."""
    policy = RetryPolicy(retry_on=("timeout",))

    assert classify(policy, failure("timeout", FailureKind.TIMEOUT)) is FailureKind.TIMEOUT
