"""Watches that wait for a look, over rules and absences: the sweeper loads this, and no rule."""

from collections.abc import Iterator
from datetime import datetime

from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import (
    LOOK_DUE,
    WATCH_BUCKET,
    absence_key,
    parse_look_key,
    watch_key,
)
from timegate.adapters.dynamo.tables.writes import Compared, Update
from timegate.domain.values.identity import AbsenceRef
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId


class DynamoRuleLooks:
    """The place of watches in the index ``due``."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def overdue_rules(self, *, until: datetime) -> Iterator[TenantId | AbsenceRef]:
        """Tenants and jobs whose watches are to be looked at, the longest waiting first."""
        query = Query(table=self._table, of=WATCH_BUCKET, index="due", last=compact(until))
        for fields in rows(self._engine, query):
            yield parse_look_key(str(fields["pk"]), str(fields["sk"]))

    def touch_rules(self, shown: TenantId | AbsenceRef, *, now: datetime, due_at: datetime) -> bool:
        """Show a watch in the stream, and put its next look off."""
        touched = Update(
            table=self._table,
            key=(
                absence_key(shown.tenant, shown.job_id)
                if isinstance(shown, AbsenceRef)
                else watch_key(shown)
            ),
            fields={"due_at": compact(due_at), "look": LOOK_DUE},
            # No process has touched it, or taken it out, since it was found.
            where={"due_at": Compared(at_most=compact(now))},
        )
        return self._engine.write(touched).done
