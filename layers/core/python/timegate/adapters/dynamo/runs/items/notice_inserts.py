"""Inserts of runs that carry notices, for stores that tell of something in a transaction."""

from collections.abc import Sequence
from datetime import timedelta

from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.writes import Insert
from timegate.domain.runs.run import Attempt
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class NoticeInserts:
    """The table of runs, as notices are put into it."""

    table: str
    shards: ShardPlacement
    retention_days: int

    def of(self, notices: Sequence[Attempt]) -> list[Insert]:
        """Return an insert for each notice."""
        shards = self.shards()
        retention = timedelta(days=self.retention_days)
        return [
            Insert(
                table=self.table,
                fields=attempt_to_fields(each, shards=shards, retention=retention),
            )
            for each in notices
        ]
