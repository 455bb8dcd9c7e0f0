"""The client's operations on a tenant as a whole."""

from timegate.client.calling import ApiCall, get
from timegate.client.operation import operation
from timegate.client.schemas import DecisionList, Health, Overview, StageOverview
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
        """List what failed for good, by cause; ``start`` as RFC 3339, seven days ago by default."""
        return get("/v1/decisions", {"from": start})
