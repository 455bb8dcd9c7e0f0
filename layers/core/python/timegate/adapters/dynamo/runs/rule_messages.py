"""Telling by rules: streaks and the runs that tell of them, in one transaction."""

from collections.abc import Sequence

from timegate.adapters.dynamo.runs.items.notice_inserts import NoticeInserts
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.transactions import write_or_refuse
from timegate.adapters.dynamo.tables.writes import Insert, Replace, Write
from timegate.adapters.dynamo.tenants.rules.rule_items import held_to_fields
from timegate.adapters.dynamo.tenants.rules.streak_items import streak_write
from timegate.domain.rules.held_events import HeldEvents
from timegate.domain.rules.streak import Streak
from timegate.domain.runs.run import Attempt
from timegate.domain.values.tenant import TenantId


class DynamoRuleMessages:
    """The one write that decides whether a streak was told of."""

    def __init__(self, engine: Engine, *, jobs_table: str, notices: NoticeInserts) -> None:
        self._engine = engine
        self._jobs = jobs_table
        self._notices = notices

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
        writes += self._notices.of(notices)
        return not writes or not write_or_refuse(self._engine, writes)

    def _held(self, tenant: TenantId, held: HeldEvents) -> Insert | Replace:
        fields = held_to_fields(tenant, held)
        if held.revision == 1:
            return Insert(table=self._jobs, fields=fields)
        return Replace(table=self._jobs, fields=fields, where={"revision": held.revision - 1})
