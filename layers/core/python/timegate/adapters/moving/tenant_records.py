"""Everything of one tenant in both tables, found by scans and deleted."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from timegate.adapters.dynamo.auditing.audit_cursor_items import owner_of_cursor
from timegate.adapters.dynamo.restrictions.restriction_items import in_force_key
from timegate.adapters.dynamo.tables.engine import Engine, Fields, Scan
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tenants.tenant_items import TENANTS_PK
from timegate.adapters.moving.item_kinds import owner_of
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import from_compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.tenant_records import FoundRecords


class DynamoTenantRecords:
    """Two scans, a read unit per 4 KB; a deletion costs what a write of the item does."""

    def __init__(self, engine: Engine, *, jobs_table: str, runs_table: str) -> None:
        self._engine = engine
        self._tables = (jobs_table, runs_table)

    def find(self, tenant: TenantId) -> FoundRecords:
        """Count what there is, and delete nothing."""
        at_work = count = 0
        ends = {""}
        for table in self._tables:
            for page in self._pages(table, tenant):
                count += len(page)
                at_work += sum(each.get("state") == RunState.RUNNING for each in page)
                if table == self._tables[-1]:
                    ends.update(str(each.get("ended_at", "")) for each in page)
                    ends = {max(ends)}
        return FoundRecords(at_work=at_work, count=count, last_end=_instant(max(ends)))

    def erase(self, tenant: TenantId) -> int:
        """Delete what a scan meets, and what holds it back last; returns how many."""
        # A job whose freeze is gone would fire.
        last = in_force_key(tenant).pk
        held, count = list[Key](), 0
        for table in self._tables:
            for page in self._pages(table, tenant):
                keys = [Key(pk=str(each["pk"]), sk=str(each["sk"])) for each in page]
                held += [key for key in keys if key.pk == last]
                self._engine.delete_all(table, [key for key in keys if key.pk != last])
                count += len(keys)
        self._engine.delete_all(self._tables[0], held)
        return count

    def _pages(self, table: str, tenant: TenantId) -> Iterator[list[Fields]]:
        """Yield a tenant's items page by page; its settings are no item of its own."""
        # A worker may have stored an end a moment before: an eventual scan need not meet it.
        scan: Scan | None = Scan(table=table, consistent=True)
        while scan is not None:
            page = self._engine.scan(scan)
            yield [each for each in page.items if _is_of(tenant, each)]
            scan = replace(scan, after=page.last) if page.last is not None else None


def _instant(text: str) -> datetime | None:
    try:
        return from_compact(text)
    except InvalidInput:
        # Nothing has ended; or the record cannot be read.
        return None


def _is_of(tenant: TenantId, fields: Fields) -> bool:
    """Tell if an item goes with its tenant.

    So do cursors of the auditor, which belong to the stage: it would report their jobs as lost.
    """
    if fields["pk"] == TENANTS_PK:
        return False
    return tenant in {owner_of(fields), owner_of_cursor(fields)}
