"""A run that another region may have begun ends here, for a person to decide about."""

from datetime import datetime

from timegate.domain.execution.notices import listening
from timegate.domain.jobs.job import Job
from timegate.domain.regions.doubt import fenced_off, is_in_doubt
from timegate.domain.runs.conclusion import end_unworked
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.ports.clock import Clock
from timegate.usecases.sweeping.carry_out_verdict import end_dead
from timegate.usecases.sweeping.sweeper_services import Sweeping


def leave_in_doubt(
    attempt: Attempt, job: Job | None, lost_until: datetime, sweeping: Sweeping, clock: Clock
) -> bool | None:
    """End the attempt as a dead letter; ``None``: it is in no doubt, ``False``: it changed."""
    if not is_in_doubt(attempt, lost_until):
        return None
    heard = listening(attempt, job)
    state, reason = RunState.DEAD_LETTERED, Reason.REGION_LOST
    dead = fenced_off(end_unworked(heard, state, now=clock.now(), reason=reason))
    return end_dead(attempt, dead, job, sweeping, clock)
