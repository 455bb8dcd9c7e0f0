"""The client's operations on the audit trail and on sealed months, for those who audit."""

from timegate.client.calling import PageCall, job_path, page, segment
from timegate.client.operation import listing
from timegate.client.schemas import (
    AuditPage,
    AuditRecord,
    ExportedFile,
    SealedMonth,
    SealedMonthList,
    SealedMonthRow,
)
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
    def read_stage_audit(
        self,
        *,
        resource: str | None = None,
        since: str | None = None,
        until: str | None = None,
        actor: str | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> PageCall[AuditPage, AuditRecord]:
        """Changes of the whole stage; takes the scope of its administration."""
        span = {"since": since, "until": until, "limit": limit, "cursor": cursor}
        return page("/v1/stage/audit", {"resource": resource, "actor": actor, **span})

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


class SealCalls(Calls):
    """The client's operations on sealed months of the archive."""

    @listing
    def list_sealed_months(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[SealedMonthList, SealedMonthRow]:
        """A page of the sealed months, the latest first."""
        return page("/v1/archive/seals", {"limit": limit, "cursor": cursor})

    @listing
    def export_sealed_month(
        self, month: str, *, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[SealedMonth, ExportedFile]:
        """A seal, and a page of the files that verifying it takes, with addresses to read them."""
        path = f"/v1/archive/seals/{segment(month)}"
        return page(path, {"limit": limit, "cursor": cursor})
