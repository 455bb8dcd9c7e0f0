"""One planner tick over a bucket of jobs that are all due at midnight (N3), as one JSON line.

    {"jobs": 20000, "tick": {"seconds": 31.4, "jobs_per_second": 637, "cpu_ms_per_job": …}, …}

Stores, tick and requests are the real ones; the tables are new ones in an emulator of their own, so
that planned runs are not executed. The emulator is one process on this machine: what carries over
to AWS is calls, write units and the planner's own processor time, not jobs a second. ``naive`` is
what one would write first: store the run, then move the job, one job after the other, without a
transaction; ``naive_threads`` does that on as many threads as the planner has. Exits with 1 when a
job has not exactly one run.

    python -m bench.planner_tick [JOBS]
"""

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.alternatives.origin import origin
from bench.planning.consumption import Consumption, consumed
from bench.planning.naive_planner import plan_naively
from infra.local.cloud import LocalCloud
from tests.support.factories import job_factory, job_id
from tests.support.stores.contract_stores import Stores, dynamo_stores
from timegate.adapters.dynamo.jobs.job_items import job_to_fields
from timegate.adapters.dynamo.tables.boto_engine import SIDE_BY_SIDE
from timegate.adapters.dynamo.tables.values import Item, to_item
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.memory.publisher import MemoryPublisher
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.domain.dispatch.shards import ONE_SHARD, ShardTurn
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.instants import minute_of
from timegate.runtime import clients
from timegate.usecases.planning.plan_shard import WRITERS, plan_shard
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.planner_services import Scheduling

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

JOBS = 20_000
#: Jobs measured beside it, and for the write units.
SAMPLE = 1_000
MIDNIGHT = datetime(2026, 11, 22, tzinfo=UTC)
#: The tick in whose look-ahead midnight is. It stands still: a lease that ends would end the tick.
NOW = MIDNIGHT - timedelta(minutes=8)
DAILY = Schedule(kind=ScheduleKind.CRON, cron="0 0 * * *", timezone="UTC")
BATCH = 25


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A client, and tables filled with jobs."""

    client: "DynamoDBClient"
    name: str
    jobs: int

    def filled(self) -> Stores:
        """New tables, one shard, all jobs due at midnight."""
        stores = dynamo_stores(self.client, self.name, shards=1)
        items = self._items()
        while batch := list(islice(items, BATCH)):
            puts: Any = [{"PutRequest": {"Item": item}} for item in batch]
            self.client.batch_write_item(RequestItems={f"jobs-{self.name}": puts})
        return stores

    def runs_stored(self) -> int:
        """Count the runs."""
        pages = self.client.get_paginator("scan").paginate(
            TableName=f"runs-{self.name}", Select="COUNT"
        )
        return sum(page["Count"] for page in pages)

    def _items(self) -> Iterator[Item]:
        for number in range(self.jobs):
            job = job_factory(
                job_id=job_id(f"midnight {number}"), schedule=DAILY, next_run_at=MIDNIGHT
            )
            yield to_item(job_to_fields(job, shards=ONE_SHARD))


def main() -> None:
    """Measure and report."""
    jobs = int(sys.argv[1]) if len(sys.argv) > 1 else JOBS
    with tempfile.TemporaryDirectory() as home:
        cloud = LocalCloud.start(Path(home))
        try:
            os.environ.update(cloud.environment)
            with closing(clients.dynamodb()) as client:
                report = {**origin(), **_report(client, jobs)}
        finally:
            cloud.stop()
    sys.stdout.write(f"{json.dumps(report)}\n")
    sys.exit(not report["one_run_each"])


def _report(client: "DynamoDBClient", jobs: int) -> dict[str, Any]:
    sample = Bench(client=client, name="sample", jobs=SAMPLE)
    tick_cost = _cost(sample, _tick)
    whole = Bench(client=client, name="tick", jobs=jobs)
    tick = _timed(whole, _tick)
    naive = Bench(client=client, name="naive", jobs=SAMPLE)
    naive_cost = _cost(naive, lambda stores: _naive(stores, naive, threads=1))
    sequential = Bench(client=client, name="sequential", jobs=SAMPLE)
    one = _timed(sequential, lambda stores: _naive(stores, sequential, threads=1))
    threaded = Bench(client=client, name="threaded", jobs=SAMPLE)
    width = WRITERS * SIDE_BY_SIDE
    many = _timed(threaded, lambda stores: _naive(stores, threaded, threads=width))
    return {
        "jobs": jobs,
        "tick": tick | tick_cost.per_job(SAMPLE),
        "naive": one | naive_cost.per_job(SAMPLE),
        "naive_threads": many,
        "ratio": {
            "to_naive": round(tick["jobs_per_second"] / one["jobs_per_second"], 2),
            "to_naive_threads": round(tick["jobs_per_second"] / many["jobs_per_second"], 2),
            "cpu_to_naive": round(tick["cpu_ms_per_job"] / one["cpu_ms_per_job"], 2),
        },
        "one_run_each": all(each.runs_stored() == each.jobs for each in (whole, sample)),
    }


def _cost(bench: Bench, work: Callable[[Stores], None]) -> Consumption:
    stores = bench.filled()
    with consumed(bench.client) as consumption:
        work(stores)
    return consumption


def _timed(bench: Bench, work: Callable[[Stores], None]) -> dict[str, float]:
    stores = bench.filled()
    begun, begun_cpu = time.perf_counter(), time.process_time()
    work(stores)
    seconds, cpu = time.perf_counter() - begun, time.process_time() - begun_cpu
    return {
        "seconds": round(seconds, 2),
        "jobs_per_second": round(bench.jobs / seconds, 1),
        "cpu_ms_per_job": round(cpu * 1000 / bench.jobs, 3),
    }


def _tick(stores: Stores) -> None:
    telemetry = MemoryTelemetry()
    scheduling = Scheduling(
        jobs=stores.jobs,
        runs=stores.runs,
        restrictions=stores.restrictions,
        calendars=CalendarsAtHand(stores.restrictions, telemetry),
        publisher=MemoryPublisher(),
        telemetry=telemetry,
        clock=MemoryClock(NOW),
        look_ahead=timedelta(minutes=10),
        lead_seconds=1.0,
    )
    turn = ShardTurn(shard=0, opened_at=NOW)
    plan_shard(turn, scheduling, stores.cursors, MemoryClock(NOW), owner="bench")


def _naive(stores: Stores, bench: Bench, *, threads: int) -> None:
    found = stores.jobs.due(minute_of(MIDNIGHT), 0)
    timings = (timing for timing in found if isinstance(timing, Timing))

    def plan(timing: Timing) -> None:
        plan_naively(stores, f"jobs-{bench.name}", timing, now=NOW)

    if threads == 1:
        for timing in timings:
            plan(timing)
        return
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(plan, timings))


if __name__ == "__main__":
    main()
