"""Runs that the pause of their pool held up: their records say so."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.admission import Refuse
from timegate.domain.pools.pause import PoolPause, explain_pause, held_up
from timegate.domain.runs.run import Attempt, Reason

#: Ends of runs whose time has passed.
_OF_TIME = frozenset({Reason.EXPIRED, Reason.LATE})


def with_pause(
    refusal: Refuse, attempt: Attempt, pause: PoolPause | None, *, now: datetime
) -> Refuse:
    """Return the refusal of a run whose time passed, with the pause for which it waited."""
    if refusal.explanation is not None or refusal.reason not in _OF_TIME:
        return refusal
    return replace(refusal, explanation=why_late(attempt, pause, now=now))


def why_late(attempt: Attempt, pause: PoolPause | None, *, now: datetime) -> str | None:
    """Tell the last pause of the run's pool, if the run waited for it; else ``None``."""
    found = held_up(pause, attempt.due_at, now=now) if attempt.offer is not None else None
    return None if found is None else explain_pause(found, verb="was")
