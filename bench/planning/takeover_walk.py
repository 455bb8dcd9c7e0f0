"""The walk over all jobs after a promotion: calls, read units and time, as one JSON line.

    {"jobs": 10000, "shares": 64, "calls_per_job": 1.1, "read_units_per_job": 1.6, …}

Stores and walk are the real ones, over tables in memory that count as DynamoDB bills. One job
in a thousand fires each minute, 99 each hour and the others once a day, and each has its records of
the last hours: nothing is missing. Time is computed: calls of eight jobs at once, of six
milliseconds each, and the processor time of this machine.

    python -m bench.planning.takeover_walk [JOBS] [SHARES]
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

from bench.cost.meter import CALL_SECONDS
from infra.stage.settings import STAGES
from tests.support.execution.metered import MeteredEngine
from tests.support.factories import NOW, attempt_factory, job_factory, job_id
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE, Records
from tests.support.world import World
from timegate.adapters.dynamo.auditing.takeover_walks import DynamoTakeoverWalks
from timegate.adapters.dynamo.jobs.job_items import job_to_fields
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_to_fields
from timegate.adapters.dynamo.tables.engine import Rows, Scan
from timegate.adapters.dynamo.tables.values import size_of
from timegate.adapters.dynamo.tables.writes import Put
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.auditing.unarrived import LostTime
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.jobs.job import Job
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.regions.region_record import LOOK_AGAIN_AT
from timegate.domain.runs.run import RunState
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.usecases.planning.mend_jobs import LOOKERS, Share, mend_jobs

JOBS, SHARES = 10_000, 64
#: Seconds between two instants, by the number of a job.
MINUTE, HOUR, DAY = 60, 3_600, 86_400
OF, MINUTELY, HOURLY = 1_000, 1, 99
AHEAD = timedelta(minutes=10)
BEFORE = timedelta(hours=31)
_READ = 4 * 1024


class ScannedEngine(MeteredEngine):
    """Counts pages of the table as well: they read items of every kind."""

    def scan(self, scan: Scan) -> Rows:
        """Return one page."""
        self.calls["Scan"] += 1
        page = MemoryEngine.scan(self, Scan(**(vars_of(scan) | {"only": {}, "fields": ()})))
        self.read_units += max(-(-sum(map(size_of, page.items)) // _READ), 1) / 2
        return MemoryEngine.scan(self, scan)


def vars_of(scan: Scan) -> dict[str, Any]:
    """Return the fields of a scan."""
    return {name: getattr(scan, name) for name in scan.__slots__}


def every(number: int) -> int:
    """Return the seconds between two instants of a job."""
    kind = number % OF
    return MINUTE if kind < MINUTELY else HOUR if kind < MINUTELY + HOURLY else DAY


def job_of(number: int) -> Job:
    """Build a job that was planned ten minutes ahead, at an offset of its own."""
    step = every(number)
    anchor = NOW - timedelta(days=1, seconds=number * 7 % step)
    passed = (NOW + AHEAD - anchor) // timedelta(seconds=step)
    return job_factory(
        job_id=job_id(f"job {number}"),
        schedule=Schedule(kind=ScheduleKind.RATE, every_seconds=step),
        anchored_at=anchor,
        next_run_at=anchor + timedelta(seconds=(passed + 1) * step),
    )


def runs_of(job: Job, number: int) -> Iterator[dict[str, Any]]:
    """Build the record of each instant of the day before, and of those planned ahead."""
    step = timedelta(seconds=every(number))
    at = job.timing.next_run_at
    assert at is not None
    while (at := at - step) >= NOW - BEFORE:
        run = RunId(job_id=job.job_id, origin=Origin.SCHEDULE, scheduled_at=at)
        state = RunState.SUCCEEDED if at < NOW else RunState.QUEUED
        made = attempt_factory(id=AttemptId(run=run, number=1), due_at=at, state=state)
        yield attempt_to_fields(made, shards=ONE_SHARD, retention=timedelta(days=30))


def filled(jobs: int) -> ScannedEngine:
    """Fill tables with jobs and their records."""
    engine = ScannedEngine()
    for number in range(jobs):
        job = job_of(number)
        item = job_to_fields(job, shards=ONE_SHARD)
        MemoryEngine.put_all(engine, JOBS_TABLE, [Put(table=JOBS_TABLE, fields=item)])
        runs = [Put(table=RUNS_TABLE, fields=each) for each in runs_of(job, number)]
        MemoryEngine.put_all(engine, RUNS_TABLE, runs)
    engine.reset()
    return engine


def measure(jobs: int, shares: int) -> dict[str, Any]:
    """Walk all shares, one after the other."""
    engine = filled(jobs)
    world = World(tables=Records(engine))
    walks = DynamoTakeoverWalks(engine, table=JOBS_TABLE, jobs_table=JOBS_TABLE)
    lost = LostTime(since=NOW - LOOK_AGAIN_AT, until=NOW)
    longest, calls, processor = 0.0, Counter[str](), 0.0
    for shard in range(shares):
        began = time.process_time()
        before = engine.calls.total()
        done = mend_jobs(
            Share(shard=shard, of=shares),
            1,
            lost,
            walks,
            world.rules.rules_at_hand,
            world.scheduling,
            now=NOW + timedelta(minutes=3),
            has_time=lambda: True,
        )
        assert done
        own = time.process_time() - began
        processor += own
        made = engine.calls.total() - before
        longest = max(longest, own + made * CALL_SECONDS / LOOKERS)
    calls.update(engine.calls)
    per_tick = STAGES["prod"].shards_per_tick
    return {
        "jobs": jobs,
        "shares": shares,
        "calls": dict(calls),
        "calls_per_job": round(calls.total() / jobs, 3),
        "read_units_per_job": round(engine.read_units / jobs, 2),
        "processor_ms_per_job": round(processor * 1000 / jobs, 3),
        "seconds_of_the_longest_share": round(longest, 1),
        "seconds_of_its_tick": round(longest * per_tick, 1),
    }


def main(words: list[str]) -> None:
    """Print the measure of so many jobs and shares."""
    jobs = int(words[0]) if words else JOBS
    shares = int(words[1]) if words[1:] else SHARES
    print(json.dumps(measure(jobs, shares)))


if __name__ == "__main__":
    main(sys.argv[1:])
