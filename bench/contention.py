"""What it costs that creations, and first claims, of one tenant are counted in one record.

    python -m bench.contention

The transactions are the code's own, with its repetitions and pauses, on a table that does nothing
but what DynamoDB says of conflicts: a transaction that meets another one under way at the same
item is cancelled. It says nothing about DynamoDB's speed: a round trip takes what is assumed here.
"""

import json
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import Any

from timegate.adapters.dynamo.tables.engine import Refusal
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.transactions import write_or_refuse
from timegate.adapters.dynamo.tables.writes import Count
from timegate.domain.values.errors import Throttled

#: Of a transaction, as DynamoDB is known to take it.
ROUND_TRIP_SECONDS = 0.008
WRITES = 40


class Conflicts:
    """An engine of transactions that meet each other."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._under_way: set[Key] = set()
        self.refused = 0

    def transact(self, writes: Sequence[Count]) -> list[Refusal]:
        """Write, unless another transaction is about to write one of these items."""
        keys = {write.key for write in writes}
        with self._held(keys) as meets:
            time.sleep(ROUND_TRIP_SECONDS / 2 if meets else ROUND_TRIP_SECONDS)
        return [Refusal(code="TransactionConflict")] if meets else []

    @contextmanager
    def _held(self, items: set[Key]) -> Iterator[bool]:
        with self._lock:
            meets = bool(self._under_way & items)
            self.refused += meets
            if not meets:
                self._under_way |= items
        yield meets
        if not meets:
            with self._lock:
                self._under_way -= items


def measure(writers: int, parts: int) -> dict[str, float]:
    """So many who write one after the other, each time to one of so many records."""
    engine: Any = Conflicts()
    took: list[float] = []
    given_up: list[int] = []

    def write(number: int) -> None:
        began = time.perf_counter()
        try:
            part = Key(pk="parts", sk=f"{number % parts}")
            write_or_refuse(engine, [Count(table="runs", key=part)])
        except Throttled:
            given_up.append(number)
        took.append(time.perf_counter() - began)

    began = time.perf_counter()
    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(write, range(writers * WRITES)))
    seconds = time.perf_counter() - began
    took.sort()
    return {
        "writers": writers,
        "parts": parts,
        "written_per_second": round((len(took) - len(given_up)) / seconds),
        "tries": round(1 + engine.refused / len(took), 2),
        "p50_ms": round(took[len(took) // 2] * 1000),
        "p99_ms": round(took[len(took) * 99 // 100] * 1000),
        "given_up": len(given_up),
    }


def main() -> None:
    """Print what was measured, one line for each number of writers and records."""
    for parts in (1, 16):
        for writers in (1, 4, 16, 64):
            print(json.dumps(measure(writers, parts)))


if __name__ == "__main__":
    main()
