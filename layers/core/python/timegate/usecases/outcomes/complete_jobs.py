"""Job completion: the end of a job's last run is the end of the job."""

from collections.abc import Sequence
from datetime import UTC, datetime

from timegate.domain.jobs.job import FIRST_VERSION, Job, JobStatus, Timing
from timegate.domain.ledger.gap_parts import answers_after
from timegate.domain.planning.last_run import awaits_last_run
from timegate.domain.planning.transitions import may_complete
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.ledger.count_places import places_of
from timegate.usecases.ledger.runs_on_record import runs_on_record

#: Runs read at once.
_PAGE = 500
_EVER = datetime.max.replace(tzinfo=UTC)


def complete_jobs(
    ended: Sequence[Attempt], jobs: JobStore, runs: RunStore, telemetry: Telemetry, *, now: datetime
) -> None:
    """Complete the jobs whose last run these attempts end.

    Conditional on the job being active with nothing left to fire: a replayed record changes
    nothing. One that was changed is read first: an edit gives it a new last run, which may still
    wait. So is one whose run was perhaps stored before it, and which no worker began: a creator may
    not store the job after this end. A job with ``max_runs`` completes when as many runs have begun
    and all have ended; its planner sees to it otherwise.
    """
    last = [each for each in ended if each.completes_job and not _is_reopened(each, runs)]
    first = [each for each in last if each.job_version == FIRST_VERSION and _was_admitted(each)]
    completed = _complete_first(first, jobs, now)
    for attempt in last:
        done = completed.get(id(attempt)) or complete_changed(attempt, jobs, runs, now)
        telemetry.event(
            run_events.JOB_COMPLETED,
            tenant_id=attempt.tenant,
            job_id=attempt.id.run.job_id,
            changed=done,
        )


def _complete_first(ended: Sequence[Attempt], jobs: JobStore, now: datetime) -> dict[int, bool]:
    """Complete jobs of version 1, those that a tally counts apart; tell by attempt of whom."""
    counted = [each for each in ended if not each.untallied]
    others = [each for each in ended if each.untallied]
    done = jobs.complete_all([_owner(each) for each in counted], now=now)
    done += jobs.complete_all([_owner(each) for each in others], now=now, tallied=False)
    return dict(zip(map(id, [*counted, *others]), done, strict=True))


def _was_admitted(attempt: Attempt) -> bool:
    """Tell if a worker found the job of a run that may have been stored before it."""
    if attempt.fence > 0:
        return True
    # Few runs end before a worker held them.
    from timegate.domain.planning.untallied import founds  # noqa: PLC0415

    return not founds(attempt)


def _is_stray(attempt: Attempt, job: Job) -> bool:
    from timegate.domain.planning.untallied import is_stray  # noqa: PLC0415 - few ends

    return is_stray(attempt, job)


def _owner(attempt: Attempt) -> tuple[TenantId, JobId]:
    return attempt.tenant, attempt.id.run.job_id


def _is_reopened(attempt: Attempt, runs: RunStore) -> bool:
    """Tell if a resumption reopened the run that a pause skipped: its next end counts."""
    if attempt.reason is not Reason.PAUSED:
        return False
    run, at = attempt.id.run, attempt.id.run.scheduled_at
    found = runs.history(attempt.tenant, run.job_id, start=at, end=at, limit=1)
    return bool(found) and found[0].id != attempt.id


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


def _job_of(attempt: Attempt, jobs: JobStore, runs: RunStore) -> Job | None:
    """Read the job of an ended run; ``None``: there is none that can be read, or will ever be."""
    tenant, job_id = attempt.tenant, attempt.id.run.job_id
    try:
        return jobs.get(tenant, job_id)
    except JobDamaged:
        return None
    except JobNotFound:
        if _was_admitted(attempt) or runs.bar_creation(tenant, job_id):
            return None
    # It has come meanwhile.
    return jobs.get(tenant, job_id)


def _awaits_another(timing: Timing, attempt: Attempt, runs: RunStore) -> bool:
    """Tell if the present schedule still awaits its last run; a first schedule has no other."""
    if timing.full or timing.anchored_at == timing.created_at:
        return False
    start = answers_after(timing) + MILLISECOND
    records = runs_on_record(timing, runs, start=start, end=_EVER, page_size=_PAGE)
    return awaits_last_run(timing, records, ended=attempt.id.run)
