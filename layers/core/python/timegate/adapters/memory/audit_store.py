"""Reading the audit trail, in memory."""

from timegate.adapters.memory.tables import MemoryTables
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.tenants.audit_trail import AuditEntry, AuditFilter
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Page


class MemoryAuditStore:
    """The twin of ``DynamoAuditStore``."""

    def __init__(self, tables: MemoryTables) -> None:
        self._tables = tables

    def list_entries(
        self, tenant: TenantId, wanted: AuditFilter, *, limit: int, cursor: str | None
    ) -> Page[AuditEntry]:
        """Entries that match, latest first."""
        listing = f"audit#{tenant}#{wanted.resource}"
        before = read_cursor(listing, cursor) if cursor is not None else None
        with self._tables.lock:
            every = list(self._tables.audit.values())
        rows = sorted((e for e in every if _within(e, tenant, wanted)), key=_place, reverse=True)
        rows = [each for each in rows if before is None or _place(each) < before]
        page = rows[:limit]
        more = write_cursor(listing, _place(page[-1])) if len(rows) > limit else None
        return Page(rows=tuple(each for each in page if wanted.matches(each)), cursor=more)


def _within(entry: AuditEntry, tenant: TenantId, wanted: AuditFilter) -> bool:
    at = entry.stamp.at
    return (
        entry.tenant == tenant
        and wanted.resource in {None, entry.resource}
        and (wanted.since is None or at >= wanted.since)
        and (wanted.until is None or at <= wanted.until)
    )


def _place(entry: AuditEntry) -> str:
    return f"{entry.position}@{entry.resource}"
