"""Watches over rules that wait for a look: the sweeper loads this, and no rule."""

from collections.abc import Iterator
from datetime import datetime

from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import parse_watch_key, watch_key
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId

#: The partition of the index ``due`` in which watches lie. Buckets of jobs begin with a minute.
WATCH_BUCKET = "rules"
#: The value that the stream's filter asks for; any other write of the watch brings no look.
DUE, DONE = "due", "done"


class DynamoRuleLooks:
    """The place of watches in the index ``due``."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def overdue_rules(self, *, until: datetime) -> Iterator[TenantId]:
        """Tenants whose rules a sweeper must look at, the longest waiting first."""
        query = Query(table=self._table, of=WATCH_BUCKET, index="due", last=compact(until))
        for fields in rows(self._engine, query):
            yield parse_watch_key(str(fields["pk"]), str(fields["sk"]))

    def touch_rules(self, tenant: TenantId, *, now: datetime, due_at: datetime) -> bool:
        """Show a watch in the stream, and put its next look off."""
        touched = Update(
            table=self._table,
            key=watch_key(tenant),
            fields={"due_at": compact(due_at), "look": DUE},
            # No process has touched it, or taken it out, since it was found.
            where={"due_at": Compared(at_most=compact(now))},
        )
        return self._engine.write(touched).done
