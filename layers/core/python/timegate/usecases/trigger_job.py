"""Triggering: a run now, beside whatever the schedule says."""

from datetime import datetime, timedelta

from timegate.domain.errors import Conflict
from timegate.domain.identity import JobId, Origin
from timegate.domain.job import Job
from timegate.domain.plan import first_attempt
from timegate.domain.run import Attempt
from timegate.domain.tenant import TenantId
from timegate.usecases.change_job import refuse_cancelled
from timegate.usecases.relay_runs import relay_runs
from timegate.usecases.services import ApiServices

#: Triggers of one job within the same millisecond take the following ones.
MAX_TRIES = 5


def trigger_job(
    tenant: TenantId, job_id: JobId, services: ApiServices, *, now: datetime
) -> Attempt:
    """Create a run that is due at ``now`` and publish it; returns its first attempt.

    Paused and completed jobs can be triggered as well. Each call is a run of its own. Raises
    ``JobNotFound``, ``JobIsCancelled``, and ``Conflict`` when too many come at once.
    """
    job = services.jobs.get(tenant, job_id)
    refuse_cancelled(job)
    attempt = _insert(job, services, now)
    scheduling = services.scheduling
    # A refusal needs no handling: the sweeper publishes what nobody claimed.
    relay_runs(
        [attempt],
        scheduling.publisher,
        scheduling.telemetry,
        now=now,
        lead_seconds=scheduling.lead_seconds,
    )
    services.telemetry.event("job_triggered", tenant_id=tenant, run_id=str(attempt.id.run))
    return attempt


def _insert(job: Job, services: ApiServices, now: datetime) -> Attempt:
    for milliseconds in range(MAX_TRIES):
        instant = now + timedelta(milliseconds=milliseconds)
        attempt = first_attempt(job.timing, Origin.TRIGGER, instant, now=now)
        if all(services.runs.insert_all([attempt])):
            return attempt
    raise Conflict("This job is being triggered too often at the same instant; try again.")
