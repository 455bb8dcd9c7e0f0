"""Values of a run that fill the marks of its payload: the same at each call but its attempt."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from timegate.domain.jobs.job import Job
from timegate.domain.jobs.rules.mark_grammar import filled
from timegate.domain.recurrence.zones.zone_clock import load_zone
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import Filling
from timegate.domain.values.tenant import TenantId

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)


def filling_for(job: Job, attempt: AttemptId) -> Filling:
    """Return what an attempt at a run of a job fills marks with, if its payload has them."""
    marks = job.payload_marks
    zone = marks.timezone if marks is not None else None
    return Filling(
        attempt=attempt, job_name=job.name, timezone=zone or job.timing.schedule.zone_of_days
    )


def filled_for(filling: Filling, tenant: TenantId, document: str) -> str:
    """Return a payload, JSON, with the values of a run in the place of its marks."""
    return filled(document, mark_values(filling, tenant))


def mark_values(filling: Filling, tenant: TenantId) -> Mapping[str, str]:
    """Return the value of each mark.

    Days and months are those that the clock of the zone shows at the run's instant.
    """
    run = filling.attempt.run
    day = run.scheduled_at.astimezone(load_zone(filling.timezone)).date()
    return {
        "run.id": str(run),
        "run.attempt": str(filling.attempt.number),
        "run.scheduled_at": rfc3339(run.scheduled_at),
        "run.scheduled_epoch": str((run.scheduled_at - _EPOCH) // timedelta(seconds=1)),
        "job.id": run.job_id,
        "job.name": filling.job_name,
        "tenant": tenant,
        "date": day.isoformat(),
        "date.previous": (day - _DAY).isoformat(),
        "month": f"{day:%Y-%m}",
        "month.previous": f"{day.replace(day=1) - _DAY:%Y-%m}",
    }
