"""Changes of pools' pauses in the jobs table, with their entries in the audit trail."""

import random
import time
from collections.abc import Callable

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.pools.pause_items import (
    pause_from_fields,
    pause_to_fields,
    read_pause_item,
)
from timegate.adapters.dynamo.tables.engine import Engine, Fields
from timegate.adapters.dynamo.tables.transactions import write_with
from timegate.adapters.dynamo.tables.writes import Insert, Replace
from timegate.domain.pools.pause import PoolPause
from timegate.domain.values.errors import Throttled
from timegate.domain.values.tenant import TenantId

#: Lost races before the caller hears of it. One of those who race always wins.
_TRIES = 10
_LONGEST_PAUSE_SECONDS = 0.2


class PauseChanges:
    """One item for each pool that was paused: a change raises its revision."""

    def __init__(self, engine: Engine, table: str, audit: AuditWrites | None) -> None:
        self._engine = engine
        self._table = table
        self._audit = audit or AuditWrites(table=table)

    def change(
        self, tenant: TenantId, pool: str, decide: Callable[[PoolPause | None], PoolPause | None]
    ) -> PoolPause | None:
        """Store what is decided about the pool's last pause; returns what is stored then."""
        for attempt in range(_TRIES):
            item = read_pause_item(self._engine, self._table, tenant, pool)
            before = None if item is None else pause_from_fields(item)
            after = decide(before)
            if after is None or after == before or self._write(tenant, item, before, after):
                return after
            longest = min(0.01 * 2**attempt, _LONGEST_PAUSE_SECONDS)
            time.sleep(random.uniform(0, longest))  # noqa: S311 - spreads contenders
        raise Throttled("The pool's pause is fought over.")

    def _write(
        self, tenant: TenantId, item: Fields | None, before: PoolPause | None, after: PoolPause
    ) -> bool:
        fields = pause_to_fields(tenant, after)
        write: Insert | Replace = Insert(table=self._table, fields=fields)
        if item is not None:
            # The stored one: a damaged record may have any, or none.
            where = {"revision": item.get("revision")}
            write = Replace(table=self._table, fields=fields, where=where)
        return write_with(self._engine, write, self._audit.pool(tenant, before, after))
