"""The client's operations on a tenant as a whole, its costs among them."""

from timegate.client.calling import ApiCall, PageCall, get, job_filter, page, segment
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    CostReport,
    DecisionList,
    Health,
    Overview,
    StageCost,
    StageOverview,
    TenantCost,
)
from timegate.client.sending import Calls


class OverviewCalls(Calls):
    """Operations that show a tenant at a glance, and what waits for a decision."""

    @operation
    def get_overview(self) -> ApiCall[Overview]:
        """Failures of the last day, dead letters, paused jobs, freezes and use of quotas."""
        return get("/v1/overview")

    @operation
    def get_stage_overview(self) -> ApiCall[StageOverview]:
        """The last hour of each lane, and the alarms that are on; for the administration."""
        return get("/v1/stage/overview")

    @operation
    def get_health(self) -> ApiCall[Health]:
        """Ticks, audits, queues and alarms of the stage, and its problems in words."""
        return get("/v1/health")

    @operation
    def list_decisions(self, *, start: str | None = None) -> ApiCall[DecisionList]:
        """List what failed for good, by cause, and what waits for an approval.

        ``start`` as RFC 3339: of failures, seven days ago by default.
        """
        return get("/v1/decisions", {"from": start})

    @operation
    def get_cost(
        self, *, month: str | None = None, job_id: str | None = None, limit: int | None = None
    ) -> ApiCall[CostReport]:
        """The costs of a month such as ``2026-11``, and its dearest jobs or the one named."""
        return get("/v1/cost", {"month": month, "job_id": job_filter(job_id), "limit": limit})

    @operation
    def get_tenant_cost(
        self,
        tenant: str,
        *,
        month: str | None = None,
        job_id: str | None = None,
        limit: int | None = None,
    ) -> ApiCall[CostReport]:
        """The costs of a tenant as ``get_cost`` has the caller's own."""
        query = {"month": month, "job_id": job_filter(job_id), "limit": limit}
        return get(f"/v1/tenants/{segment(tenant)}/cost", query)

    @listing
    def get_stage_cost(
        self, *, month: str | None = None, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[StageCost, TenantCost]:
        """A page of tenants with the costs of their runs in a month, by name."""
        return page("/v1/stage/cost", {"month": month, "limit": limit, "cursor": cursor})
