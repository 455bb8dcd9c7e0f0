"""Creations a second of one tenant that are counted against a quota, as one JSON line.

    {"creations": [{"writers": 64, "quota": 1000000, "created_per_second": 970, …}, …], …}

    python -m bench.contention

The tally and its transactions are the code's own, with their repetitions and pauses, on tables in
memory that say of conflicts what DynamoDB says: a transaction that meets another one under way at
the same item is cancelled. It says nothing about DynamoDB's speed: a round trip takes what is
assumed here.
"""

import json
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Lock

from bench.alternatives.origin import origin
from tests.support.factories import TENANT, job_id
from timegate.adapters.dynamo.limits.creations import LARGE
from timegate.adapters.dynamo.limits.tally import QuotaTally
from timegate.adapters.dynamo.tables.engine import Refusal
from timegate.adapters.dynamo.tables.keys import Key, job_key
from timegate.adapters.dynamo.tables.writes import Put, Update, Write
from timegate.adapters.memory.effects import key_of
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.execution.quota_usage import Quota
from timegate.domain.values.errors import Throttled

#: Duration of a transaction in DynamoDB, from reports.
ROUND_TRIP_SECONDS = 0.008
WRITERS = (1, 4, 16, 64)
#: Creations of each writer.
WRITES = 40
#: The largest quota that is counted in one record, and one that is allotted to sixteen.
QUOTAS = (LARGE - 1, 1_000_000)


class Conflicts(MemoryEngine):
    """Tables whose transactions meet each other."""

    def __init__(self) -> None:
        super().__init__()
        self._meeting = Lock()
        self._under_way: set[Key] = set()
        self.refused = 0

    def transact(self, writes: Sequence[Write | Put], *, is_named: bool = False) -> list[Refusal]:
        """Write, unless another transaction is about to write one of these items."""
        with self._held({key_of(write) for write in writes}) as meets:
            time.sleep(ROUND_TRIP_SECONDS / 2 if meets else ROUND_TRIP_SECONDS)
            if meets:
                return [Refusal(code="TransactionConflict")] * len(writes)
            return super().transact(writes, is_named=is_named)

    @contextmanager
    def _held(self, items: set[Key]) -> Iterator[bool]:
        with self._meeting:
            meets = bool(self._under_way & items)
            self.refused += meets
            if not meets:
                self._under_way |= items
        yield meets
        if not meets:
            with self._meeting:
                self._under_way -= items


def measure(writers: int, quota: int) -> dict[str, float]:
    """So many who create one job after the other, under a quota."""
    engine = Conflicts()
    tally = QuotaTally(engine, table="jobs", quota=Quota.JOBS)
    _create(tally, "first", quota)
    took: list[float] = []
    given_up: list[int] = []

    def create(number: int) -> None:
        began = time.perf_counter()
        try:
            _create(tally, f"{number}", quota)
        except Throttled:
            given_up.append(number)
        took.append(time.perf_counter() - began)

    began = time.perf_counter()
    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(create, range(writers * WRITES)))
    seconds = time.perf_counter() - began
    took.sort()
    return {
        "writers": writers,
        "quota": quota,
        "created_per_second": round((len(took) - len(given_up)) / seconds),
        "tries": round(1 + engine.refused / len(took), 2),
        "p50_ms": round(took[len(took) // 2] * 1000),
        "p99_ms": round(took[len(took) * 99 // 100] * 1000),
        "given_up": len(given_up),
    }


def _create(tally: QuotaTally, name: str, quota: int) -> None:
    job = job_id(name)
    stored = Update(
        table="jobs", key=job_key(TENANT, job), fields={"name": name}, where={}, creates=True
    )
    assert tally.write((TENANT, job), [stored], counts=(False, True), limit=quota)


def main() -> None:
    """Print the measure of each quota and number of writers."""
    found = [measure(writers, quota) for quota in QUOTAS for writers in WRITERS]
    sys.stdout.write(f"{json.dumps({**origin(), 'creations': found})}\n")


if __name__ == "__main__":
    main()
