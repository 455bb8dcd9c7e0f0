"""Offers that their job refuses: the sweeper ends them, for no worker may ever claim them."""

from datetime import datetime

from timegate.domain.execution.admission import refused_by_job, superseded
from timegate.domain.execution.notices import listening
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.usecases.limits.overlap_releases import leave_line
from timegate.usecases.limits.refuse_run import refuse_run
from timegate.usecases.sweeping.sweeper_services import Sweeping


def end_unwanted_offer(
    attempt: Attempt, job: Job | None, sweeping: Sweeping, *, now: datetime
) -> bool | None:
    """End an offer whose job is cancelled, or has another schedule, as a claim would.

    The offer of a paused job stays: a worker may come after the pause. ``None``: the offer stays,
    ``False``: another writer was faster. Raises ``Throttled``.
    """
    if attempt.state is not RunState.QUEUED:
        return None
    refusal = refused_by_job(job.timing, attempt) if job is not None else superseded(attempt)
    if refusal is None or refusal.reason is Reason.PAUSED:
        return None
    recorded = refuse_run(listening(attempt, job), refusal, sweeping, now=now)
    if job is not None:
        leave_line(attempt, job, sweeping, now=now)
    return recorded
