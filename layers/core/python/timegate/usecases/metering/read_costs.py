"""Reading what a tenant's runs cost in a month, or those of each tenant."""

from datetime import datetime

from timegate.domain.metering.tally import CostTally, JobTally, TenantMonth
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.metering import MeterStore, TenantCost
from timegate.ports.stores import Page
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NamedTally:
    """A job's tally, with its name; ``None``: it is a rule, or gone."""

    job_id: JobId
    name: str | None
    tally: CostTally


@dataclass(frozen=True, kw_only=True, slots=True)
class CostReport:
    """The costs of a tenant's runs in a month."""

    tenant: TenantId
    month: str
    #: Ends up to here are counted; ``None``: none is yet.
    metered_until: datetime | None
    counts: TenantMonth
    #: The dearest first.
    jobs: tuple[NamedTally, ...]
    #: Jobs that were read beyond these.
    others: int
    #: All jobs were read.
    is_complete: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class StageCosts:
    """A page of tenants with their costs in a month."""

    metered_until: datetime | None
    tenants: Page[TenantCost]


def read_tenant_cost(
    tenant: TenantId, month: str, store: MeterStore, *, limit: int, job_id: JobId | None = None
) -> CostReport:
    """Read a tenant's month and its dearest jobs, or the one that is named."""
    of = (tenant, month)
    found, is_complete = store.job_tallies(of) if job_id is None else ((), True)
    if job_id is not None:
        found = (JobTally(job_id=job_id, tally=store.job_tally(of, job_id)),)
    dearest = sorted(found, key=lambda each: (-each.tally.usage.usd, each.job_id))[:limit]
    names = store.job_names(tenant, [each.job_id for each in dearest])
    return CostReport(
        tenant=tenant,
        month=month,
        metered_until=metered_until(store),
        counts=store.tenant_month(of),
        jobs=tuple(
            NamedTally(job_id=each.job_id, name=names.get(each.job_id), tally=each.tally)
            for each in dearest
        ),
        others=len(found) - len(dearest),
        is_complete=is_complete,
    )


def read_stage_costs(
    month: str, store: MeterStore, *, limit: int, cursor: str | None
) -> StageCosts:
    """Read tenants by name; raises ``InvalidInput`` for a cursor of another month."""
    page = store.tenants(month, limit=limit, cursor=cursor)
    return StageCosts(metered_until=metered_until(store), tenants=page)


def metered_until(store: MeterStore) -> datetime | None:
    """Return the instant up to which ends are counted."""
    since = store.read_round().since
    return since if since.year > 1 else None
