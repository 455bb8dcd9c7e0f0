"""What it costs that creations, and first claims, of one tenant are counted in one record.

    python -m bench.contention

The transactions are the code's own, with its repetitions and pauses, on a table that does nothing
but what DynamoDB says of conflicts: a transaction that meets another one under way at the same
item is cancelled. It says nothing about DynamoDB's speed: a round trip takes what is assumed here.
"""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock
from typing import Any

from timegate.adapters.dynamo.transactions import write_or_refuse
from timegate.domain.errors import Throttled

#: Of a transaction, as DynamoDB is known to take it.
ROUND_TRIP_SECONDS = 0.008
WRITES = 40


class Conflicts:
    """A client for transactions that meet each other."""

    class exceptions:  # noqa: N801 - boto3's
        """As boto3 has them."""

        class TransactionCanceledException(Exception):
            """With a reason for each member."""

            response = {"CancellationReasons": [{"Code": "TransactionConflict"}]}  # noqa: RUF012

    def __init__(self) -> None:
        self._lock = Lock()
        self._under_way: set[str] = set()
        self.refused = 0

    def transact_write_items(self, *, TransactItems: list[str]) -> None:  # noqa: N803 - boto3's
        """Write, unless somebody else is about to write one of these items."""
        with self._held(TransactItems):
            time.sleep(ROUND_TRIP_SECONDS)

    @contextmanager
    def _held(self, items: list[str]) -> Iterator[None]:
        with self._lock:
            meets = bool(self._under_way & set(items))
            self.refused += meets
            if not meets:
                self._under_way |= set(items)
        if meets:
            time.sleep(ROUND_TRIP_SECONDS / 2)
            raise self.exceptions.TransactionCanceledException
        try:
            yield
        finally:
            with self._lock:
                self._under_way -= set(items)


def measure(writers: int, parts: int) -> dict[str, float]:
    """So many who write one after the other, each time to one of so many records."""
    client: Any = Conflicts()
    took: list[float] = []
    given_up: list[int] = []

    def write(number: int) -> None:
        began = time.perf_counter()
        try:
            write_or_refuse(client, [f"part {number % parts}"])
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
        "tries": round(1 + client.refused / len(took), 2),
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
