"""Dead letters, in memory."""

from dataclasses import replace

from timegate.adapters.memory.tables import MemoryTables, in_milliseconds
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.runs.run import Attempt
from timegate.domain.tenants.audit_trail import ResourceKind, told_of_attempt
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.shards import Spread
from timegate.ports.stores import Page


class MemoryDeadLetterStore:
    """The twin of ``DynamoDeadLetterStore``."""

    def __init__(self, tables: MemoryTables, *, shards: Spread = lambda: ONE_SHARD) -> None:
        self._tables = tables
        self._shards = shards

    def list_dead_letters(
        self, tenant: TenantId, wanted: DeadLetterFilter, *, limit: int, cursor: str | None
    ) -> Page[Attempt]:
        """A tenant's dead letters that match, newest first."""
        listing = f"dead-letters#{tenant}#{wanted.job_id}#{wanted.error_code}#{wanted.reason}"
        below = read_cursor(listing, cursor) if cursor is not None else None
        with self._tables.lock:
            stored = list(self._tables.attempts.values())
        own = {
            _position(each): each
            for each in stored
            if each.tenant == tenant and wanted.matches(each)
        }
        positions = sorted((p for p in own if below is None or p < below), reverse=True)
        rows = tuple(own[position] for position in positions[:limit])
        more = write_cursor(listing, positions[limit - 1]) if len(positions) > limit else None
        return Page(rows=rows, cursor=more)

    def settle(self, before: Attempt, after: Attempt, *, opened: Attempt | None) -> bool:
        """Settle a dead letter, and store the attempt that opens its run again, or neither."""
        with self._tables.lock:
            stored = self._tables.attempts.get((before.tenant, before.id))
            if stored is not None and stored.resolution == in_milliseconds(after.resolution):
                return stored.resolution is not None
            if stored is None or not stored.is_dead_letter:
                return False
            if opened is not None:
                if (opened.tenant, opened.id) in self._tables.attempts:
                    return False
                self._tables.put_attempt(opened, shards=self._shards())
            self._tables.put_attempt(replace(stored, resolution=after.resolution))
            self._tables.told(
                after.tenant,
                (ResourceKind.RUN, str(after.id.run)),
                before=told_of_attempt(before),
                after=told_of_attempt(after),
            )
            return True


def _position(attempt: Attempt) -> str:
    return f"{compact(attempt.ended_at or attempt.created_at)}#{attempt.id}"
