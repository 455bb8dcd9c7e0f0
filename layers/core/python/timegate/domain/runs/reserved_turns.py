"""The turns that attempts have under rate limits."""

from datetime import datetime

from timegate.domain.limits.rate_reservation import Pace
from timegate.domain.runs.run import Attempt, RunState

_NOT_BEGUN = frozenset({RunState.QUEUED, RunState.WAITING})


def wanted_at(attempt: Attempt) -> datetime:
    """Return the instant at which it was to begin, before any rate limit."""
    return attempt.pace.since if attempt.pace is not None else attempt.due_at


def late_since(attempt: Attempt) -> datetime:
    """Return the instant at which it was to begin, before anything held it back."""
    return attempt.lateness.since if attempt.lateness is not None else wanted_at(attempt)


def own_turn(attempt: Attempt) -> Pace | None:
    """The turn it waits for; ``None`` for one that has begun since, or waits for something else."""
    pace = current_pace(attempt)
    waits = attempt.state in _NOT_BEGUN and pace is not None and pace.turn_at == attempt.due_at
    return pace if waits else None


def current_pace(attempt: Attempt) -> Pace | None:
    """Return the rate limit's effect since the last claim."""
    pace = attempt.pace
    return pace if pace is not None and pace.fence == attempt.fence else None
