"""Measure the effect of one tenant's flood on another (S2), as one JSON line.

    {"planning": {"in turn": {"p99_seconds": 9.4}, "fair shares": …}, "starts": {"alone": …}, …}

The use cases are the real ones, on tables in memory; time is virtual, and each call takes what
calls take on AWS. ``planning``: a planner that was down comes back a second before a flood of one
tenant is due, with a few jobs of another among it; how late the latter are planned. ``starts``: how
late a quiet tenant's runs begin beside a flood that is due at once, on few workers, by what the
queue does (``fair``: as SQS fair queues, ``in turn``: as a queue that knows no tenants, and the
local cloud's) and by whether the flooding tenant has a quota of concurrent runs. Exits with 1 when
the quiet tenant's p99 is above twice that without a flood, where fairness is promised.

    python -m bench.fairness
"""

import heapq
import json
import math
import sys
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from unittest.mock import patch

from bench.alternatives.origin import origin
from tests.support.factories import NOW, OTHER_TENANT, TENANT, attempt_factory, job_factory, job_id
from tests.support.pools.inline_pool import InlinePool
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.execution.call import Answer
from timegate.domain.limits.quotas import Quotas
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.gate import claim_at
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import Advance
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.record_ending import record_ending
from timegate.usecases.execution.supervise_run import Succeeded
from timegate.usecases.planning import plan_shard
from timegate.usecases.planning.fair_shares import FairShares
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.execution_services import Claimed

PLANNED = 6_000
#: Jobs of the quiet tenant, among the former.
QUIET_JOBS = 20
#: 700 jobs a second, twenty-five at a time (docs/design/performance.md).
STEP = timedelta(seconds=25 / 700)

FLOOD = 3_000
QUIET_RUNS = 120
SPREAD = timedelta(seconds=60)
WORKERS = 20
BATCH = 10
QUOTA = 50
CLAIM = timedelta(milliseconds=40)
WORK = timedelta(seconds=1)
SWEEP = timedelta(seconds=60)
TWICE = 2.0


def main() -> None:
    """Measure and report."""
    with patch.object(plan_shard, "ThreadPoolExecutor", InlinePool):
        planning = {
            "in turn": _planned(FairShares(share=sys.maxsize)),
            "fair shares": _planned(FairShares()),
        }
    alone = _starts(flood=0, quota=None, fair=False)
    starts = {
        "alone": alone,
        "in turn": _starts(flood=FLOOD, quota=None, fair=False),
        "in turn, quota": _starts(flood=FLOOD, quota=QUOTA, fair=False),
        "fair": _starts(flood=FLOOD, quota=None, fair=True),
        "fair, quota": _starts(flood=FLOOD, quota=QUOTA, fair=True),
    }
    ratios = {
        name: round(each["p99_seconds"] / alone["p99_seconds"], 2) for name, each in starts.items()
    }
    report = {**origin(), "planning": planning, "starts": starts, "ratios": ratios}
    sys.stdout.write(f"{json.dumps(report)}\n")
    promised = ("fair", "fair, quota", "in turn, quota")
    sys.exit(any(ratios[name] > TWICE for name in promised))


def _planned(shares: FairShares) -> dict[str, float]:
    """Measure the time from due to planned of a quiet tenant's jobs."""
    world = World(now=NOW - timedelta(seconds=1))
    at = Schedule(kind=ScheduleKind.AT, at=NOW)
    for number in range(PLANNED):
        quiet = number % (PLANNED // QUIET_JOBS) == 0
        tenant = OTHER_TENANT if quiet else TENANT
        name = job_id(f"job {number}")
        world.jobs.create(job_factory(tenant=tenant, job_id=name, schedule=at, next_run_at=NOW))
    late: list[float] = []
    plan_all = world.runs.plan_all

    def timed(advances: Sequence[Advance]) -> list[tuple[Attempt, ...] | None]:
        world.clock.set(world.clock.now() + STEP)
        waited = (world.clock.now() - NOW).total_seconds()
        late.extend(max(waited, 0.0) for a in advances if a.timing.tenant == OTHER_TENANT)
        return plan_all(advances)

    with (
        patch.object(world.runs, "plan_all", timed),
        patch.object(plan_shard, "FairShares", lambda: shares),
    ):
        world.tick()
    return _summary(late, QUIET_JOBS)


def _starts(*, flood: int, quota: int | None, fair: bool) -> dict[str, float]:
    """Measure the lateness of a quiet tenant's runs."""
    stage = Stage(fair=fair)
    if quota is not None:
        before = stage.world.tenants.get(TENANT)
        allowed = replace(before, quotas=Quotas(concurrent_runs=quota))
        stage.world.tenants.put(TENANT, before, allowed)
    for number in range(flood):
        stage.add(TENANT, NOW + timedelta(milliseconds=number % 1000), number)
    for number in range(QUIET_RUNS):
        # Never at a whole second: the queue's own rounding is part of what is usual.
        stage.add(
            OTHER_TENANT,
            NOW + SPREAD * (number + 0.5) / QUIET_RUNS + timedelta(milliseconds=7),
            number,
        )
    stage.run()
    return _summary(stage.late, QUIET_RUNS)


@dataclass
class Stage:
    """A queue and its workers, in virtual time."""

    fair: bool
    world: World = field(default_factory=World)
    #: Actions to do, by time.
    agenda: list[tuple[datetime, int, Callable[[], None]]] = field(default_factory=list)
    queue: deque[RunMessage] = field(default_factory=deque)
    free: int = WORKERS
    late: list[float] = field(default_factory=list)
    numbers: Iterator[int] = field(default_factory=count)
    quiet_left: int = 0

    def add(self, tenant: TenantId, due_at: datetime, number: int) -> None:
        """A run of the tenant's job, and its message when the queue shows it."""
        job = job_id(f"job of {tenant} {number}")
        self.world.jobs.create(job_factory(tenant=tenant, job_id=job, next_run_at=None))
        run = RunId(job_id=job, origin=Origin.TRIGGER, scheduled_at=due_at)
        attempt = attempt_factory(
            tenant=tenant, id=AttemptId(run=run, number=1), due_at=due_at, direct=True
        )
        self.world.runs.insert_all([attempt])
        self.quiet_left += tenant == OTHER_TENANT
        # Delays are whole seconds, rounded up.
        shown = NOW + timedelta(seconds=math.ceil((due_at - NOW).total_seconds()))
        self.at(shown, lambda: self.queue.append(RunMessage.of(attempt)))

    def at(self, instant: datetime, act: Callable[[], None]) -> None:
        """Do something later."""
        heapq.heappush(self.agenda, (instant, next(self.numbers), act))

    def run(self) -> None:
        """Until the last of the quiet tenant's runs has begun."""
        self.at(NOW + SWEEP, self._sweep)
        while self.agenda and self.quiet_left:
            instant, _, act = heapq.heappop(self.agenda)
            self.world.clock.set(instant)
            act()
            self._publish()
            while self.free and self.queue and (not self.agenda or self.agenda[0][0] > instant):
                self._work(instant)

    def _sweep(self) -> None:
        self.world.sweep()
        self.at(self.world.clock.now() + SWEEP, self._sweep)

    def _publish(self) -> None:
        """Return runs that the stream shows: those that were called, or swept."""
        self.world.stream()
        sent, self.world.publisher.sent = self.world.publisher.sent, []
        self.queue.extend(each.message for each in sent)

    def _receive(self) -> list[RunMessage]:
        """Take as many as a worker does; a fair queue gives tenants with few messages first."""
        if self.fair:
            others = [each for each in self.queue if each.tenant != TENANT]
            taken = (others + [each for each in self.queue if each.tenant == TENANT])[:BATCH]
            for each in taken:
                self.queue.remove(each)
            return taken
        return [self.queue.popleft() for _ in range(min(BATCH, len(self.queue)))]

    def _work(self, now: datetime) -> None:
        self.free -= 1
        worker = f"worker {next(self.numbers)}"
        execution = self.world.execution(owner=worker)
        batch = self._receive()
        self.world.clock.set(max(now, *(claim_at(message.due_at) for message in batch)))
        claims = claim_runs([delivery(m, next(self.numbers)) for m in batch], execution)
        begun = self.world.clock.now() + CLAIM
        for claimed in claims.held:
            if claimed.attempt.tenant == OTHER_TENANT:
                self.late.append((begun - claimed.attempt.due_at).total_seconds())
                self.quiet_left -= 1
        over = begun + WORK if claims.held else begun
        self.at(over, lambda: self._end(claims.held, worker))

    def _end(self, held: Sequence[Claimed], worker: str) -> None:
        self.free += 1
        execution = self.world.execution(owner=worker)
        completions = Completions(execution.runs, execution.telemetry, window_seconds=0)
        for claimed in held:
            completions.begin()
            ended = Succeeded(started_at=self.world.clock.now() - WORK, answer=Answer(text="ok"))
            record_ending(claimed, ended, execution, completions)


def _summary(late: list[float], expected: int) -> dict[str, float]:
    if len(late) != expected:
        sys.exit(f"{len(late)} of {expected} runs began")
    ordered = sorted(late)
    return {
        "count": len(late),
        "p50_seconds": round(ordered[len(late) // 2], 3),
        "p99_seconds": round(ordered[math.ceil(len(late) * 0.99) - 1], 3),
        "max_seconds": round(ordered[-1], 3),
    }


if __name__ == "__main__":
    main()
