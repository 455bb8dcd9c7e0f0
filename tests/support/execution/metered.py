"""The engine in memory with a meter: calls, and the units that AWS bills for them.

The rules are AWS's: a unit for each KB that is begun, of the larger of the item before and after;
two in a transaction; the same for a write that its condition refuses. An index bills a unit for an
item that enters it, leaves it or shows another value, and two for one that changes its place.
A read bills a unit for each 4 KB that is begun, one for an item that is not there, and half of that
where it need not be consistent. A query bills the sum of its items, filtered ones included.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import wraps
from threading import RLock
from typing import Concatenate, ParamSpec, TypeVar

from timegate.adapters.dynamo.tables.engine import Fields, Query, Refusal, Rows
from timegate.adapters.dynamo.tables.indexes import JOBS_INDEXES, RUNS_INDEXES, Index
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import size_of
from timegate.adapters.dynamo.tables.writes import Put, Statement, Update, Write, WriteResult
from timegate.adapters.memory.effects import key_of
from timegate.adapters.memory.engine import MemoryEngine

_KILOBYTE = 1024
_READ = 4 * _KILOBYTE
_INDEXES = {"jobs": JOBS_INDEXES, "runs": RUNS_INDEXES}
#: Statements that one call takes.
_STATEMENTS = 25


_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def _one_at_a_time(
    call: "Callable[Concatenate[MeteredEngine, _Given], _Answer]",
) -> "Callable[Concatenate[MeteredEngine, _Given], _Answer]":
    """Count a call as a whole: runs of a batch call from threads of their own."""

    @wraps(call)
    def counted(self: "MeteredEngine", /, *given: _Given.args, **named: _Given.kwargs) -> _Answer:
        with self.metering:
            return call(self, *given, **named)

    return counted


class MeteredEngine(MemoryEngine):
    """Tables named ``jobs`` and ``runs``."""

    def __init__(self) -> None:
        super().__init__()
        self.metering = RLock()
        #: By operation of DynamoDB.
        self.calls: Counter[str] = Counter()
        #: By table and index.
        self.units: Counter[str] = Counter()
        self.read_units = 0.0
        self._factor = 1

    def reset(self) -> None:
        """Begin to count anew."""
        self.calls.clear()
        self.units.clear()
        self.read_units = 0.0

    @_one_at_a_time
    def get(self, table: str, key: Key, *, fields: Sequence[str] = ()) -> Fields | None:
        """Return an item."""
        self.calls["GetItem"] += 1
        self._bill_reads(table, [key])
        return super().get(table, key, fields=fields)

    @_one_at_a_time
    def get_all(self, wanted: Mapping[str, Sequence[Key]]) -> dict[str, dict[Key, Fields]]:
        """Return items."""
        self.calls["BatchGetItem"] += 1
        for table, keys in wanted.items():
            self._bill_reads(table, keys)
        return super().get_all(wanted)

    @_one_at_a_time
    def query(self, query: Query) -> Rows:
        """Return one page."""
        self.calls["Query"] += 1
        looked_at = super().query(
            replace(query, only={}, without={}, begins={}, fields=(), counts_only=False)
        )
        size = sum(map(size_of, looked_at.items))
        self.read_units += max(-(-size // _READ), 1) * (1 if query.consistent else 0.5)
        return super().query(query)

    @_one_at_a_time
    def write(self, write: Write) -> WriteResult:
        """Write one item."""
        self.calls["UpdateItem" if isinstance(write, Update) else "PutItem"] += 1
        return self._write(write)

    def write_each(self, writes: Sequence[Write]) -> list[WriteResult]:
        """Write each item by itself."""
        return [self.write(write) for write in writes]

    @_one_at_a_time
    def execute(self, writes: Sequence[Statement]) -> list[WriteResult]:
        """Write items in batches."""
        self.calls["BatchExecuteStatement"] += -(-len(writes) // _STATEMENTS)
        return [self._write(write) for write in writes]

    @_one_at_a_time
    def put_all(self, table: str, puts: Sequence[Put]) -> None:
        """Store items, whatever is there."""
        self.calls["BatchWriteItem"] += -(-len(puts) // _STATEMENTS)
        super().put_all(table, puts)

    @_one_at_a_time
    def transact(self, writes: Sequence[Write | Put], *, is_named: bool = False) -> list[Refusal]:
        """Write all or nothing; what is refused is billed as well."""
        self.calls["TransactWriteItems"] += 1
        self._factor = 2
        refusals = super().transact(writes, is_named=is_named)
        if refusals:
            for write in writes:
                self._bill_refused(write)
        self._factor = 1
        return refusals

    def _write(self, write: Write) -> WriteResult:
        result = super().write(write)
        if not result.done:
            self._bill_refused(write)
        return result

    def _store(self, write: Write | Put, key: Key, before: Fields | None) -> Fields:
        after = super()._store(write, key, before)
        table = write.table
        self.units[table] += self._factor * max(_units(before), _units(after))
        for name, index in _INDEXES[table].items():
            if billed := _index_units(index, before, after):
                self.units[f"{table}/{name}"] += billed
        return after

    def _bill_reads(self, table: str, keys: Sequence[Key]) -> None:
        for key in keys:
            item = MemoryEngine.get(self, table, key)
            self.read_units += max(-(-size_of(item) // _READ), 1) if item is not None else 1

    def _bill_refused(self, write: Write | Put) -> None:
        there = MemoryEngine.get(self, write.table, key_of(write))
        self.units[write.table] += self._factor * max(_units(there), 1)


def _index_units(index: Index, before: Fields | None, after: Fields | None) -> int:
    old, new = _shown(index, before), _shown(index, after)
    if old == new:
        return 0
    if old is None or new is None:
        return _units(old or new)
    if all(old[name] == new[name] for name in (index.partition, index.sort)):
        return max(_units(old), _units(new))
    return _units(old) + _units(new)


def _shown(index: Index, item: Fields | None) -> Fields | None:
    """Return what an index has of an item; ``None``: it is not in it."""
    if item is None or item.get(index.partition) is None or item.get(index.sort) is None:
        return None
    names = ("pk", "sk", index.partition, index.sort, *index.projected)
    return {name: item[name] for name in names if name in item}


def _units(item: Fields | None) -> int:
    return -(-size_of(item) // _KILOBYTE) if item is not None else 0
