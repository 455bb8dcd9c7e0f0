"""A game of processes: each goes on by one call at a time, meets faults, or dies."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, NamedTuple
from zlib import crc32

from tests.property.orders.exploring import Step
from tests.property.orders.processes import Fault, Process, begun, gone_on
from tests.property.orders.tables import Items, Texts, forget_changes, items_of, restore
from tests.support.world import World
from timegate.adapters.memory.engine import Change, MemoryEngine


class KeptStage(NamedTuple):
    """All that a stage is at one moment."""

    items: Items
    now: datetime
    processes: tuple[Process, ...]
    #: How often what may still happen.
    left: tuple[tuple[str, int], ...]
    #: Facts that the protocol itself remembers.
    facts: Any


class Stage:
    """A world and its processes; a protocol says which begin, and judges."""

    facts: Any
    #: Reads that a process makes side by side are one step.
    reads_at_once = False

    def __init__(
        self, world: World, facts: object, may: Mapping[str, int], *, seconds: int = 61
    ) -> None:
        """Begin with a world.

        ``may``: numbers of deaths, steps of the clock, faults, and what else a protocol names.
        ``seconds``: of each step of the clock.
        """
        self.world, self.facts, self.seconds = world, facts, seconds
        self.texts = Texts()
        self.processes: dict[str, Process] = {}
        self.left = dict(may)
        self._calm = self._disturbances()
        #: Tables as they were in the beginning: judges compare with them.
        self.old = MemoryEngine()
        for (table, key), item in items_of(world.tables.engine).items():
            self.old._tables[table].set(key, item)
        forget_changes(world)

    def begins(self) -> Iterable[Step]:
        """Name steps of the protocol: processes that may begin, and all else."""
        return ()

    def ended(self, process: Process) -> None:
        """Take the result of a process that has come to its end."""

    def noted(self, change: Change) -> None:
        """Take note of a change of an item."""

    def judge(self) -> None:
        """Hold the state to what always holds."""

    def judge_alone(self) -> None:
        """Hold what comes of the state to what has to."""

    def keep(self) -> KeptStage:
        """Return all that the state is."""
        return KeptStage(
            items_of(self.world.tables.engine),
            self.world.clock.now(),
            tuple(self.processes.values()),
            tuple(self.left.items()),
            self.facts,
        )

    def restore(self, kept: KeptStage) -> None:
        """Go back to a state."""
        restore(self.world, kept.items)
        self.world.clock.set(kept.now)
        self.processes = {each.name: each for each in kept.processes}
        self.left, self.facts = dict(kept.left), kept.facts

    def named(self) -> Hashable:
        """Tell the state apart from others."""
        return (
            self.texts.of_items(self.world),
            self.world.clock.now(),
            frozenset(each.named for each in self.processes.values()),
            tuple(self.left.items()),
            self.facts,
        )

    def steps(self) -> Iterator[Step]:
        """Name every step that can be taken."""
        for process in self.processes.values():
            yield from self._steps_of(process)
        yield from self.begins()
        if self.has("passes"):
            yield Step(f"{self.seconds} s pass", self._pass)

    @property
    def was_disturbed(self) -> bool:
        """Tell if a fault, a death or a step of the clock happened."""
        return self._disturbances() != self._calm

    def _disturbances(self) -> list[int]:
        return [self.left.get(what, 0) for what in ("deaths", "passes", *Fault)]

    def has(self, what: str) -> bool:
        """Tell if something may happen once more."""
        return self.left.get(what, 0) > 0

    def use(self, what: str) -> int:
        """Let something happen; how often it may have happened, this time included."""
        self.left[what] -= 1
        return self.left[what] + 1

    def begin(self, name: str, act: Callable[[World], object]) -> None:
        """Begin a process; the clocks of any two differ by some milliseconds."""
        assert name not in self.processes, name
        at, at_once = self._clock_of(name), self.reads_at_once
        self._take(begun(name, act, self.world, at=at, reads_at_once=at_once))

    def note_all(self) -> None:
        """Take note of what has changed since."""
        changes = [*self.world.tables.engine.changes]
        forget_changes(self.world)
        for change in changes:
            self.noted(change)

    def _clock_of(self, name: str) -> datetime:
        off = timedelta(milliseconds=1 + crc32(name.encode()) % 499)
        return self.world.clock.now() + off

    def _steps_of(self, process: Process) -> Iterator[Step]:
        named = f"{process.name}: {process.stands_before}"
        yield Step(named, partial(self._go_on, process, None))
        for fault in Fault:
            if self.has(fault) and process.writes_next:
                yield Step(f"{named} {fault}", partial(self._go_on, process, fault))
        if self.has("deaths"):
            yield Step(f"{process.name} dies", partial(self._die, process))

    def _go_on(self, process: Process, fault: Fault | None) -> None:
        if fault is not None:
            self.use(fault)
        at = self._clock_of(process.name)
        self._take(gone_on(process, self.world, at=at, fault=fault))
        self.note_all()

    def _take(self, process: Process) -> None:
        self.processes[process.name] = process
        if process.has_ended:
            del self.processes[process.name]
            self.ended(process)

    def _die(self, process: Process) -> None:
        self.use("deaths")
        del self.processes[process.name]

    def _pass(self) -> None:
        self.use("passes")
        self.world.clock.advance(self.seconds)
