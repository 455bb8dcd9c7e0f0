"""Retries: a failed attempt is followed by a new one, or by an explanation."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from zlib import crc32

#: The longest a target may ask to be left alone. Its word is a header of any length, and may name
#: an instant that no date can hold.
MAX_RETRY_AFTER_SECONDS = 86_400.0


class Backoff(StrEnum):
    """How the delay grows from one attempt to the next."""

    FIXED = "fixed"
    EXPONENTIAL = "exponential"


class FailureKind(StrEnum):
    """Whether trying again can help."""

    #: Timeouts, 5xx, 429, crashes, throttles.
    RETRYABLE = "retryable"
    #: The attempt outlived its timeout; retryable, and recorded as such.
    TIMEOUT = "timeout"
    #: 4xx, validation: the same request would fail again.
    PERMANENT = "permanent"


@dataclass(frozen=True, kw_only=True, slots=True)
class RetryPolicy:
    """How often and how patiently a run is tried."""

    max_attempts: int = 3
    backoff: Backoff = Backoff.EXPONENTIAL
    initial_delay_seconds: float = 1.0
    max_delay_seconds: float = 300.0
    #: Spread retries over the upper half of the delay, so that failures do not return in step.
    jitter: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """What a target or worker reported."""

    kind: FailureKind
    code: str
    type: str
    message: str
    #: The target asked to be left alone for so long (HTTP ``Retry-After``); heeded up to a day.
    retry_after_seconds: float | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Retry:
    """Try again, not before ``due_at``."""

    due_at: datetime
    explanation: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GiveUp:
    """No further attempt."""

    permanent: bool
    explanation: str


def decide_retry(
    policy: RetryPolicy, *, attempt: int, failure: Failure, now: datetime, seed: str
) -> Retry | GiveUp:
    """Whether attempt number ``attempt`` (from 1) is followed by another, and when.

    ``seed`` fixes the jitter: deciding the same failure twice gives the same instant.
    """
    if failure.kind is FailureKind.PERMANENT:
        return GiveUp(permanent=True, explanation=f"{failure.code} is not retried")
    if attempt >= policy.max_attempts:
        return GiveUp(permanent=False, explanation=f"attempt {attempt} of {policy.max_attempts}")
    asked = min(failure.retry_after_seconds or 0.0, MAX_RETRY_AFTER_SECONDS)
    delay = max(delay_before(policy, attempt, seed), asked)
    return Retry(
        due_at=now + timedelta(seconds=delay),
        explanation=f"attempt {attempt} of {policy.max_attempts}, next in {delay:.3f} s",
    )


def delay_before(policy: RetryPolicy, attempt: int, seed: str) -> float:
    """Seconds between the end of attempt ``attempt`` and the start of the next."""
    delay = policy.initial_delay_seconds
    if policy.backoff is Backoff.EXPONENTIAL:
        # Bounded before raising: 2.0 ** 2000 is an OverflowError, not a large number.
        delay *= 2.0 ** min(attempt - 1, 64)
    delay = min(delay, policy.max_delay_seconds)
    return delay * (0.5 + 0.5 * _fraction(seed)) if policy.jitter else delay


def _fraction(seed: str) -> float:
    """A number in [0, 1) that depends on the seed alone."""
    return crc32(seed.encode()) / 2**32
