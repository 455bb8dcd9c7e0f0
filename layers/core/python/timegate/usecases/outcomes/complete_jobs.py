"""Job completion: the end of a job's last run is the end of the job."""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.jobs.job import FIRST_VERSION
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.usecases.planning.complete_changed import complete_changed, was_admitted


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
    first = [each for each in last if each.job_version == FIRST_VERSION and was_admitted(each)]
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


def _owner(attempt: Attempt) -> tuple[TenantId, JobId]:
    return attempt.tenant, attempt.id.run.job_id


def _is_reopened(attempt: Attempt, runs: RunStore) -> bool:
    """Tell if a resumption reopened the run that a pause skipped: its next end counts."""
    if attempt.reason is not Reason.PAUSED:
        return False
    run, at = attempt.id.run, attempt.id.run.scheduled_at
    found = runs.history(attempt.tenant, run.job_id, start=at, end=at, limit=1)
    return bool(found) and found[0].id != attempt.id
