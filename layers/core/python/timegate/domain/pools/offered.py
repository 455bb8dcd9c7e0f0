"""The instant from which a pool offers an attempt to its workers, and the pool that ought to."""

from datetime import datetime

from timegate.domain.jobs.job import Job
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


def is_offered_elsewhere(attempt: Attempt, job: Job | None) -> bool:
    """Tell if an offered attempt belongs into another pool, or a queue, as its job is now.

    A run follows its job there, as it follows an edit of the job's target. One that is in a queue
    may be there to ask its job's condition: the executor that receives it decides.
    """
    return attempt.offer is not None and job is not None and job.timing.offer != attempt.offer
