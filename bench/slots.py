"""Claims a second of one concurrency key, whose runs meet there, as one JSON line.

    {"keys": [{"workers_and_slots": 20, "waiting": 1000, "runs_a_second": 132, …}, …], …}

    python -m bench.slots

The store is the code's own, with its repetitions and pauses, on tables in memory of which each call
takes a round trip. Each slot has a worker. Without a line it claims run after run; with one, each
end calls the first of the line, a worker receives it and claims, and another run joins. Units are
those that AWS bills. They bound a partition's throughput: 1,000 units written a second, and 3,000
read.
"""

import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import count
from queue import Empty, Queue
from threading import Lock

from bench.alternatives.origin import origin
from tests.support.execution.metered import MeteredEngine
from timegate.adapters.dynamo.limits.slot_store import DynamoSlotStore
from timegate.adapters.dynamo.tables.engine import Fields, Query, Rows
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.writes import Write, WriteResult
from timegate.domain.execution.contention import Contender, contend
from timegate.domain.limits.overlap import OverlapPolicy, SlotKey
from timegate.domain.limits.slots import Bid, SlotHold, SlotRefused, SlotWaiter, free_places
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import AttemptId, Origin, RunId, job_id_from
from timegate.domain.values.tenant import TenantId
from timegate.ports.limits.slots import Reach
from timegate.usecases.limits.overlap_releases import SPARE

#: Duration of a single read or write in DynamoDB, from reports.
ROUND_TRIP_SECONDS = 0.005
WORKERS = (1, 5, 20)
#: Runs that wait for a slot.
LINES = (0, 10, 1_000)
CLAIMS = 40
WRITTEN_A_SECOND, READ_A_SECOND = 1_000, 3_000
NOW = datetime(2026, 11, 22, tzinfo=UTC)
KEY = SlotKey(tenant=TenantId("acme"), name="database")


class Distant(MeteredEngine):
    """Tables a round trip away; a call takes effect in its middle."""

    def __init__(self) -> None:
        super().__init__()
        self._one = Lock()
        self.tries = 0

    def get(self, table: str, key: Key, *, fields: Sequence[str] = ()) -> Fields | None:
        """Return an item."""
        with _Trip(), self._one:
            return super().get(table, key, fields=fields)

    def query(self, query: Query) -> Rows:
        """Return one page."""
        with _Trip(), self._one:
            return super().query(query)

    def write(self, write: Write) -> WriteResult:
        """Write one item."""
        with _Trip(), self._one:
            result = super().write(write)
            self.tries += not result.done
            return result


class _Trip:
    def __enter__(self) -> None:
        time.sleep(ROUND_TRIP_SECONDS / 2)

    def __exit__(self, *_: object) -> None:
        time.sleep(ROUND_TRIP_SECONDS / 2)


def waiter(number: int) -> SlotWaiter:
    """A run of a job of its own, due a second after the one before."""
    run = RunId(
        job_id=job_id_from(f"job {number}".encode()), origin=Origin.SCHEDULE, scheduled_at=NOW
    )
    attempt = AttemptId(run=run, number=1)
    return SlotWaiter(due_at=NOW + timedelta(seconds=number), attempt=attempt)


class Contest:
    """A key whose every slot has a worker, and a line of a certain length."""

    def __init__(self, workers: int, waiting: int) -> None:
        self.engine = Distant()
        self.workers, self.waiting = workers, waiting
        self.stores = [DynamoSlotStore(self.engine, table="jobs") for _ in range(workers)]
        self.took: list[float] = []
        self.given_up = 0
        self._numbers = count()
        self._called: Queue[SlotWaiter] = Queue()
        self._known: set[SlotWaiter] = set()

    def run(self) -> float:
        """Let each worker do run after run; the seconds it took."""
        holds = [self._claim(worker, self._due()) for worker in range(self.workers)]
        with ThreadPoolExecutor(64) as pool:
            line = [self._due() for _ in range(self.waiting)]
            assert not any(pool.map(partial(self._claim, 0), line))
        self.engine.reset()
        self.engine.tries = 0
        self.took.clear()
        began = time.perf_counter()
        with ThreadPoolExecutor(self.workers) as pool:
            list(pool.map(self._work, range(self.workers), holds))
        return time.perf_counter() - began

    def _work(self, worker: int, hold: SlotHold | None) -> None:
        for _ in range(CLAIMS):
            if hold is not None:
                self._end(worker, hold)
            if self.waiting:
                hold = self._receive(worker)
                if (at_once := self._claim(worker, self._due())) is not None:
                    self._end(worker, at_once)
            else:
                hold = self._claim(worker, self._due())

    def _receive(self, worker: int) -> SlotHold | None:
        try:
            mine = self._called.get(timeout=1)
        except Empty:
            return None
        self._known.discard(mine)
        return self._claim(worker, mine)

    def _end(self, worker: int, hold: SlotHold) -> None:
        store = self.stores[worker]
        store.release(KEY, hold, now=NOW)
        slots = store.look(KEY, now=NOW, most=1 + SPARE)
        for each in slots.waiters[: free_places(slots, limit=self.workers, now=NOW)]:
            if each not in self._known:
                self._known.add(each)
                self._called.put(each)

    def _due(self) -> SlotWaiter:
        return waiter(next(self._numbers))

    def _claim(self, worker: int, mine: SlotWaiter) -> SlotHold | None:
        hold = SlotHold(attempt=mine.attempt, owner=f"executor-{worker:020}", fence=1)
        bid = Bid(
            hold=hold,
            due_at=mine.due_at,
            expires_at=NOW + timedelta(seconds=60),
            limit=self.workers,
            was_queued=True,
        )
        contender = Contender(bid=bid, policy=OverlapPolicy.QUEUE)
        began = time.perf_counter()
        try:
            outcome = self.stores[worker].change(
                KEY,
                lambda slots: contend(slots, [contender], now=NOW),
                now=NOW,
                reach=Reach(most=SPARE, slots=self.workers, until=mine),
            )[0]
        except Throttled:
            self.given_up += 1
            return None
        if isinstance(outcome, SlotRefused):
            return None
        self.took.append(time.perf_counter() - began)
        return hold


def measure(workers: int, waiting: int) -> dict[str, float]:
    """Measure so many workers with a slot each, and so many in the line."""
    contest = Contest(workers, waiting)
    seconds = contest.run()
    took, engine = sorted(contest.took), contest.engine
    written, read = engine.units.total() / len(took), engine.read_units / len(took)
    return {
        "workers_and_slots": workers,
        "waiting": waiting,
        "runs_a_second": round(len(took) / seconds),
        "units_written_a_run": round(written, 2),
        "units_read_a_run": round(read, 2),
        "a_partition_allows_a_second": round(min(WRITTEN_A_SECOND / written, READ_A_SECOND / read)),
        "refused_a_run": round(engine.tries / len(took), 2),
        "claim_p50_ms": round(took[len(took) // 2] * 1000),
        "claim_p99_ms": round(took[len(took) * 99 // 100] * 1000),
        "given_up": contest.given_up,
    }


def main() -> None:
    """Print the measure of each line and number of workers."""
    found = [measure(workers, waiting) for waiting in LINES for workers in WORKERS]
    sys.stdout.write(f"{json.dumps({**origin(), 'keys': found})}\n")


if __name__ == "__main__":
    main()
