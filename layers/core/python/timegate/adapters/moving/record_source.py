"""Both tables of a stage, read from end to end for what moves."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from timegate.adapters.dynamo.jobs.job_items import place_fields, timing_from_fields
from timegate.adapters.dynamo.tables.engine import Engine, Fields, Scan
from timegate.adapters.dynamo.tables.reading import listed, mapping
from timegate.adapters.dynamo.tables.values import Plain, from_item, to_item
from timegate.adapters.moving.item_kinds import job_named, kind_of, owner_of
from timegate.domain.dag_runs.progress import ENDED_STATUSES
from timegate.domain.jobs.job import Timing
from timegate.domain.moving.moved_kinds import HISTORY, MovedKind
from timegate.domain.runs.run_states import TERMINAL
from timegate.domain.values.errors import Malformed
from timegate.domain.values.tenant import TenantId
from timegate.ports.tenants.moving import MovedRecord, SourcePage
from timegate.value_classes import dataclass

#: Attributes that let functions act on an item: what ended elsewhere is only told here.
_ACTED_ON = frozenset({"watch_bucket", "watch_at", "follow", "pool_lane", "offered_at"})
_STATUSES = frozenset(each.value for each in ENDED_STATUSES)
_STATES = frozenset(each.value for each in TERMINAL)


@dataclass(frozen=True, kw_only=True, slots=True)
class MovedScope:
    """Records that move."""

    #: ``None``: all tenants.
    tenant: TenantId | None
    history: bool
    #: Only what is these jobs' own; empty: everything.
    jobs: frozenset[str] = frozenset()


class DynamoRecordSource:
    """A scan of each table: about half a read unit per 4 KB, whatever the number of tenants."""

    def __init__(
        self,
        engine: Engine,
        *,
        jobs_table: str,
        runs_table: str,
        scope: MovedScope,
        taken_over: Callable[[Timing], Timing],
        page: int,
    ) -> None:
        self._engine = engine
        self._tables = {"jobs": jobs_table, **({"runs": runs_table} if scope.history else {})}
        self._scope = scope
        self._taken_over = taken_over
        self._page = page

    def pages(self, *, after: Mapping[str, Any] | None) -> Iterator[SourcePage]:
        """Yield what moves, page by page, from a place on.

        A place names a record of the scope, never one beside it: it stands in the tenant's file.
        """
        names = list(self._tables)
        begin = after or {"table": names[0], "key": None}
        key = begin["key"]
        for name in names[names.index(begin["table"]) :]:
            for items, is_last in self._scanned(name, key):
                own = [each for each in items if self._is_own(each)]
                key = to_item({"pk": own[-1]["pk"], "sk": own[-1]["sk"]}) if own else key
                place: Mapping[str, Any] | None = {"table": name, "key": key}
                if is_last:
                    place = _beginning(names[names.index(name) + 1 :])
                yield self._page_of(own, place)
            key = None

    def _scanned(self, name: str, key: Any) -> Iterator[tuple[Sequence[Fields], bool]]:  # noqa: ANN401 - DynamoDB's form
        """Yield a table's items page by page, each with whether it is the last page."""
        after = from_item(key) if key is not None else None
        while True:
            scan = Scan(table=self._tables[name], limit=self._page, after=after)
            found = self._engine.scan(scan)
            after = found.last
            yield found.items, after is None
            if after is None:
                return

    def _is_own(self, fields: Fields) -> bool:
        owner = owner_of(fields)
        return owner is not None and self._scope.tenant in {None, owner}

    def _page_of(self, items: Sequence[Fields], after: Mapping[str, Any] | None) -> SourcePage:
        records, unknown = [], []
        for fields in items:
            try:
                kind = kind_of(fields)
                if kind is not None and self._moves(kind, fields):
                    records.append(_record(kind, self._moved(kind, fields)))
            except Malformed as malformed:
                unknown.append(str(malformed))
        return SourcePage(records=records, unknown=unknown, after=after)

    def _moved(self, kind: MovedKind, fields: Fields) -> Fields:
        """Return the fields that move; a job's say what its runs here hold."""
        if kind is not MovedKind.JOB:
            return _without_move(
                kind, {name: each for name, each in fields.items() if name not in _ACTED_ON}
            )
        before = _timing_of(fields)
        after = self._taken_over(before)
        return fields if after == before else {**fields, **place_fields(after)}

    def _moves(self, kind: MovedKind, fields: Fields) -> bool:
        if self._scope.jobs and job_named(kind, fields) not in self._scope.jobs:
            return False
        if kind not in HISTORY:
            # The stage's own, and only as long as its tenant moves.
            return "spares_runs" not in fields
        if not self._scope.history:
            return False
        # A run that has not ended ends where it began.
        if kind is MovedKind.RUN:
            return fields.get("state") in _STATES
        if kind is MovedKind.DAG_RUN:
            return fields.get("status") in _STATUSES
        return True


def _timing_of(fields: Fields) -> Timing:
    """Read a job's timing; raises ``Malformed``, with its key: the job keeps no other here."""
    try:
        return timing_from_fields(fields)
    except Malformed as malformed:
        named = f"{str(fields['pk'])!r}, {str(fields['sk'])!r}"
        raise Malformed(f"{named} cannot be read: {malformed}") from malformed


def _beginning(names: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the place before the first of these tables; ``None``: there is none."""
    return {"table": names[0], "key": None} if names else None


def _without_move(kind: MovedKind, fields: Fields) -> Fields:
    """Leave out what the stage keeps of the tenant's move: it is its own."""
    if kind is MovedKind.TENANT:
        return {name: each for name, each in fields.items() if name != "move"}
    if kind is MovedKind.IN_FORCE:
        freezes = [each for each in listed(fields["freezes"]) if "spares_runs" not in mapping(each)]
        return {**fields, "freezes": freezes}
    return fields


def _record(kind: MovedKind, fields: Fields) -> MovedRecord:
    return MovedRecord(kind=kind, item=to_item(fields), blobs=tuple(sorted(set(_blobs(fields)))))


def _blobs(value: Plain) -> Iterator[str]:
    """Paths in the blob store, wherever an item names them."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            if name in {"blob", "checkpoint_blob"} and isinstance(inner, str):
                yield inner
            else:
                yield from _blobs(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _blobs(inner)
