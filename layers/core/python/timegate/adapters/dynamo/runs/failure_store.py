"""Runs of a tenant that sparse indexes show: failures, and all runs of jobs that list them."""

from timegate.adapters.dynamo.runs.items.index_items import (
    FAILURE_PARTS,
    LISTED_PARTS,
    late_part,
    listed_position,
)
from timegate.adapters.dynamo.runs.tenant_index import TenantIndex
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.adapters.dynamo.tables.keys import parse_attempt_key
from timegate.adapters.dynamo.tables.reading import Fields
from timegate.domain.values.instant_range import InstantRange
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import AttemptRef, Page


def _reference(row: Fields) -> AttemptRef:
    tenant, attempt = parse_attempt_key(str(row["pk"]), str(row["sk"]))
    return AttemptRef(tenant=tenant, id=attempt)


def _references(page: Page[Fields]) -> Page[AttemptRef]:
    return Page(rows=tuple(_reference(row) for row in page.rows), cursor=page.cursor)


class DynamoFailureStore:
    """The index ``failures`` of the runs table."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._index = TenantIndex(engine, table=table, index="failures", parts=range(FAILURE_PARTS))

    def list_failures(
        self, tenant: TenantId, *, within: InstantRange, limit: int, cursor: str | None
    ) -> Page[AttemptRef]:
        """A tenant's failures that ended within, the latest end first."""
        return _references(self._index.page(tenant, within=within, limit=limit, cursor=cursor))

    def failures_since(
        self,
        tenant: TenantId,
        *,
        within: InstantRange,
        limit: int,
        after: str | None,
        late: bool = False,
    ) -> tuple[tuple[AttemptRef, ...], str | None]:
        """A tenant's failures that ended within, and late runs found within; the earliest first."""
        beside = [late_part(part) for part in range(FAILURE_PARTS)] if late else []
        found, more = self._index.earliest(
            tenant, within=within, limit=limit, after=after, beside=beside
        )
        return tuple(_reference(row) for row in found), more


class DynamoListedRunStore:
    """The index ``listed`` of the runs table."""

    def __init__(self, engine: Engine, *, table: str) -> None:
        self._index = TenantIndex(engine, table=table, index="listed", parts=range(LISTED_PARTS))

    def list_listed(
        self, tenant: TenantId, *, within: InstantRange, limit: int, cursor: str | None
    ) -> Page[AttemptRef]:
        """Attempts of a tenant's listed runs of instants within, the latest instant first."""
        return _references(self._index.page(tenant, within=within, limit=limit, cursor=cursor))

    def cursor_after(self, last: AttemptRef) -> str:
        """The cursor that leads on from an attempt of this listing."""
        return self._index.cursor(last.tenant, listed_position(last.id))
