"""Reading who changed what."""

from contextlib import suppress
from dataclasses import replace

from timegate.domain.tenants.audit_trail import AuditEntry, AuditFilter, ResourceKind
from timegate.domain.values.errors import JobDamaged
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.usecases.services.damage_report import tell_of_unreadable


def read_audit(
    tenant: TenantId,
    wanted: AuditFilter,
    services: ApiServices,
    *,
    limit: int,
    cursor: str | None,
) -> Page[AuditEntry]:
    """A page of a tenant's trail, latest first, as far back as the stage keeps entries.

    Raises ``JobNotFound`` for a job that the tenant does not have, and ``InvalidInput`` for a
    cursor that is none of this listing. Operators are told of records that cannot be read.
    """
    resource = wanted.resource
    if resource is not None and resource.kind is ResourceKind.JOB:
        # The trail of a damaged job says who changed it last.
        with suppress(JobDamaged):
            services.jobs.get(tenant, JobId(resource.id))
    # Entries of their own are forgotten by then; those in records of jobs stay as long as these.
    kept = services.clock.now() - services.trail.retention
    since = max(wanted.since or kept, kept)
    wanted = replace(wanted, since=since)
    page = services.audits.list_entries(tenant, wanted, limit=limit, cursor=cursor)
    unreadable = service_events.AUDIT_ENTRY_UNREADABLE
    tell_of_unreadable(unreadable, tenant, page.damaged, services.telemetry)
    return page
