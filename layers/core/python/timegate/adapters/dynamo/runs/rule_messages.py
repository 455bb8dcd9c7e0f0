"""Telling by rules: streaks and the runs that tell of them, in one transaction."""

from collections.abc import Sequence
from datetime import timedelta

from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.transactions import write_or_refuse
from timegate.adapters.dynamo.tables.writes import Insert, Replace, Write
from timegate.adapters.dynamo.tenants.rules.rule_items import held_to_fields
from timegate.adapters.dynamo.tenants.rules.streak_items import streak_write
from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.streak import Streak
from timegate.domain.runs.run import Attempt
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement


class DynamoRuleMessages:
    """The one write that decides whether a streak was told of."""

    def __init__(
        self,
        engine: Engine,
        *,
        jobs_table: str,
        runs_table: str,
        shards: ShardPlacement,
        retention_days: int,
    ) -> None:
        self._engine = engine
        self._jobs = jobs_table
        self._runs = runs_table
        self._shards = shards
        self._retention = timedelta(days=retention_days)

    def tell(
        self,
        tenant: TenantId,
        *,
        streaks: Sequence[Streak] = (),
        held: HeldEvents | None = None,
        notices: Sequence[Attempt] = (),
    ) -> bool:
        """Store streaks, and messages or held events: all of it, or nothing."""
        writes: list[Write] = [streak_write(self._jobs, each) for each in streaks]
        if held is not None:
            writes.append(self._held(tenant, held))
        shards = self._shards()
        writes += [
            Insert(
                table=self._runs,
                fields=attempt_to_fields(each, shards=shards, retention=self._retention),
            )
            for each in notices
        ]
        return not writes or not write_or_refuse(self._engine, writes)

    def _held(self, tenant: TenantId, held: HeldEvents) -> Insert | Replace:
        fields = held_to_fields(tenant, held)
        if held.revision == 1:
            return Insert(table=self._jobs, fields=fields)
        return Replace(table=self._jobs, fields=fields, where={"revision": held.revision - 1})
