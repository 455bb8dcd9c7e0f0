"""Reading the audit trail: of one thing by its partition, of a tenant by the index.

Jobs that end soon keep the entry of their creation: what their records tell is merged with the
trail, in the order of instants.
"""

from collections.abc import Iterable, Mapping

from timegate.adapters.dynamo.audit_trail.audit_items import (
    audit_listing,
    audit_pk,
    entry_from_fields,
)
from timegate.adapters.dynamo.audit_trail.creation_entries import creation_of
from timegate.adapters.dynamo.tables.engine import Engine, Fields, Query, Rows
from timegate.adapters.dynamo.tables.keys import JOB_SK, Key, job_key
from timegate.adapters.dynamo.tables.reading import read_each, text
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.tenants.audit_trail import AuditEntry, AuditFilter, ResourceKind
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.audit_trail import AuditPage

#: Positions begin with an instant; a tilde sorts behind all that follows one.
_EARLIEST, _BEHIND = "0", "~"
#: So many more jobs are looked at than entries are wanted: most of them tell nothing.
_MORE_JOBS = 25
_NONE = Rows(items=(), count=0)


class DynamoAuditStore:
    """Two queries, one read and no filter: who is wanted is picked from the page."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._engine = engine
        self._table = table

    def list_entries(
        self, tenant: TenantId, wanted: AuditFilter, *, limit: int, cursor: str | None
    ) -> AuditPage:
        """Entries that match, latest first; a page may hold fewer than there are.

        A record that cannot be read hides no other.
        """
        listing = f"audit#{tenant}#{wanted.resource}"
        before = read_cursor(listing, cursor) if cursor is not None else None
        first = compact(wanted.since) if wanted.since is not None else _EARLIEST
        last = f"{compact(wanted.until)}{_BEHIND}" if wanted.until is not None else _BEHIND
        span = (first, min(last, before or last))
        # The place of the page before is read again, and left out.
        pages = (
            self._trail(tenant, wanted, span, limit=limit + 1),
            self._jobs(tenant, wanted, span, limit=limit + 1 + _MORE_JOBS),
        )
        reached = max((_position(page.items[-1]) for page in pages if page.last), default=_EARLIEST)
        items = [
            (f"{key.pk} {key.sk}", fields)
            for key, fields in self._items(row for page in pages for row in page.items)
            if max(first, reached) <= _position(fields) <= span[1] and _position(fields) != before
        ]
        read, damaged = read_each(items, _told)
        found = sorted((each for each in read if each is not None), key=_place, reverse=True)
        shown = found[:limit]
        is_whole = len(shown) == len(found) and not any(page.last for page in pages)
        end = shown[-1][0] if len(shown) == limit else reached
        return AuditPage(
            rows=tuple(entry for _, entry in shown if wanted.matches(entry)),
            damaged=damaged,
            cursor=None if is_whole else write_cursor(listing, end),
        )

    def _items(self, rows: Iterable[Fields]) -> Iterable[tuple[Key, Fields]]:
        """Read the records that have entries, or may have one."""
        keys = [Key(pk=text(row["pk"]), sk=text(row["sk"])) for row in rows]
        return self._engine.get_all({self._table: keys})[self._table].items() if keys else ()

    def _trail(
        self, tenant: TenantId, wanted: AuditFilter, span: tuple[str, str], *, limit: int
    ) -> Rows:
        one = wanted.resource
        return self._engine.query(
            Query(
                table=self._table,
                of=audit_pk(tenant, one) if one is not None else audit_listing(tenant),
                index=None if one is not None else "by_tenant",
                first=span[0],
                last=span[1],
                latest_first=True,
                consistent=one is not None,
                limit=limit,
            )
        )

    def _jobs(
        self, tenant: TenantId, wanted: AuditFilter, span: tuple[str, str], *, limit: int
    ) -> Rows:
        """Jobs whose records may tell of their creation."""
        one = wanted.resource
        if one is not None:
            key = job_key(tenant, JobId(one.id))
            is_job = one.kind is ResourceKind.JOB
            return Rows(items=[{"pk": key.pk, "sk": key.sk}], count=1) if is_job else _NONE
        return self._engine.query(
            Query(
                table=self._table,
                of=tenant,
                index="by_tenant",
                first=span[0],
                last=span[1],
                latest_first=True,
                limit=limit,
            )
        )


def _position(fields: Mapping[str, Plain]) -> str:
    return text(fields["listed_at"])


def _place(entry: tuple[str, AuditEntry]) -> str:
    return entry[0]


def _told(fields: Mapping[str, Plain]) -> tuple[str, AuditEntry] | None:
    """Read the entry of a record with its position; most jobs have none. Raises ``Malformed``."""
    is_job = text(fields["sk"]) == JOB_SK
    entry = creation_of(fields) if is_job else entry_from_fields(fields)
    return (_position(fields), entry) if entry is not None else None
