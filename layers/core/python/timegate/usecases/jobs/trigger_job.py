"""Triggering: a run now, beside whatever the schedule says."""

from datetime import datetime

from timegate.domain.execution.day_quota import DayIsFull, day_quota
from timegate.domain.planning.plan import first_attempt
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import JobId, Origin
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.usecases.dispatch.publish_created import publish_created
from timegate.usecases.jobs.change_job import refuse_cancelled
from timegate.usecases.limits.quota_refusals import refusals_told
from timegate.usecases.services.api_services import ApiServices


def trigger_job(
    tenant: TenantId, job_id: JobId, services: ApiServices, *, now: datetime
) -> Attempt:
    """Create a run that is due at ``now`` and publish it; returns its first attempt.

    Paused and completed jobs can be triggered as well. Triggers of one job within the same
    millisecond are one run: an insert whose answer was lost meets itself and not a stranger.
    Raises ``JobNotFound``, ``JobIsCancelled``, and ``DayIsFull`` where it would not begin today.
    """
    job = services.jobs.get(tenant, job_id)
    refuse_cancelled(job)
    _refuse_beyond_day(tenant, services, now)
    attempt = first_attempt(job.timing, Origin.TRIGGER, now, now=now)
    services.runs.insert_all([attempt])
    # A duplicate needs no handling: publishing twice is harmless.
    publish_created([attempt], services.scheduling, now=now)
    services.telemetry.event(
        service_events.JOB_TRIGGERED, tenant_id=tenant, run_id=str(attempt.id.run)
    )
    return attempt


def _refuse_beyond_day(tenant: TenantId, services: ApiServices, now: datetime) -> None:
    """Refuse at once a run beyond the day's quota; claims decide about the last places."""
    quota = day_quota(services.tenants_at_hand.quotas(tenant, now=now), now)
    if quota is None:
        return
    used = services.runs.begun(tenant, quota.day)
    with refusals_told(tenant, services.telemetry):
        if used >= quota.limit:
            raise DayIsFull(limit=quota.limit, used=used, now=now)
