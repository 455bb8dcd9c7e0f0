"""A run that another region may have begun, or whose job it kept, ends for a person to decide."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.notices import listening
from timegate.domain.jobs.job import Job
from timegate.domain.regions.doubt import LACKS_JOB, fenced_off, is_in_doubt, may_lack_its_job
from timegate.domain.runs.conclusion import end_unworked
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.ports.clock import Clock
from timegate.usecases.sweeping.carry_out_verdict import end_dead
from timegate.usecases.sweeping.sweeper_services import Sweeping


def leave_in_doubt(
    attempt: Attempt, job: Job | None, lost_until: datetime, sweeping: Sweeping, clock: Clock
) -> bool | None:
    """End the attempt as a dead letter; ``None``: it is in no doubt, ``False``: it changed."""
    may_have_begun = is_in_doubt(attempt, lost_until)
    if not may_have_begun and (job is not None or not may_lack_its_job(attempt, lost_until)):
        return None
    heard = listening(attempt, job)
    state, reason = RunState.DEAD_LETTERED, Reason.REGION_LOST
    dead = fenced_off(end_unworked(heard, state, now=clock.now(), reason=reason))
    if not may_have_begun:
        dead = replace(dead, explanation=LACKS_JOB)
    return end_dead(attempt, dead, job, sweeping, clock)
