"""A tick of the planner over 10, 10,000 and a million registered jobs, as one JSON line.

    {"sizes": [{"registered": 1000000, "due": 1000, "calls": 51, "read_units": 152.0, …}, …], …}

Stores and tick are the real ones, over tables in memory that count as DynamoDB bills. So many jobs
of the shard are due within the look-ahead; all others wait for an instant of the coming year.
``scan`` is what a planner without an index would read: the table of jobs, once.
Exits with 1 when a job that is due has not exactly one run.

    python -m bench.planning.registered [MOST]
"""

import json
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from typing import Any

from bench.alternatives.origin import origin
from tests.support.execution.metered import MeteredEngine
from tests.support.factories import NOW, job_factory, job_id
from tests.support.stores.records import JOBS_TABLE, Records
from tests.support.world import World
from timegate.adapters.dynamo.jobs.job_items import job_to_fields
from timegate.adapters.dynamo.tables.values import size_of
from timegate.adapters.dynamo.tables.writes import Put
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.tenant import TenantId

SIZES = (10, 10_000, 1_000_000)
#: Jobs that are due within the look-ahead, at most.
DUE = 1_000
YEAR = timedelta(days=365)
SOON = NOW + timedelta(minutes=5)
YEARLY = Schedule(kind=ScheduleKind.RATE, every_seconds=int(YEAR.total_seconds()))
#: Items that are stored at once.
_BATCH = 1_000
_READ = 4 * 1024
#: Jobs of a tenant.
_OF_TENANT = 1_000


def due_jobs(registered: int) -> int:
    """Return how many of the registered jobs are due."""
    return min(DUE, registered)


def items(registered: int) -> Iterator[dict[str, Any]]:
    """Build the item of each job: the first ones are due, and the others wait within a year."""
    due = due_jobs(registered)
    for number in range(registered):
        waits = timedelta(days=1) + (YEAR - timedelta(days=1)) * number / registered
        at = SOON if number < due else NOW + waits
        job = job_factory(
            job_id=job_id(f"registered {number}"),
            tenant=TenantId(f"tenant-{number // _OF_TENANT}"),
            schedule=YEARLY,
            anchored_at=at - YEAR,
            next_run_at=at,
        )
        yield job_to_fields(job, shards=ONE_SHARD)


def filled(registered: int) -> tuple[MeteredEngine, int]:
    """Fill a table; return it, and its size in bytes."""
    engine, size = MeteredEngine(), 0
    made = items(registered)
    while batch := list(islice(made, _BATCH)):
        size += sum(map(size_of, batch))
        puts = [Put(table=JOBS_TABLE, fields=each) for each in batch]
        MemoryEngine.put_all(engine, JOBS_TABLE, puts)
        # The stream of a million jobs has no reader here.
        engine.changes.clear()
    engine.reset()
    return engine, size


def measure(registered: int) -> dict[str, Any]:
    """Plan one tick."""
    engine, size = filled(registered)
    world = World(tables=Records(engine))
    began = time.process_time()
    world.tick()
    processor = time.process_time() - began
    due = due_jobs(registered)
    return {
        "registered": registered,
        "due": due,
        "planned": len(world.tables.attempts),
        "calls": engine.calls.total(),
        "read_units": engine.read_units,
        "write_units_per_job": round(engine.units.total() / due, 2),
        "processor_ms_per_job": round(processor * 1000 / due, 3),
        "scan_read_units": -(-size // _READ) / 2,
    }


def main(words: list[str]) -> int:
    """Print the measure of each size; return the exit code."""
    most = int(words[0]) if words else SIZES[-1]
    sizes = [measure(each) for each in SIZES if each <= most]
    sys.stdout.write(f"{json.dumps({**origin(), 'sizes': sizes})}\n")
    return int(any(each["planned"] != each["due"] for each in sizes))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
