"""A stage in the model, and one course of it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

import simpy

from bench.scale import facts
from bench.scale.model.capacity import Component, Tables, Throughput
from bench.scale.model.executors import Begun, Executors, Work
from bench.scale.model.functions import Account, SourceRamp
from bench.scale.model.parcels import Lateness
from bench.scale.model.planner import Jobs, Planner
from bench.scale.model.queue import RunQueue
from bench.scale.model.relay import Relay
from infra.stage.peak_choice import INITIAL_WRITES, POLLER_INVOCATIONS
from infra.stage.settings import QueueKey, StageSettings


@dataclass(frozen=True, kw_only=True, slots=True)
class Choices:
    """Choices of an operator for a stage, beyond its settings."""

    settings: StageSettings
    #: Write units a second for which each table is warm.
    table_units: float = INITIAL_WRITES
    #: Provisioned pollers of the lane's event source at rest, 2 to 200; ``None``: its standard
    #: mode.
    pollers: int | None = None
    #: Concurrent executions left to the lane by the rest of the account; ``None``: its reserve.
    concurrency: int | None = None
    lane: str = "normal-short"
    #: Environments that are warm when the course begins.
    warm: int = 0


@dataclass(kw_only=True)
class Course:
    """Counts and lateness of a course."""

    runs: int = 0
    moves: int = 0
    begun: int = 0
    lateness: Lateness = field(default_factory=Lateness)
    by_tenant: Mapping[str, Lateness] = field(default_factory=dict)
    #: Starts by second of virtual time.
    starts: Counter[int] = field(default_factory=Counter)
    components: tuple[Component, ...] = ()
    most_busy: int = 0
    invocations: int = 0
    #: Requests of executors to their queue.
    requests: int = 0
    environment_seconds: float = 0.0
    executor_mb: int = 0
    units: Mapping[str, float] = field(default_factory=dict)
    #: When the last run began, in virtual time.
    last_start: float = 0.0
    seconds: float = 0.0

    def first_to_saturate(self, *, since: float = 0) -> Component | None:
        """Return the component that made work wait first; ``None``: none did."""
        saturated = [each for each in self.components if (each.saturated_at or -1) >= since]
        return min(saturated, key=lambda each: each.saturated_at or 0, default=None)


class Stage:
    """Everything between a registered job and the start of its run."""

    def __init__(
        self,
        choices: Choices,
        *,
        work_seconds: float,
        dips: tuple[tuple[float, float, float], ...] = (),
        counted_from: float = 0,
        seed: int = 1,
    ) -> None:
        self.env = simpy.Environment()
        self.choices, lane = choices, choices.lane
        random = Random(seed)  # noqa: S311 - chance of the model
        self._tables = Tables(throughputs=_throughputs(choices), dips=dips)
        self._lane = lane
        self._counted_from = counted_from
        self._queue = RunQueue(self.env, lane)
        self._relay = _relay(self.env, choices, self._queue, random)
        self._planner = Planner(
            self.env, choices.settings, tables=self._tables, relay=self._relay, random=random
        )
        reserved = _reserved(choices.settings, lane)
        self._account = Account(concurrency=choices.concurrency or reserved)
        self.course = Course()
        self._by_tenant: dict[str, Lateness] = {}
        self._executors = Executors(
            self.env,
            self._queue,
            ramp=_ramp(choices, reserved),
            account=self._account,
            tables=self._tables,
            work=Work.of(choices.settings, lane, work_seconds),
            random=random,
            on_begun=self._note,
        )
        self._executors.environments.warm = choices.warm

    def register(self, each: Jobs) -> None:
        """Spread jobs over shards, evenly: a hash places them, and shards have thousands."""
        shards = self.choices.settings.shards
        for shard in range(shards):
            share = each.left // shards + (shard < each.left % shards)
            if share:
                own = Jobs(
                    timing=each.timing,
                    lane=self._lane,
                    every_seconds=each.every_seconds,
                    left=share,
                )
                self._planner.add(shard, own)

    def run(self, *, until: float, runs: int | None = None) -> Course:
        """Play until virtual time, or until so many runs have begun."""
        self._planner.start()
        self._executors.start()
        if self._counted_from:
            self.env.run(until=self._counted_from)
            self._count_anew()
        while self.env.now < until and (runs is None or self.course.lateness.count < runs):
            self.env.run(until=min(self.env.now + 10, until))
        return self._summary()

    def _count_anew(self) -> None:
        """Forget what was counted while the course settled."""
        for each in self._components():
            each.forget()
        self._planner.moves = self._planner.runs = 0
        self._executors.invocations = self._executors.requests = 0
        self._executors.environment_seconds = 0.0

    def _note(self, begun: Begun) -> None:
        """Count a start; those due while the course settles are left out."""
        if begun.parcel.due < self._counted_from:
            return
        self.course.starts[int(begun.at)] += begun.parcel.count
        self.course.lateness.add(begun.at - begun.parcel.due, begun.parcel.count)
        own = self._by_tenant.setdefault(begun.parcel.tenant, Lateness())
        own.add(begun.at - begun.parcel.due, begun.parcel.count)
        self.course.last_start = max(self.course.last_start, begun.at)

    def _summary(self) -> Course:
        course, executors = self.course, self._executors
        course.runs, course.moves = self._planner.runs, self._planner.moves
        course.begun = course.lateness.count
        course.by_tenant = self._by_tenant
        course.most_busy, course.invocations = executors.most_busy, executors.invocations
        course.requests, course.executor_mb = executors.requests, executors.memory_mb
        course.environment_seconds = executors.environment_seconds
        course.units = {name: each.taken for name, each in self._tables.throughputs.items()}
        course.seconds = self.env.now
        course.components = self._components()
        return course

    def _components(self) -> tuple[Component, ...]:
        executors = self._executors
        return (
            *self._tables.throughputs.values(),
            self._relay.throughput,
            self._planner.processor,
            self._queue.limit,
            self._account.limit,
            executors.environments.limit,
            executors.source,
        )


def _relay(env: simpy.Environment, choices: Choices, queue: RunQueue, random: Random) -> Relay:
    return Relay(
        env,
        choices.settings,
        # AWS does not publish the shards of a stream: one for each partition of the table is taken.
        stream_shards=max(int(choices.table_units // facts.PARTITION_UNITS), 1),
        queues={queue.name: queue},
        random=random,
    )


def _reserved(settings: StageSettings, lane: str) -> int:
    priority, _, resource_class = lane.partition("-")
    return settings.max_concurrency(QueueKey(priority=priority, resource_class=resource_class))


def _throughputs(choices: Choices) -> dict[str, Throughput]:
    """Return both tables, and the partitions of the indexes that a shard writes to."""
    shards = choices.settings.shards
    named = dict.fromkeys(("jobs", "runs"), choices.table_units)
    for index in ("jobs/due", "runs/watch"):
        named |= {f"{index}/{shard}": float(facts.PARTITION_UNITS) for shard in range(shards)}
    # Ends of all shards mix: an executor's batch has runs of many.
    named["runs/watch"] = float(facts.PARTITION_UNITS * shards)
    return {name: Throughput(name=name, per_second=units) for name, units in named.items()}


def _ramp(choices: Choices, reserved: int) -> SourceRamp:
    if choices.pollers is None:
        return SourceRamp(most=min(reserved, facts.SOURCE_SETTING_MOST))
    start = choices.pollers * POLLER_INVOCATIONS
    return SourceRamp(
        most=min(facts.PROVISIONED_MOST, max(choices.concurrency or reserved, start)),
        start=start,
        gain_a_minute=facts.PROVISIONED_GAIN_A_MINUTE,
    )
