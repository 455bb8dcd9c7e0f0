"""Executors of one lane: an event source, environments, claims, and the time that targets take."""

import math
from collections.abc import Callable, Generator
from dataclasses import dataclass
from random import Random
from typing import Any

import simpy

from bench.scale import costs, facts
from bench.scale.model.capacity import Component, Tables
from bench.scale.model.functions import Account, Environments, SourceRamp
from bench.scale.model.parcels import Parcel
from bench.scale.model.queue import RunQueue
from timegate.usecases.execution.execute_batch import RETRY_SECONDS

MEMORY_MB = 1024
#: The client's own retries at a throttle.
PATIENCE_SECONDS = 1.0
#: How often an event source with a backlog looks whether it may invoke more.
_LOOK_SECONDS = 0.02


@dataclass(frozen=True, kw_only=True, slots=True)
class Begun:
    """Runs that began."""

    at: float
    parcel: Parcel


class Executors:
    """One lane's event source and its function."""

    def __init__(
        self,
        env: simpy.Environment,
        queue: RunQueue,
        *,
        ramp: SourceRamp,
        account: Account,
        tables: Tables,
        work_seconds: float,
        random: Random,
        on_begun: Callable[[Begun], None],
    ) -> None:
        self._env = env
        self._queue = queue
        self._ramp = ramp
        self._account = account
        self._tables = tables
        self._work_seconds = work_seconds
        self._random = random
        self._on_begun = on_begun
        self.environments = Environments(name=queue.name)
        self.source = Component(name=f"{queue.name}: event source")
        self.busy = 0
        self.most_busy = 0
        self.environment_seconds = 0.0
        self.invocations = 0
        #: Batches that begin in one instant share an event of the model.
        self._grain = max(ramp.most // 100, 1)

    def start(self) -> None:
        """Begin to poll."""
        self._env.process(self._poll())

    def _poll(self) -> Generator[Any]:
        while True:
            if not self._queue.visible:
                self._ramp.rest(self._env.now)
                self._queue.changed = self._env.event()
                yield self._queue.changed
            self._invoke()
            if self._queue.visible:
                yield self._env.timeout(_LOOK_SECONDS)

    def _invoke(self) -> None:
        """Invoke as many batches as there may be."""
        now = self._env.now
        wanted = math.ceil(self._queue.visible / facts.QUEUE_BATCH)
        free = max(self._ramp.allowed(now) - self.busy, 0)
        if wanted > free:
            self.source.refuse(now=now)
        granted = self._account.acquire(min(wanted, free), now=now)
        warm, cold = self.environments.take(granted, now=now)
        self._account.release(granted - warm - cold)
        for count, start in ((warm, 0.0), (cold, costs.COLD_START)):
            for begin in range(0, count, self._grain):
                self._begin(min(self._grain, count - begin), start)

    def _begin(self, batches: int, start_seconds: float) -> None:
        parcels = self._queue.receive(batches * facts.QUEUE_BATCH)
        self.busy += batches
        self.most_busy = max(self.most_busy, self.busy)
        self.invocations += batches
        self._env.process(self._batches(batches, parcels, start_seconds))

    def _batches(self, batches: int, parcels: list[Parcel], start: float) -> Generator[Any]:
        yield self._env.timeout(start + facts.QUEUE_TO_FUNCTION.at(self._random.random()))
        began = self._env.now
        runs = sum(each.count for each in parcels)
        wait = self._tables.take({"runs": 1.0}, began, patience=PATIENCE_SECONDS, times=runs)
        if wait is None:
            # The batch fails as a whole, and its messages are hidden for a moment.
            yield self._env.timeout(PATIENCE_SECONDS)
            for each in parcels:
                self._queue.send(each, visible_at=self._env.now + RETRY_SECONDS)
        else:
            yield from self._run(parcels, runs / max(batches, 1), wait)
        self._queue.delete(runs)
        self.environment_seconds += batches * (self._env.now - began)
        self.busy -= batches
        self._account.release(batches)
        self.environments.give_back(batches)

    def _run(self, parcels: list[Parcel], in_batch: float, wait: float) -> Generator[Any]:
        """Claim, begin each run on its instant, work, and store the ends."""
        working = costs.EXECUTE_CPU * in_batch / facts.processors(MEMORY_MB)
        before = 2 * costs.CALL + max(wait, working * costs.CPU_BEFORE_START)
        claimed = self._env.now + before
        last = claimed
        for each in parcels:
            begins = max(claimed, each.due)
            last = max(last, begins)
            self._on_begun(Begun(at=begins, parcel=each))
        after = working * (1 - costs.CPU_BEFORE_START) + costs.CALL
        runs = sum(each.count for each in parcels)
        yield self._env.timeout(last - self._env.now + self._work_seconds + after)
        # An end is written until it is stored: its runs have begun.
        self._tables.take(
            {"runs": 1.0, "runs/watch": 1.0}, self._env.now, patience=math.inf, times=runs
        )
