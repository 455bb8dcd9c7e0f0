"""A retry whose end arrived from the region before, and which did not arrive itself."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.retry import (
    MAX_RETRY_AFTER_SECONDS,
    RetryPolicy,
    delay_before,
    explained_retry,
    longest_delay,
)
from timegate.domain.runs.conclusion import next_attempt
from timegate.domain.runs.run import Attempt, Reason

#: Retries of older instants are not looked for.
MOST_RETRIED = timedelta(days=7)


def retried_since(policy: RetryPolicy, timeout_seconds: float, *, until: datetime) -> datetime:
    """Return the first instant of which a retry may be made at ``until``, by its policy.

    Before the last retry a target may have asked for one pause of up to a day.
    """
    tries = range(1, policy.max_attempts)
    seconds = sum(longest_delay(policy, each) + timeout_seconds for each in tries)
    if len(tries) > 1:
        seconds += MAX_RETRY_AFTER_SECONDS
    if policy.window_seconds is not None:
        seconds = min(seconds, policy.window_seconds)
    return until - min(timedelta(seconds=seconds), MOST_RETRIED)


def asks_for_retry(attempt: Attempt) -> bool:
    """Tell if the end of a run's last attempt says that another one follows."""
    return attempt.reason is Reason.RETRIED and attempt.ended_at is not None


def lost_retry(ended: Attempt, policy: RetryPolicy, *, now: datetime) -> Attempt:
    """The attempt that an end asks for, as the region before made it: due when the end says.

    So it is in doubt if it is due in that region's time. The policy says it of an end that has no
    explanation.
    """
    made_at = ended.ended_at or now
    delay = timedelta(seconds=delay_before(policy, ended.tries, str(ended.id)))
    due_at = explained_retry(ended.explanation) or made_at + delay
    following = next_attempt(ended, due_at, now)
    return replace(following, created_at=made_at, failed_at=ended.failed_at)
