"""Wheels, sheaves and executors that are started ahead, by the limits of ``bench.scale``."""

import math
from collections.abc import Generator
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any

import simpy

from bench.scale import costs, facts
from bench.scale.model.capacity import Component, Tables, Throughput
from bench.scale.model.functions import Account, Environments, SourceRamp
from bench.scale.model.parcels import Lateness, Parcel, instant, seconds_of
from bench.scale.model.queue import RunQueue
from bench.scale.scenarios import WEB_HOOK_SECONDS, jobs_due
from bench.scale.wheels import figures
from infra.stage.peak_choice import POLLER_INVOCATIONS
from timegate.domain.planning.plan import plan_runs
from timegate.domain.planning.roll_ahead import ripens_at

LOOK_AHEAD = timedelta(minutes=10)
_MINUTE = 60.0
_KB = 1_024
#: Parts of a sheaf whose starts the model tells apart.
_PARTS = 10
_LOOK_SECONDS = 0.05


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """Choices of the design, and of the stage it runs on."""

    sheaf: int = 500
    #: Executors are asked for so long before the instant.
    lead_seconds: float = 60.0
    memory_mb: int = 1_024
    shards: int = 64
    table_units: float = facts.TABLE_QUOTA_UNITS
    #: Provisioned pollers; ``None``: a function is invoked for each sheaf, without a queue.
    pollers: int | None = 200
    concurrency: int = 10_000
    warm: int = 0
    fire_cpu: float = figures.FIRE_CPU_OPEN
    #: An item for each run at its end, as today; else items of a hundred ends.
    records_runs: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Wheel:
    """Members that are due in one instant, and in each period after it."""

    members: int
    due: float
    every_seconds: int


@dataclass(kw_only=True)
class Course:
    """Counts and lateness of a course."""

    lateness: Lateness = field(default_factory=Lateness)
    components: tuple[Component, ...] = ()
    units: float = 0.0
    read_units: float = 0.0
    sheaves: int = 0
    sent: int = 0
    environment_seconds: float = 0.0
    most_busy: int = 0
    #: Bodies that were written, and processor seconds of writing them.
    staged: int = 0
    staging_seconds: float = 0.0
    #: The longest time from a run's end until it is on record.
    unrecorded_seconds: float = 0.0

    def first_to_saturate(self) -> Component | None:
        """Return the component that made work wait first; ``None``: none did."""
        waited = [each for each in self.components if each.saturated_at is not None]
        return min(waited, key=lambda each: each.saturated_at or 0, default=None)


class WheelStage:
    """Everything between a wheel and the starts of its runs."""

    def __init__(self, choices: Choices, *, seed: int = 1) -> None:
        self.env = simpy.Environment()
        self.course = Course()
        self._choices = choices
        self._random = Random(seed)  # noqa: S311 - chance of the model
        self._tables = Tables(throughputs=_throughputs(choices))
        self._queue = RunQueue(self.env, "sheaves")
        self._account = Account(concurrency=choices.concurrency)
        self._environments = Environments(name="executor", warm=choices.warm)
        start = choices.concurrency
        if choices.pollers is not None:
            start = choices.pollers * POLLER_INVOCATIONS
        self._ramp = SourceRamp(
            most=choices.concurrency, start=start, gain_a_minute=facts.PROVISIONED_GAIN_A_MINUTE
        )
        self._source = Component(name="event source")
        self._busy = 0

    def register(self, wheel: Wheel) -> None:
        """Split a wheel over shards, each of a sheaf at least, and let its ticks begin."""
        shards = min(self._choices.shards, math.ceil(wheel.members / self._choices.sheaf))
        for number in range(shards):
            members = wheel.members // shards + (number < wheel.members % shards)
            shard = self._random.randrange(self._choices.shards) if shards == 1 else number
            self.env.process(self._turn(wheel, members, shard))

    def run(self, *, until: float, runs: int | None = None) -> Course:
        """Play until virtual time, or until so many runs have begun and are on record."""
        self.env.process(self._poll())
        while self.env.now < until and not (
            runs is not None and self.course.lateness.count >= runs and self._busy == 0
        ):
            self.env.run(until=min(self.env.now + 10, until))
        self.course.units = sum(each.taken for each in self._tables.throughputs.values())
        self.course.components = (
            *self._tables.throughputs.values(),
            *(self._queue.limit, self._account.limit, self._environments.limit, self._source),
        )
        return self.course

    def _turn(self, wheel: Wheel, members: int, shard: int) -> Generator[Any]:
        """Move one shard of a wheel past its look-ahead, as often as production code says."""
        timing = jobs_due(members, wheel.due, every=wheel.every_seconds).timing
        while timing.next_run_at is not None:
            ripe = ripens_at(timing, look_ahead=LOOK_AHEAD)
            ripe_from = seconds_of(ripe) if ripe is not None else self.env.now
            tick = ripe_from + self._random.random() * _MINUTE
            yield self.env.timeout(max(tick - self.env.now, 0))
            now = instant(self.env.now)
            plan = plan_runs(timing, now=now, until=now + LOOK_AHEAD)
            yield from self._stage(members, [seconds_of(a.due_at) for a in plan.attempts], shard)
            timing = plan.after(timing)

    def _stage(self, members: int, dues: list[float], shard: int) -> Generator[Any]:
        """Write bodies once and a sheaf for each instant; the wheel moves in the same writes."""
        reading = math.ceil(members / figures.PAGE_MEMBERS) * figures.PAGE_SECONDS
        working = members * figures.STAGE_CPU / facts.processors(self._choices.memory_mb)
        self.course.read_units += members * figures.MEMBER_BYTES / (4 * _KB) / 2
        sizes = _sizes(members, self._choices.sheaf)
        self.course.staged += len(sizes)
        self.course.staging_seconds += reading + working + figures.BODY_SECONDS
        yield self.env.timeout(reading + working + figures.BODY_SECONDS)
        sheaves = [(due, size) for due in dues for size in sizes]
        for first in range(0, len(sheaves), figures.SHEAVES_A_MOVE):
            moved = sheaves[first : first + figures.SHEAVES_A_MOVE]
            units = {
                "jobs": 2.0,
                f"jobs/due/{shard}": 2.0,
                "runs": 2.0 * len(moved),
                f"runs/watch/{shard}": float(len(moved)),
            }
            wait = self._tables.take(units, self.env.now, patience=math.inf)
            yield self.env.timeout(max(wait or 0.0, costs.TRANSACTION))
            for due, size in moved:
                self._send(due, size, shard)

    def _send(self, due: float, size: int, shard: int) -> None:
        parcel = Parcel(tenant=f"{shard}/{size}", lane="sheaves", due=due, count=1)
        self.course.sent += 1
        visible = max(due - self._choices.lead_seconds, self.env.now)
        self._queue.send(parcel, visible_at=visible)

    def _poll(self) -> Generator[Any]:
        while True:
            if not self._queue.visible:
                self._ramp.rest(self.env.now)
                self._queue.changed = self.env.event()
                yield self._queue.changed
            self._invoke()
            if self._queue.visible:
                yield self.env.timeout(_LOOK_SECONDS)

    def _invoke(self) -> None:
        now, wanted = self.env.now, self._queue.visible
        free = max(self._ramp.allowed(now) - self._busy, 0)
        if wanted > free:
            self._source.refuse(now=now)
        granted = self._account.acquire(min(wanted, free), now=now)
        warm, cold = self._environments.take(granted, now=now)
        self._account.release(granted - warm - cold)
        for count, start in ((warm, 0.0), (cold, costs.COLD_START)):
            for _ in range(count):
                (parcel,) = self._queue.receive(1)
                self._busy += 1
                self.course.most_busy = max(self.course.most_busy, self._busy)
                self.env.process(self._execute(parcel, start))

    def _execute(self, parcel: Parcel, start: float) -> Generator[Any]:
        """Load, wait, seal, fire, record; the environment is paid from the first to the last."""
        shard, size = map(int, parcel.tenant.split("/"))
        yield self.env.timeout(start + facts.QUEUE_TO_FUNCTION.at(self._random.random()))
        began = self.env.now
        yield self.env.timeout(figures.BODY_SECONDS)
        yield self.env.timeout(max(parcel.due - figures.SEAL_AHEAD_SECONDS - self.env.now, 0))
        seal = {"runs": 1.0, f"runs/watch/{shard}": 1.0}
        wait = self._tables.take(seal, self.env.now, patience=math.inf) or 0.0
        self.course.read_units += 2
        yield self.env.timeout(2 * costs.CALL + wait)
        yield from self._fire(parcel.due, size)
        recorded = self.env.now
        yield from self._record(size, shard)
        self.course.unrecorded_seconds = max(
            self.course.unrecorded_seconds, self.env.now - recorded
        )
        self._done(began)

    def _fire(self, due: float, size: int) -> Generator[Any]:
        begins = max(self.env.now, due)
        each = self._choices.fire_cpu / facts.processors(self._choices.memory_mb)
        for part in range(_PARTS):
            count = size // _PARTS + (part < size % _PARTS)
            at = begins + each * size * (part + 1) / _PARTS
            if count:
                self.course.lateness.add(at - due, count)
        fired = begins + each * size
        yield self.env.timeout(fired + WEB_HOOK_SECONDS - self.env.now)

    def _record(self, size: int, shard: int) -> Generator[Any]:
        """Store every end, then that the sheaf is over."""
        working = size * figures.RECORD_CPU / facts.processors(self._choices.memory_mb)
        units = float(size)
        if not self._choices.records_runs:
            # A transaction doubles them, and checks the sheaf's fence.
            an_item = math.ceil(figures.ENDS_AN_ITEM * figures.END_BYTES / _KB)
            units = math.ceil(size / figures.ENDS_AN_ITEM) * (2 * an_item + 2)
        ended = {"runs": units + 1, f"runs/watch/{shard}": 1.0}
        wait = self._tables.take(ended, self.env.now, patience=math.inf) or 0.0
        yield self.env.timeout(max(wait, working) + 2 * costs.CALL)

    def _done(self, began: float) -> None:
        self._queue.delete(1)
        self._busy -= 1
        self._account.release(1)
        self._environments.give_back(1)
        self.course.sheaves += 1
        self.course.environment_seconds += self.env.now - began


def _sizes(members: int, sheaf: int) -> list[int]:
    """Return sheaves of about the same size, none above its most."""
    number = math.ceil(members / sheaf)
    return [members // number + (each < members % number) for each in range(number)]


def _throughputs(choices: Choices) -> dict[str, Throughput]:
    named = dict.fromkeys(("jobs", "runs"), choices.table_units)
    for index in ("jobs/due", "runs/watch"):
        named |= {f"{index}/{n}": float(facts.PARTITION_UNITS) for n in range(choices.shards)}
    return {name: Throughput(name=name, per_second=units) for name, units in named.items()}
