"""From the domain to JSON: costs."""

from datetime import datetime

from api.values.views import View, instant_view
from timegate.domain.metering.metered_attempt import AttemptKind
from timegate.domain.metering.tally import CostTally, TenantMonth
from timegate.domain.values.tenant import TenantId
from timegate.ports.metering import TenantCost
from timegate.ports.stores import Page
from timegate.usecases.metering.read_costs import CostReport

#: Digits of dollars: a run costs millionths.
_DOLLARS, _DIGITS = 6, 3


def report_view(report: CostReport) -> View:
    """A tenant's month, with its dearest jobs."""
    jobs = [
        {"job_id": each.job_id, "name": each.name, **_costs(each.tally)} for each in report.jobs
    ]
    return {
        **_tenant(report.tenant, report.counts),
        "month": report.month,
        "metered_until": instant_view(report.metered_until),
        "jobs": jobs,
        "other_jobs": report.others,
        "is_complete": report.is_complete,
    }


def stage_view(page: Page[TenantCost], month: str, metered_until: datetime | None) -> View:
    """A page of tenants in a month."""
    return {
        "month": month,
        "metered_until": instant_view(metered_until),
        "items": [_tenant(each.tenant, each.month) for each in page.rows],
        "next_cursor": page.cursor,
    }


def _tenant(tenant: TenantId, month: TenantMonth) -> View:
    return {
        "tenant": tenant,
        "whole": _costs(month.whole),
        "one_shots": _costs(month.one_shots),
        "dag_tasks": _costs(month.dag_tasks),
    }


def _costs(tally: CostTally) -> View:
    usage = tally.usage
    return {
        "usd": round(usage.usd, _DOLLARS),
        "runs": tally.runs,
        "attempts": {kind.value: tally.kinds.get(kind, 0) for kind in AttemptKind},
        "target_seconds": round(tally.busy_seconds, _DIGITS),
        "services": {name: round(usd, _DOLLARS) for name, usd in usage.bill().items()},
        "quantities": {name: round(n, _DIGITS) for name, n in usage.amounts().items() if n},
    }
