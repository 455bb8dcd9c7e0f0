"""Offers that a claim would end: the sweeper ends them, for no worker may ever claim them."""

from datetime import datetime

from timegate.domain.execution.admission import Refuse, refused_by_job, superseded
from timegate.domain.execution.long_run import gone_on_too_long
from timegate.domain.execution.notices import listening
from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.usecases.limits.overlap_releases import leave_line
from timegate.usecases.limits.refuse_run import refuse_run
from timegate.usecases.sweeping.sweeper_services import Sweeping


def end_unwanted_offer(
    attempt: Attempt, job: Job | None, sweeping: Sweeping, *, now: datetime
) -> bool | None:
    """End an offer as a claim would: a caller or its job asks for no run, or it went on too long.

    The offer of a paused job stays: a worker may come after the pause. ``None``: the offer stays,
    ``False``: another writer was faster. Raises ``Throttled``.
    """
    if attempt.state is not RunState.QUEUED:
        return None
    refusal = _refusal(attempt, job, now)
    if refusal is None or refusal.reason is Reason.PAUSED:
        return None
    recorded = refuse_run(listening(attempt, job), refusal, sweeping, now=now)
    if job is not None:
        leave_line(attempt, job, sweeping, now=now)
    return recorded


def _refusal(attempt: Attempt, job: Job | None, now: datetime) -> Refuse | None:
    if attempt.cancel_requested:
        # Its worker died before it saw the request.
        return Refuse(state=RunState.CANCELLED, reason=Reason.CANCEL_REQUESTED)
    if job is None:
        return superseded(attempt)
    too_long = gone_on_too_long(attempt, job.slices_allowed, now=now)
    dead = Refuse(state=RunState.DEAD_LETTERED, reason=too_long) if too_long is not None else None
    return refused_by_job(job.timing, attempt) or dead
