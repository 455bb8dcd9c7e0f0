"""Writes end with the time of their region: a write behind it could replace the other one's."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from timegate.adapters.dynamo.tables.batches import MAX_WRITES
from timegate.adapters.dynamo.tables.engine import (
    MAX_STATEMENTS,
    Answer,
    Asked,
    Engine,
    Fields,
    Query,
    Refusal,
    Rows,
    Scan,
)
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.writes import Put, Statement, Write, WriteResult


class RegionCheck(Protocol):
    """Answers if the region may write now."""

    def check(self) -> None:
        """Raise ``RegionPassive`` where it may not."""


class FencedEngine:
    """An engine that writes in the time of its region only, and reads at any."""

    def __init__(self, engine: Engine, region: RegionCheck) -> None:
        self._engine = engine
        self._region = region

    def get(self, table: str, key: Key, *, fields: Sequence[str] = ()) -> Fields | None:
        """Return an item, strongly consistent, or the named fields of it."""
        return self._engine.get(table, key, fields=fields)

    def get_all(self, wanted: Mapping[str, Sequence[Key]]) -> dict[str, dict[Key, Fields]]:
        """Return the items of each table that exist, strongly consistent."""
        return self._engine.get_all(wanted)

    def query(self, query: Query) -> Rows:
        """Return one page."""
        return self._engine.query(query)

    def scan(self, scan: Scan) -> Rows:
        """Return one page."""
        return self._engine.scan(scan)

    def write(self, write: Write) -> WriteResult:
        """Write one item."""
        self._region.check()
        return self._engine.write(write)

    def write_each(self, writes: Sequence[Write]) -> list[WriteResult]:
        """Write each item by itself, side by side; each is checked before its call."""
        return self.side_by_side(self.write, writes)

    def execute(self, writes: Sequence[Statement]) -> list[WriteResult]:
        """Write items by statements; each call of them is checked."""
        done: list[WriteResult] = []
        for start in range(0, len(writes), MAX_STATEMENTS):
            self._region.check()
            done += self._engine.execute(writes[start : start + MAX_STATEMENTS])
        return done

    def put_all(self, table: str, puts: Sequence[Put]) -> None:
        """Store items; each call is checked."""
        for start in range(0, len(puts), MAX_WRITES):
            self._region.check()
            self._engine.put_all(table, puts[start : start + MAX_WRITES])

    def delete_all(self, table: str, keys: Sequence[Key]) -> None:
        """Delete items; each call is checked."""
        for start in range(0, len(keys), MAX_WRITES):
            self._region.check()
            self._engine.delete_all(table, keys[start : start + MAX_WRITES])

    def transact(self, writes: Sequence[Write | Put], *, is_named: bool = False) -> list[Refusal]:
        """Try once to write all or nothing."""
        self._region.check()
        return self._engine.transact(writes, is_named=is_named)

    def side_by_side(self, call: Callable[[Asked], Answer], asked: Sequence[Asked]) -> list[Answer]:
        """Return the answers to calls that mostly wait, in order."""
        return self._engine.side_by_side(call, asked)
