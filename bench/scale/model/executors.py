"""Executors of one lane: an event source, environments, claims, and the time that targets take."""

import math
from collections import deque
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Self

import simpy

from bench.scale import costs, facts
from bench.scale.model.capacity import Component, Tables
from bench.scale.model.functions import Account, Environments, SourceRamp
from bench.scale.model.parcels import Parcel, instant, seconds_of
from bench.scale.model.queue import RunQueue
from infra.stage.settings import StageSettings
from timegate.domain.jobs.demands import MAX_TIMEOUT_SECONDS, ResourceClass
from timegate.domain.runs.gate import HOLD_LIMIT, LONG_CALL, LOOK_PAUSE, gathers_until, next_pause
from timegate.usecases.execution.claims.messages_at_hand import RETRY_SECONDS

#: From the end of the longest run to that of its invocation: a message is held for five seconds,
#: and what still works is let go five seconds before the end (``runtime.wiring.executor``).
LEFT_SECONDS = HOLD_LIMIT.total_seconds() + 5
#: The client's own retries at a throttle.
PATIENCE_SECONDS = 1.0
#: How often an event source with a backlog looks whether it may invoke more.
_LOOK_SECONDS = 0.02


@dataclass(frozen=True, kw_only=True, slots=True)
class Work:
    """Calls of an environment, and the messages that it takes while they last."""

    call_seconds: float
    #: Most runs in it at once; 0: it takes none beside its batch.
    most_runs: int
    #: It takes more for so long after its batch.
    gathers_seconds: float
    memory_mb: int

    @classmethod
    def of(cls, settings: StageSettings, lane: str, call_seconds: float) -> Self:
        """Return the work of a lane of a stage."""
        resource_class = lane.rpartition("-")[2]
        limits = settings.classes[resource_class]
        longest = MAX_TIMEOUT_SECONDS[ResourceClass(resource_class)]
        return cls(
            call_seconds=call_seconds,
            most_runs=limits.runs_at_once,
            gathers_seconds=limits.timeout_seconds - longest - LEFT_SECONDS,
            memory_mb=limits.memory_mb,
        )


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
        work: Work,
        random: Random,
        on_begun: Callable[[Begun], None],
    ) -> None:
        self._env = env
        self._queue = queue
        self._ramp = ramp
        self._account = account
        self._tables = tables
        self._work, self.memory_mb = work, work.memory_mb
        self._random = random
        self._on_begun = on_begun
        self.environments = Environments(name=queue.name)
        self.source = Component(name=f"{queue.name}: event source")
        self.busy = 0
        self.most_busy = 0
        self.environment_seconds = 0.0
        self.invocations = 0
        #: Requests to the queue that receive messages and delete them.
        self.requests = 0
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
        held = _Held(room=batches * self._work.most_runs, asked=batches * facts.QUEUE_BATCH)
        self.requests += 2 * batches
        if self._claim(batches, parcels, held):
            if self._work.call_seconds >= LONG_CALL.total_seconds():
                latest = instant(began + self._work.gathers_seconds)
                until = gathers_until(instant(began), latest, self._random.random())
                yield from self._gather(batches, held, until=seconds_of(until))
            while held.ends:
                yield from self._end(held)
        else:
            yield self._env.timeout(PATIENCE_SECONDS)
        self.environment_seconds += batches * (self._env.now - began)
        self.busy -= batches
        self._account.release(batches)
        self.environments.give_back(batches)

    def _gather(self, batches: int, held: "_Held", *, until: float) -> Generator[Any]:
        """Take more messages while calls last, as the deployed code decides."""
        look_at, pause = held.started + LONG_CALL.total_seconds(), LOOK_PAUSE
        while held.ends and look_at < min(until, held.ends[-1][0]):
            while held.ends and held.ends[0][0] <= look_at:
                yield from self._end(held)
            yield self._env.timeout(max(look_at - self._env.now, 0))
            asked = min(held.room - held.count, held.asked)
            parcels = self._queue.receive(asked) if asked > 0 and self._queue.visible else []
            received = sum(each.count for each in parcels)
            self.requests += batches * ((asked > 0) + (received > 0))
            if received and not self._claim(batches, parcels, held):
                return
            full = LOOK_PAUSE if asked <= 0 else None
            pause = full or next_pause(pause, received=received, asked=asked)
            working = self._working(received / batches) * costs.CPU_BEFORE_START
            look_at = self._env.now + max(pause.total_seconds(), costs.CALL + working)

    def _claim(self, batches: int, parcels: list[Parcel], held: "_Held") -> bool:
        """Claim runs and begin each on its instant; tell if they could be claimed."""
        runs = sum(each.count for each in parcels)
        wait = self._tables.take(
            {"runs": 1.0}, self._env.now, patience=PATIENCE_SECONDS, times=runs
        )
        if wait is None:
            # The batch fails as a whole, and its messages are hidden for a moment.
            for each in parcels:
                at = self._env.now + PATIENCE_SECONDS + RETRY_SECONDS
                self._queue.send(each, visible_at=at)
            self._queue.delete(runs)
            return False
        working = self._working(runs / max(batches, 1))
        claimed = self._env.now + 2 * costs.CALL + max(wait, working * costs.CPU_BEFORE_START)
        held.started = claimed
        for each in parcels:
            begins = max(claimed, each.due)
            held.started = max(held.started, begins)
            self._on_begun(Begun(at=begins, parcel=each))
        after = working * (1 - costs.CPU_BEFORE_START) + costs.CALL
        held.ends.append((held.started + self._work.call_seconds + after, runs))
        held.count += runs
        return True

    def _end(self, held: "_Held") -> Generator[Any]:
        """Store the ends of the runs that were claimed first."""
        at, runs = held.ends.popleft()
        yield self._env.timeout(max(at - self._env.now, 0))
        # An end is written until it is stored: its runs have begun.
        self._tables.take(
            {"runs": 1.0, "runs/watch": 1.0}, self._env.now, patience=math.inf, times=runs
        )
        self._queue.delete(runs)
        held.count -= runs

    def _working(self, runs: float) -> float:
        return costs.EXECUTE_CPU * runs / facts.processors(self._work.memory_mb)


@dataclass(kw_only=True, slots=True)
class _Held:
    """Runs in the environments of some batches that are alike."""

    #: The most that all of them hold, and that one look of each asks for.
    room: int
    asked: int
    count: int = 0
    #: When the last of those claimed together started.
    started: float = 0.0
    #: The instant at which runs end that were claimed together, and how many they are.
    ends: deque[tuple[float, int]] = field(default_factory=deque)
