"""Completion of a job that is read first: it may have been changed, or stored after its run."""

from datetime import UTC, datetime

from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.ledger.gap_parts import answers_after
from timegate.domain.planning.last_run import awaits_last_run
from timegate.domain.planning.transitions import may_complete
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.domain.values.instants import MILLISECOND
from timegate.ports.stores import JobStore, RunStore
from timegate.usecases.ledger.count_places import places_of
from timegate.usecases.ledger.runs_on_record import runs_on_record

#: Runs read at once.
_PAGE = 500
_EVER = datetime.max.replace(tzinfo=UTC)


def complete_changed(attempt: Attempt, jobs: JobStore, runs: RunStore, now: datetime) -> bool:
    """Complete the job whose last run an attempt ends; ``False``: it is not active, or goes on."""
    job = _job_of(attempt, jobs, runs)
    if job is None or _is_stray(attempt, job):
        return False
    timing = job.timing
    if timing.status is not JobStatus.ACTIVE or timing.reopens:
        return False
    if not may_complete(timing, places_of(timing, runs)) or _awaits_another(timing, attempt, runs):
        return False
    return jobs.complete(timing.tenant, timing.job_id, now=now, read=timing)


def was_admitted(attempt: Attempt) -> bool:
    """Tell if a worker found the job of a run that may have been stored before it."""
    if attempt.fence > 0:
        return True
    # Few runs end before a worker held them.
    from timegate.domain.planning.untallied import founds  # noqa: PLC0415

    return not founds(attempt)


def _job_of(attempt: Attempt, jobs: JobStore, runs: RunStore) -> Job | None:
    """Read the job of an ended run; ``None``: there is none that can be read, or will ever be."""
    tenant, job_id = attempt.tenant, attempt.id.run.job_id
    try:
        return jobs.get(tenant, job_id)
    except JobDamaged:
        return None
    except JobNotFound:
        if was_admitted(attempt) or runs.bar_creation(tenant, job_id):
            return None
    # It has come meanwhile.
    return jobs.get(tenant, job_id)


def _is_stray(attempt: Attempt, job: Job) -> bool:
    from timegate.domain.planning.untallied import is_stray  # noqa: PLC0415 - few ends

    return is_stray(attempt, job)


def _awaits_another(timing: Timing, attempt: Attempt, runs: RunStore) -> bool:
    """Tell if the present schedule still awaits its last run; a first schedule has no other."""
    if timing.full or timing.anchored_at == timing.created_at:
        return False
    start = answers_after(timing) + MILLISECOND
    records = runs_on_record(timing, runs, start=start, end=_EVER, page_size=_PAGE)
    return awaits_last_run(timing, records, ended=attempt.id.run)
