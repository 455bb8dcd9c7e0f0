"""The client's operations on the audit trail."""

from timegate.client.calling import PageCall, job_path, page, segment
from timegate.client.operation import listing
from timegate.client.schemas import AuditPage, AuditRecord
from timegate.client.sending import Calls


class AuditCalls(Calls):
    """The client's operations on the audit trail."""

    @listing
    def read_audit(
        self,
        *,
        resource: str | None = None,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[AuditPage, AuditRecord]:
        """A page of what was changed, latest first; instants as RFC 3339."""
        span = {"since": since, "until": until, "limit": limit, "cursor": cursor}
        return page("/v1/audit", {"resource": resource, "actor": actor, **span})

    @listing
    def read_tenant_audit(
        self,
        tenant: str,
        *,
        resource: str | None = None,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[AuditPage, AuditRecord]:
        """The same of any tenant's; takes the scope of the stage's administration."""
        span = {"since": since, "until": until, "limit": limit, "cursor": cursor}
        path = f"/v1/tenants/{segment(tenant)}/audit"
        return page(path, {"resource": resource, "actor": actor, **span})

    @listing
    def read_job_audit(
        self,
        job_id: str,
        *,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[AuditPage, AuditRecord]:
        """A page of what was changed of a job, latest first; instants as RFC 3339."""
        span = {"since": since, "until": until, "limit": limit, "cursor": cursor}
        return page(f"{job_path(job_id)}/audit", {"actor": actor, **span})
