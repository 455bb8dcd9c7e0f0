"""Retries: a failed attempt is followed by a new one, or by an explanation."""

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime, timedelta
from enum import StrEnum
from zlib import crc32

from timegate.domain.jobs.rules.error_patterns import names_error
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.redaction import redact
from timegate.value_classes import dataclass

#: The longest a target may ask to be left alone. Its word is a header of any length, and may name
#: an instant that no date can hold.
MAX_RETRY_AFTER_SECONDS = 86_400.0
#: The most failures a breaker may wait for: so many instants ride in an attempt's record.
MAX_BREAKER_FAILURES = 10
#: The most failed runs in a row that a job may ask for: each such end reads as many runs.
MAX_FAILURES_IN_A_ROW = 1000
#: Errors that speak against the run itself: the target took the call and broke on it. An outage, a
#: throttle or a time-out says nothing about the run, and a retry may well find it passed.
POISON = ("function_error", "executor_error", "http_4xx", "http_5xx")
NOT_POISON = ("http_408", "http_425", "http_429", "http_502", "http_503", "http_504")


#: How the explanation of a failure begins to say when another attempt is due.
_NEXT_AT = ", next at "


class Backoff(StrEnum):
    """Growth of the delay from one attempt to the next."""

    FIXED = "fixed"
    EXPONENTIAL = "exponential"


class FailureKind(StrEnum):
    """Classes of failures: a retry can help, or cannot."""

    #: Timeouts, 5xx, 429, crashes, throttles.
    RETRYABLE = "retryable"
    #: The attempt outlived its timeout; retryable, and recorded as such.
    TIMEOUT = "timeout"
    #: 4xx, validation: the same request would fail again.
    PERMANENT = "permanent"


@dataclass(frozen=True, kw_only=True, slots=True)
class Breaker:
    """Gives a run up before its attempts are used, when it breaks its target again and again."""

    failures: int = 3
    #: From the first of so many failures to the last.
    window_seconds: float = 60.0


@dataclass(frozen=True, kw_only=True, slots=True)
class RetryPolicy:
    """Number of attempts of a run, and the delays between them."""

    max_attempts: int = 3
    backoff: Backoff = Backoff.EXPONENTIAL
    initial_delay_seconds: float = 1.0
    max_delay_seconds: float = 300.0
    #: Spread retries over the upper half of the delay, so that failures do not return in step.
    jitter: bool = True
    #: The delay before each retry in turn; the last one stands for those that follow. Empty:
    #: ``backoff`` computes them from the two limits above.
    delays_seconds: tuple[float, ...] = ()
    #: No retry starts later than so long after the nominal instant; ``None``: whenever.
    window_seconds: int | None = None
    #: ``None``: all attempts are used, however fast they fail.
    breaker: Breaker | None = field(default_factory=Breaker)
    #: Patterns of errors (``domain.error_patterns``) that are tried again although they count as
    #: permanent, and of those that are not although they count as retryable; the second wins.
    retry_on: tuple[str, ...] = ()
    give_up_on: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Failure:
    """A failure that a target or worker reported."""

    kind: FailureKind
    code: str
    type: str
    message: str
    #: The target asked to be left alone for so long (HTTP ``Retry-After``); a day at most.
    retry_after_seconds: float | None = None
    #: The cause may be mended already, and be known everywhere only so much later; ``None``: no.
    spreads_for_seconds: float | None = None

    @property
    def persists(self) -> bool:
        """Tell if a call that is repeated at once fails the same way."""
        return self.kind is FailureKind.PERMANENT or self.spreads_for_seconds is not None

    def __post_init__(self) -> None:
        """Redact credentials, as a failure is stored, sent and logged; bound what it asks for."""
        for name in ("code", "type", "message"):
            object.__setattr__(self, name, redact(getattr(self, name)))
        if self.retry_after_seconds is not None:
            heeded = min(self.retry_after_seconds, MAX_RETRY_AFTER_SECONDS)
            object.__setattr__(self, "retry_after_seconds", heeded)


@dataclass(frozen=True, kw_only=True, slots=True)
class Trial:
    """A failed attempt, as far as the decision about another one asks."""

    #: Counted from 1, which is the one that opened the run.
    number: int
    #: The run's nominal instant, or when it was to begin after it had been opened again.
    scheduled_at: datetime
    #: Fixes the jitter: deciding the same failure twice gives the same instant.
    seed: str
    #: When earlier attempts failed in a way that the breaker counts, latest last.
    failed_at: tuple[datetime, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Retry:
    """Try again, not before ``due_at``."""

    due_at: datetime
    explanation: str


class FailureCause(StrEnum):
    """Reasons against another attempt."""

    PERMANENT = "permanent"
    EXHAUSTED = "exhausted"
    BREAKER = "breaker"
    WINDOW = "window"
    AT_MOST_ONCE = "at_most_once"


@dataclass(frozen=True, kw_only=True, slots=True)
class GiveUp:
    """No further attempt."""

    cause: FailureCause
    explanation: str


def decide_retry(
    policy: RetryPolicy, trial: Trial, failure: Failure, *, now: datetime
) -> Retry | GiveUp:
    """Decide if a failed attempt is followed by another, and when."""
    counted = f"attempt {trial.number} of {policy.max_attempts}"
    if classify(policy, failure) is FailureKind.PERMANENT:
        return GiveUp(
            cause=FailureCause.PERMANENT, explanation=f"{failure.code} is not tried again"
        )
    if trial.number >= policy.max_attempts:
        return GiveUp(cause=FailureCause.EXHAUSTED, explanation=f"{counted}, none left")
    if policy.breaker is not None and _opens(policy.breaker, trial, failure, now):
        return GiveUp(
            cause=FailureCause.BREAKER,
            explanation=(
                f"{counted}, given up: {policy.breaker.failures} failures within"
                f" {policy.breaker.window_seconds:g} s"
            ),
        )
    asked, spreads = failure.retry_after_seconds or 0.0, failure.spreads_for_seconds or 0.0
    delay = max(delay_before(policy, trial.number, trial.seed), asked, spreads)
    due_at = now + timedelta(seconds=delay)
    if policy.window_seconds is not None and due_at > _closes_at(policy.window_seconds, trial):
        return GiveUp(
            cause=FailureCause.WINDOW,
            explanation=(
                f"{counted}, given up: the next would start at {rfc3339(due_at)}, more than"
                f" {policy.window_seconds} s after the run's instant"
            ),
        )
    why = ""
    if 0 < asked == delay:
        why = ", as its target asked (Retry-After)"
    elif 0 < spreads == delay:
        why = ", as a new right takes a while to be known everywhere"
    return Retry(due_at=due_at, explanation=f"{counted}{_NEXT_AT}{rfc3339(due_at)}{why}")


def explained_retry(explanation: str | None) -> datetime | None:
    """Return when the explanation of a failure says that another attempt is due, if it says so."""
    _, _, rest = (explanation or "").partition(_NEXT_AT)
    text, zone, _ = rest.partition("Z")
    return datetime.fromisoformat(f"{text}{zone}") if zone else None


def classify(policy: RetryPolicy, failure: Failure) -> FailureKind:
    """Classify a failure by the policy, and otherwise by its own kind."""
    if names_error(policy.give_up_on, failure.code, failure.type):
        return FailureKind.PERMANENT
    permanent = failure.kind is FailureKind.PERMANENT
    if permanent and names_error(policy.retry_on, failure.code, failure.type):
        return FailureKind.RETRYABLE
    return failure.kind


def is_poisonous(failure: Failure) -> bool:
    """Tell if the breaker counts it: the target broke on this very call and asked for no time."""
    if failure.retry_after_seconds is not None:
        return False
    named = names_error(POISON, failure.code, failure.type)
    return named and not names_error(NOT_POISON, failure.code, failure.type)


def failures_to_remember(
    failed_at: Sequence[datetime], failure: Failure, *, now: datetime
) -> tuple[datetime, ...]:
    """The instants that the next attempt carries, so that its own failure can be judged by them."""
    if not is_poisonous(failure):
        return tuple(failed_at)
    return (*failed_at, now)[-(MAX_BREAKER_FAILURES - 1) :]


def delay_before(policy: RetryPolicy, attempt: int, seed: str) -> float:
    """Seconds between the end of attempt ``attempt`` and the start of the next."""
    delay = longest_delay(policy, attempt)
    return delay * (0.5 + 0.5 * _fraction(seed)) if policy.jitter else delay


def longest_delay(policy: RetryPolicy, attempt: int) -> float:
    """Seconds that the policy waits at most after ``attempt``; a target may ask for more."""
    if policy.delays_seconds:
        return policy.delays_seconds[min(attempt, len(policy.delays_seconds)) - 1]
    delay = policy.initial_delay_seconds
    if policy.backoff is Backoff.EXPONENTIAL:
        # Bounded before raising: 2.0 ** 2000 is an OverflowError, not a large number.
        delay *= 2.0 ** min(attempt - 1, 64)
    return min(delay, policy.max_delay_seconds)


def _opens(breaker: Breaker, trial: Trial, failure: Failure, now: datetime) -> bool:
    """This failure is the last of so many, and the first of them was less than a window ago."""
    if not is_poisonous(failure):
        return False
    counted = (*trial.failed_at, now)
    if len(counted) < breaker.failures:
        return False
    return now - counted[-breaker.failures] < timedelta(seconds=breaker.window_seconds)


def _closes_at(window_seconds: int, trial: Trial) -> datetime:
    return trial.scheduled_at + timedelta(seconds=window_seconds)


def _fraction(seed: str) -> float:
    """A number in [0, 1) that depends on the seed alone."""
    return crc32(seed.encode()) / 2**32
