"""Changes of jobs as events: told by entries of the audit trail, and by the end of a last run."""

from datetime import datetime

from timegate.domain.cloud_events.cloud_event import CloudEvent, without_none
from timegate.domain.cloud_events.event_types import (
    JOB_CHANGES,
    JOB_COMPLETED,
    JOB_CREATED,
    JOB_UPDATED,
    EventType,
)
from timegate.domain.jobs.job import JobStatus
from timegate.domain.tenants.audit_trail import AuditEntry, FieldChange, ResourceKind
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId


def job_change(entry: AuditEntry) -> CloudEvent | None:
    """Return the event of an entry of the audit trail; ``None``: it is of no job."""
    if entry.resource.kind is not ResourceKind.JOB or entry.version is None:
        return None
    status = next((each for each in entry.changes if each.field == "status"), None)
    kind = _type_of(status)
    return CloudEvent(
        tenant=entry.tenant,
        type=kind,
        subject=f"jobs/{entry.resource.id}",
        time=entry.stamp.at,
        data=without_none(
            job_id=entry.resource.id,
            version=entry.version,
            status=status.after if status is not None else None,
            changed_fields=[each.field for each in entry.changes] if kind is JOB_UPDATED else None,
            operation=entry.stamp.operation,
        ),
        # A completed job is told of by its record as well, which knows its version alone; for the
        # others the entry's own key: a request that is repeated leaves one entry.
        occurrence=str(entry.version) if kind is JOB_COMPLETED else entry.position,
    )


def job_completed(
    tenant: TenantId, job_id: JobId, version: int, *, written_at: datetime
) -> CloudEvent:
    """Return the event of a job that has completed; its record may be written again."""
    return CloudEvent(
        tenant=tenant,
        type=JOB_COMPLETED,
        subject=f"jobs/{job_id}",
        time=written_at,
        data={"job_id": job_id, "version": version, "status": JobStatus.COMPLETED.value},
        occurrence=str(version),
    )


def _type_of(status: FieldChange | None) -> EventType:
    if status is None:
        return JOB_UPDATED
    if status.before is None:
        return JOB_CREATED
    if status.before == JobStatus.COMPLETED:
        # Another schedule has revived it.
        return JOB_UPDATED
    return JOB_CHANGES[JobStatus(status.after)]
