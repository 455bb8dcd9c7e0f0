"""The engine in memory: the stores run on it in tests and simulations, without any of AWS.

Items are plain values. Conditions, transactions, batches, sparse indexes, limits and what the
streams show are those of DynamoDB; an index is never late here, and no item expires by itself.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from threading import RLock
from zlib import crc32

from timegate.adapters.dynamo.tables.engine import (
    REFUSED,
    Answer,
    Asked,
    Fields,
    Query,
    Refusal,
    Rows,
    Scan,
)
from timegate.adapters.dynamo.tables.indexes import INDEXES, PRIMARY, Index
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.limits import (
    PAGE_BYTES,
    check_members,
    check_query,
    check_transaction,
)
from timegate.adapters.dynamo.tables.reading import has_expired
from timegate.adapters.dynamo.tables.values import Plain, size_of
from timegate.adapters.dynamo.tables.writes import Found, Put, Statement, Update, Write, WriteResult
from timegate.adapters.memory.effects import effect, is_met, key_of, shows
from timegate.adapters.memory.items import Items, KeyRange, Place, place_of
from timegate.value_classes import dataclass

#: The code of a member that would have been written.
_NO_REFUSAL = "None"


@dataclass(frozen=True, kw_only=True, slots=True)
class Change:
    """One change of an item, as the stream shows it; ``None``: it was not, or is no more."""

    table: str
    key: Key
    before: Found
    after: Found


class MemoryEngine:
    """Tables that exist as soon as they are named."""

    def __init__(self) -> None:
        self._tables: defaultdict[str, Items] = defaultdict(Items)
        self._lock = RLock()
        #: Every change of any table, oldest first; a write that changes nothing is none.
        self.changes: list[Change] = []

    def get(self, table: str, key: Key, *, fields: Sequence[str] = ()) -> Fields | None:
        """Return an item, or the named fields of it."""
        with self._lock:
            item = self._tables[table].get(key)
        return _projected(item, fields) if item is not None else None

    def get_all(self, wanted: Mapping[str, Sequence[Key]]) -> dict[str, dict[Key, Fields]]:
        """Return the items of each table that exist."""
        with self._lock:
            found = {
                table: {key: self._tables[table].get(key) for key in keys}
                for table, keys in wanted.items()
            }
        return {
            table: {key: dict(item) for key, item in items.items() if item is not None}
            for table, items in found.items()
        }

    def query(self, query: Query) -> Rows:
        """Return one page."""
        check_query(query)
        keys = INDEXES[query.index] if query.index is not None else PRIMARY
        with self._lock:
            table = self._tables[query.table]
            found = table.within(query.index, query.of, _range(query, keys))
            page = _page(table, found, query.limit)
        chosen = [
            item
            for item in page.items
            if _passes(item, query.only, query.without, query.begins)
            and not (query.as_of is not None and has_expired(item, query.as_of))
        ]
        rows = [] if query.counts_only else _shown(chosen, query.index, query.fields)
        return Rows(items=rows, count=len(chosen), last=_last(page, keys))

    def scan(self, scan: Scan) -> Rows:
        """Return one page."""
        keys = INDEXES[scan.index] if scan.index is not None else PRIMARY
        with self._lock:
            table = self._tables[scan.table]
            own = [
                item
                for item in table.of_index(scan.index)
                if crc32(str(item["pk"]).encode()) % scan.of == scan.segment
            ]
        after = _scanned_at(scan.after, keys) if scan.after is not None else None
        # The item of a place may be gone since.
        rest = [each for each in own if after is None or _scanned_at(each, keys) > after]
        page = _page(table, iter(rest), scan.limit)
        chosen = [
            item
            for item in page.items
            if _passes(item, scan.only, {}, {}) and _is_between(item, scan.between)
        ]
        rows = _shown(chosen, scan.index, scan.fields)
        return Rows(items=rows, count=len(chosen), last=_last(page, keys))

    def write(self, write: Write) -> WriteResult:
        """Write one item."""
        key = key_of(write)
        with self._lock:
            item = self._tables[write.table].get(key)
            if not is_met(write, item):
                return WriteResult(done=False, found=dict(item) if item and shows(write) else None)
            after = self._store(write, key, item)
        shown = isinstance(write, Update) and write.shows_stored
        return WriteResult(done=True, stored=dict(after) if shown else None)

    def write_each(self, writes: Sequence[Write]) -> list[WriteResult]:
        """Write each item by itself, in order."""
        return [self.write(write) for write in writes]

    def execute(self, writes: Sequence[Statement]) -> list[WriteResult]:
        """Write each item by itself, in order."""
        return [self.write(write) for write in writes]

    def put_all(self, table: str, puts: Sequence[Put]) -> None:
        """Store items, whatever is there; raises ``ValueError`` for a key named twice."""
        _check_distinct(puts)
        with self._lock:
            for put in puts:
                key = key_of(put)
                self._store(put, key, self._tables[table].get(key))

    def delete_all(self, table: str, keys: Sequence[Key]) -> None:
        """Delete items, there or not; raises ``ValueError`` for a key named twice."""
        if len({*keys}) != len(keys):
            message = f"One item is named twice among {keys}."
            raise ValueError(message)
        for key in keys:
            self.remove(table, key)

    def transact(self, writes: Sequence[Write | Put], *, is_named: bool = False) -> list[Refusal]:  # noqa: ARG002 - nothing is sent twice here
        """Write all or nothing: nothing when written, else each member's refusal."""
        _check_distinct(writes)
        check_members(len(writes))
        with self._lock:
            found = [self._tables[write.table].get(key_of(write)) for write in writes]
            pairs = list(zip(writes, found, strict=True))
            if all(is_met(write, item) for write, item in pairs):
                after = [effect(write, item) for write, item in pairs]
                check_transaction([size_of(each) for each in after])
                for write, item in pairs:
                    self._store(write, key_of(write), item)
                return []
        return [_refusal(write, item) for write, item in pairs]

    def side_by_side(self, call: Callable[[Asked], Answer], asked: Sequence[Asked]) -> list[Answer]:
        """Return the answers to calls, one after the other: nothing here waits."""
        return [call(each) for each in asked]

    def items(self, table: str) -> list[Fields]:
        """Return every item of a table."""
        with self._lock:
            return [dict(item) for item in self._tables[table].all()]

    def remove(self, table: str, key: Key) -> None:
        """Remove an item, as its expiry does, if there is one; the stream shows it."""
        with self._lock:
            before = self._tables[table].get(key)
            if before is not None:
                self._tables[table].set(key, None)
                self.changes.append(Change(table=table, key=key, before=before, after=None))

    def _store(self, write: Write | Put, key: Key, before: Fields | None) -> Fields:
        after = effect(write, before)
        if after != before:
            self._tables[write.table].set(key, after)
            self.changes.append(Change(table=write.table, key=key, before=before, after=after))
        return after


@dataclass(frozen=True, kw_only=True, slots=True)
class _Page:
    items: list[Fields]
    has_more: bool


def _scanned_at(item: Mapping[str, Plain], keys: Index) -> tuple[str, Place]:
    """Return the place of an item in a scan."""
    return str(item[keys.partition]), place_of(item, keys)


def _is_between(item: Fields, between: Mapping[str, tuple[str, str]]) -> bool:
    found = [(item.get(name), bounds) for name, bounds in between.items()]
    return not between or any(
        isinstance(value, str) and first <= value <= last for value, (first, last) in found
    )


def _page(table: Items, found: Iterator[Fields], limit: int | None) -> _Page:
    items: list[Fields] = []
    size = 0
    for item in found:
        items.append(item)
        size += table.size_of(item)
        # DynamoDB ends a page at its limit, before it knows whether anything follows.
        if len(items) == limit or size >= PAGE_BYTES:
            return _Page(items=items, has_more=True)
    return _Page(items=items, has_more=False)


def _last(page: _Page, keys: Index) -> Fields | None:
    if not page.has_more:
        return None
    names = ("pk", "sk", keys.partition, keys.sort)
    return {name: page.items[-1][name] for name in names}


def _range(query: Query, keys: Index) -> KeyRange:
    after: Place | None = place_of(query.after, keys) if query.after is not None else None
    if query.prefix is not None:
        return KeyRange.beginning(query.prefix, after=after, latest_first=query.latest_first)
    bounds = {"first": query.first, "last": query.last}
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    return KeyRange(after=after, latest_first=query.latest_first, **given)


def _passes(
    item: Fields,
    only: Mapping[str, Sequence[str]],
    without: Mapping[str, Sequence[str]],
    begins: Mapping[str, str],
) -> bool:
    has_all = all(item.get(name) in values for name, values in only.items() if values)
    begins_so = all(str(item.get(name, "")).startswith(text) for name, text in begins.items())
    has_none = not any(item.get(name) in values for name, values in without.items())
    return has_all and begins_so and has_none


def _shown(items: Iterable[Fields], index: str | None, fields: Sequence[str]) -> list[Fields]:
    """Return items as a page shows them: of an index, its keys and what it projects."""
    if index is None:
        return [_projected(item, fields) for item in items]
    keys = INDEXES[index]
    there = ("pk", "sk", keys.partition, keys.sort, *keys.projected)
    names = [name for name in there if name in fields] if fields else there
    return [_projected(item, names) for item in items]


def _projected(item: Fields, fields: Sequence[str]) -> Fields:
    return {name: item[name] for name in fields if name in item} if fields else dict(item)


def _refusal(write: Write | Put, item: Fields | None) -> Refusal:
    if is_met(write, item):
        return Refusal(code=_NO_REFUSAL)
    return Refusal(code=REFUSED, found=dict(item) if item and shows(write) else None)


def _check_distinct(writes: Sequence[Write | Put]) -> None:
    places = {(write.table, key_of(write)) for write in writes}
    if len(places) != len(writes):
        message = f"One item is named twice among {writes}."
        raise ValueError(message)
