"""Job completion: the end of a job's last run is the end of the job."""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.jobs.job import JobStatus
from timegate.domain.planning.transitions import may_complete
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.surroundings import Telemetry
from timegate.ports.telemetry import run_events
from timegate.usecases.ledger.count_places import places_of


def complete_jobs(
    ended: Sequence[Attempt], jobs: JobStore, runs: RunStore, telemetry: Telemetry, *, now: datetime
) -> None:
    """Complete the jobs whose last run these attempts end.

    Conditional on the job being active with nothing left to fire: a job that was edited
    meanwhile has a new last run, and a replayed record changes nothing. A job with ``max_runs``
    completes when as many runs have begun and all have ended; its planner sees to it otherwise.
    """
    for attempt in ended:
        if attempt.completes_job and not _is_reopened(attempt, runs):
            job_id = attempt.id.run.job_id
            done = jobs.complete(attempt.tenant, job_id, now=now)
            done = done or _complete_full(attempt, jobs, runs, now)
            telemetry.event(
                run_events.JOB_COMPLETED, tenant_id=attempt.tenant, job_id=job_id, changed=done
            )


def _is_reopened(attempt: Attempt, runs: RunStore) -> bool:
    """Tell if a resumption reopened the run that a pause skipped: its next end counts."""
    if attempt.reason is not Reason.PAUSED:
        return False
    run, at = attempt.id.run, attempt.id.run.scheduled_at
    found = runs.history(attempt.tenant, run.job_id, start=at, end=at, limit=1)
    return bool(found) and found[0].id != attempt.id


def _complete_full(attempt: Attempt, jobs: JobStore, runs: RunStore, now: datetime) -> bool:
    try:
        timing = jobs.get(attempt.tenant, attempt.id.run.job_id).timing
    except (JobDamaged, JobNotFound):
        return False
    if timing.status is not JobStatus.ACTIVE or not timing.full:
        return False
    if not may_complete(timing, places_of(timing, runs)):
        return False
    return jobs.complete(timing.tenant, timing.job_id, now=now, read=timing)
