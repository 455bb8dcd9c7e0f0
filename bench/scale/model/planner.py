"""The planner: ticks of each minute that move jobs past their runs, decided by production code."""

from collections import Counter, defaultdict
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from random import Random
from typing import Any

import simpy

from bench.scale import costs, facts
from bench.scale.model.capacity import Component, Tables
from bench.scale.model.parcels import EPOCH, Parcel, instant, seconds_of
from bench.scale.model.relay import Relay
from bench.scale.units import units_of
from infra.stage.settings import StageSettings
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.plan import plan_runs
from timegate.domain.planning.roll_ahead import ripens_at
from timegate.usecases.planning.fair_shares import FairShares
from timegate.usecases.planning.plan_shard import JOBS_PER_STEP, SHARD_LEASE, WORK_SHARE, WRITERS

#: ``write_plan`` tries so long at a throttle, pauses included; then the tick is over.
PATIENCE_SECONDS = 0.7
MEMORY_MB = 1024
_MINUTE = 60.0


@dataclass(kw_only=True, slots=True)
class Jobs:
    """Jobs of a shard that the model need not tell apart."""

    timing: Timing
    lane: str
    every_seconds: int
    left: int
    #: Virtual time from which ticks plan them.
    ripe_from: float = 0.0


class Planner:
    """Every group of shards, each with its tick anywhere in the minute."""

    def __init__(
        self,
        env: simpy.Environment,
        settings: StageSettings,
        *,
        tables: Tables,
        relay: Relay,
        random: Random,
    ) -> None:
        self._env = env
        self._settings = settings
        self._look_ahead = timedelta(seconds=settings.look_ahead_seconds)
        self._tables = tables
        self._relay = relay
        self._random = random
        self._jobs: dict[int, list[Jobs]] = defaultdict(list)
        self._leased: set[int] = set()
        self.processor = Component(name="planner: processor")
        self.moves = 0
        self.runs = 0

    def add(self, shard: int, jobs: Jobs) -> None:
        """Register jobs in a shard."""
        waits = ripens_at(jobs.timing, look_ahead=self._look_ahead)
        jobs.ripe_from = seconds_of(waits) if waits is not None else self._env.now
        self._jobs[shard].append(jobs)

    def start(self) -> None:
        """Begin to tick. EventBridge Scheduler fires anywhere in the minute."""
        for group in self._settings.shard_groups:
            self._env.process(self._ticks(group))

    def _ticks(self, group: Sequence[int]) -> Generator[Any]:
        minute = 0.0
        while True:
            yield self._env.timeout(minute + self._random.random() * _MINUTE - self._env.now)
            self._env.process(self._tick(group))
            minute += _MINUTE
            yield self._env.timeout(max(minute - self._env.now, 0))

    def _tick(self, group: Sequence[int]) -> Generator[Any]:
        for shard in group:
            if shard not in self._leased:
                self._leased.add(shard)
                yield from self._plan_shard(shard)
                self._leased.discard(shard)

    def _plan_shard(self, shard: int) -> Generator[Any]:
        """Read as ``plan_shard`` does: each tenant's share, what was set aside, then the rest."""
        began = self._env.now
        deadline = began + (SHARD_LEASE * WORK_SHARE).total_seconds()
        ripe = self._ripe(shard)
        if not ripe:
            return
        known = {id(each.timing): each for each in ripe}
        shares = FairShares()
        yield from self._steps(shares.sift("all", _each(ripe)), shard, known, deadline)
        for _, timings in list(shares.set_aside()):
            yield from self._steps(iter(timings), shard, known, deadline)
        shares.lift()
        yield from self._steps(_each(ripe), shard, known, deadline)
        if any(each.left for each in ripe):
            self.processor.wait(self._env.now - began, now=self._env.now)

    def _ripe(self, shard: int) -> list[Jobs]:
        left = self._jobs[shard] = [each for each in self._jobs[shard] if each.left]
        ripe = [each for each in left if each.ripe_from <= self._env.now]
        return sorted(ripe, key=lambda each: each.timing.next_run_at or EPOCH)

    def _steps(
        self, jobs: Iterator[Any], shard: int, known: dict[int, Jobs], deadline: float
    ) -> Generator[Any]:
        while self._env.now < deadline:
            step = Counter(id(each) for each in islice(jobs, WRITERS * JOBS_PER_STEP))
            if not step:
                return
            units: defaultdict[str, float] = defaultdict(float)
            for key, count in step.items():
                for name, each in units_of(known[key].every_seconds).plan.items():
                    units[_throughput(name, shard)] += each * count
            wait = self._tables.take(units, self._env.now, patience=PATIENCE_SECONDS)
            if wait is None:
                return
            working = costs.PLAN_CPU * step.total() / facts.processors(MEMORY_MB)
            yield self._env.timeout(max(wait, working, costs.TRANSACTION))
            for key, count in step.items():
                self._move(known[key], count, shard)

    def _move(self, jobs: Jobs, count: int, shard: int) -> None:
        """Plan by production code; the jobs stand at their next instant afterwards."""
        now = instant(self._env.now)
        plan = plan_runs(jobs.timing, now=now, until=now + self._look_ahead)
        jobs.left -= count
        self.moves += count
        self.runs += count * len(plan.attempts)
        for attempt in plan.attempts:
            parcel = Parcel(
                tenant=jobs.timing.tenant,
                lane=jobs.lane,
                due=seconds_of(attempt.due_at),
                count=count,
            )
            self._relay.publish(parcel, direct=attempt.direct)
        if plan.next_run_at is not None:
            self.add(shard, replace(jobs, timing=plan.after(jobs.timing), left=count))


def _each(jobs: Sequence[Jobs]) -> Iterator[Timing]:
    """Return the timing of each job, one by one."""
    for each in jobs:
        for _ in range(each.left):
            yield each.timing


def _throughput(name: str, shard: int) -> str:
    """Return the throughput that units are of: an index has partitions by shard."""
    return f"{name}/{shard}" if "/" in name else name
