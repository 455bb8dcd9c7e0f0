"""Jobs that are gone: each is a loss, unless an operator has erased its tenant."""

from timegate.domain.auditing.audit_finding import Finding, FindingCode
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.usecases.services.auditor_services import Auditing


def missing_job(tenant: TenantId, job_id: JobId, auditing: Auditing) -> Finding | None:
    """Return the finding of a job without a record; ``None``: its tenant was erased.

    One read, strongly consistent: an erasure changes the tenant's record before it deletes a job.
    Raises ``Throttled``.
    """
    if auditing.tenants.get(tenant).erased_at is not None:
        return None
    return Finding(code=FindingCode.JOB_MISSING, tenant=tenant, job_id=job_id)
