"""Services of the auditor, and its reports."""

from collections.abc import Callable, Iterable
from datetime import timedelta

from timegate.domain.auditing.audit_finding import Finding, FindingCode
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.auditing import AuditCursorStore
from timegate.ports.clock import Clock
from timegate.ports.limits.quotas import UsageStore
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass

#: Instants named in the event of a finding.
NAMED = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Auditing:
    """Stores that the auditor reads, and the cursors that it alone writes."""

    jobs: JobStore
    runs: RunStore
    cursors: AuditCursorStore
    restrictions: RestrictionStore
    #: Tells by one read, strongly consistent, if a tenant was erased. Raises ``Throttled``.
    is_erased: Callable[[TenantId], bool]
    #: How many jobs and DAGs tenants have.
    usage: UsageStore
    telemetry: Telemetry
    clock: Clock
    #: How long records are kept.
    retention: timedelta


def missing_job(tenant: TenantId, job_id: JobId, auditing: Auditing) -> Finding | None:
    """Return the finding of a job without a record; ``None``: its tenant was erased.

    An erasure changes the tenant's record before it deletes a job. Raises ``Throttled``.
    """
    if auditing.is_erased(tenant):
        return None
    return Finding(code=FindingCode.JOB_MISSING, tenant=tenant, job_id=job_id)


def report_findings(findings: Iterable[Finding], telemetry: Telemetry) -> None:
    """Count findings for the alarms, and log one event for each, with its code."""
    for each in findings:
        metric = (
            service_metrics.INSTANTS_UNACCOUNTED
            if each.code.is_of_instants
            else service_metrics.RECORDS_LOST
        )
        telemetry.count(metric, each.count)
        telemetry.event(
            service_events.AUDIT_FINDING,
            code=each.code,
            tenant_id=each.tenant,
            job_id=each.job_id,
            count=each.count,
            instants=list(each.instants[:NAMED]),
        )
