"""A retry whose end arrived from the region before, and which did not arrive itself."""

from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.retry import RetryPolicy, delay_before, longest_delay
from timegate.domain.runs.conclusion import next_attempt
from timegate.domain.runs.run import Attempt, Reason

#: Retries of older instants are not looked for.
MOST_RETRIED = timedelta(days=7)


def retried_since(policy: RetryPolicy, timeout_seconds: float, *, until: datetime) -> datetime:
    """Return the first instant of which a retry may be made at ``until``, by its policy.

    A target that asks for longer pauses is left out.
    """
    tries = range(1, policy.max_attempts)
    seconds = sum(longest_delay(policy, each) + timeout_seconds for each in tries)
    if policy.window_seconds is not None:
        seconds = min(seconds, policy.window_seconds)
    return until - min(timedelta(seconds=seconds), MOST_RETRIED)


def asks_for_retry(attempt: Attempt) -> bool:
    """Tell if the end of a run's last attempt says that another one follows."""
    return attempt.reason is Reason.RETRIED and attempt.ended_at is not None


def lost_retry(ended: Attempt, policy: RetryPolicy, *, now: datetime) -> Attempt:
    """The attempt that an end asks for, as the region before made it: due when the policy says.

    So it is in doubt if it is due in that region's time. A target may have asked for a longer
    pause, which is not on record: the region before then began it later, or not in its time.
    """
    made_at = ended.ended_at or now
    due_at = made_at + timedelta(seconds=delay_before(policy, ended.tries, str(ended.id)))
    following = next_attempt(ended, due_at, now)
    return replace(following, created_at=made_at, failed_at=ended.failed_at)
