"""From when on a pool offers an attempt to its workers."""

from datetime import datetime

from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import look_limit


def offered_at(attempt: Attempt) -> datetime | None:
    """The instant from which a worker may claim the attempt; ``None``: it is not offered.

    A held attempt is offered when its lease expires. One that rests in a freeze is offered when
    the sweeper looks at it again: its watch instant is later than any lease allows.
    """
    if attempt.offer is None:
        return None
    if attempt.state is RunState.QUEUED:
        return attempt.due_at
    if attempt.state is not RunState.RUNNING or attempt.lease is None:
        return None
    expires_at, watch_at = attempt.lease.expires_at, attempt.watch_at
    rests = watch_at is not None and watch_at > look_limit(expires_at, returns=False)
    return watch_at if rests else expires_at
