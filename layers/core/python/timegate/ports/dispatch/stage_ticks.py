"""Progress of ticks in every open shard, for those who look at a stage's health."""

from typing import Protocol

from timegate.domain.auditing.stage_health import ShardTicks
from timegate.domain.dispatch.shards import OpenShards


class StageTicks(Protocol):
    """Reads what planner, sweeper and auditor write at each tick. Throttling raises."""

    def open_shards(self) -> OpenShards | None:
        """Read the open shards; ``None`` before the first tick."""

    def read(self, shards: OpenShards) -> tuple[ShardTicks, ...]:
        """Read the progress in each open shard: three small records of each."""
