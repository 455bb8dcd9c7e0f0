"""Services of the auditor, and its reports."""

from collections.abc import Iterable
from datetime import timedelta

from timegate.domain.auditing.audit_finding import Finding
from timegate.ports.auditing import AuditCursorStore
from timegate.ports.clock import Clock
from timegate.ports.limits.quotas import UsageStore
from timegate.ports.restrictions import RestrictionStore
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.ports.tenants.tenant_store import TenantStore
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
    #: Settings of tenants, which say if one was erased.
    tenants: TenantStore
    #: How many jobs and DAGs tenants have.
    usage: UsageStore
    telemetry: Telemetry
    clock: Clock
    #: How long records are kept.
    retention: timedelta


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
