"""States of the machine of leases: kept, gone back to, and told apart."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from tests.property.runs.lease_machine import Worker
from tests.property.runs.test_leases import Leases
from tests.support.stores.records import RUNS_TABLE
from tests.support.stores.stream_images import Image
from tests.support.world import relay_sees
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.memory.engine import Change
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import awaits_outcomes

#: An item of a table, by the table's name and its key.
Named = tuple[str, Key]
#: Says of a state all that decides about the steps that can follow.
Fingerprint = tuple[object, ...]


@dataclass(frozen=True, kw_only=True)
class Kept:
    """All that a machine is at one moment; stores replace items, so references are enough."""

    items: dict[Named, Fields]
    changes: list[Change]
    images: list[Any]
    read_images: int
    sent: list[Any]
    now: datetime
    messages: list[Any]
    workers: list[Worker]
    named: int
    granted: dict[tuple[int, int], Lease]
    calls: list[int]
    answered: bool

    @classmethod
    def of(cls, machine: Leases) -> "Kept":
        """Keep the state of a machine."""
        world = machine.world
        return cls(
            items=_items(machine),
            changes=list(world.tables.engine.changes),
            images=list(world.tables.images),
            read_images=world.read_images,
            sent=list(world.publisher.sent),
            now=world.clock.now(),
            messages=list(machine.messages),
            workers=[replace(worker) for worker in machine.workers],
            named=machine.named,
            granted=dict(machine.granted),
            calls=list(machine.calls),
            answered=machine.answered,
        )

    def restore(self, machine: Leases) -> None:
        """Make a machine what it was."""
        world, tables = machine.world, machine.world.tables
        there = _items(machine)
        for name, key in {**there, **self.items}:
            item = self.items.get((name, key))
            if there.get((name, key)) is not item:
                tables.engine._tables[name].set(key, item)
        tables.engine.changes[:] = self.changes
        tables._images[:], tables._seen = self.images, len(self.changes)
        world.read_images, world.publisher.sent = self.read_images, list(self.sent)
        world.clock.set(self.now)
        machine.messages = list(self.messages)
        machine.workers = [replace(worker) for worker in self.workers]
        machine.named, machine.answered = self.named, self.answered
        machine.granted, machine.calls = dict(self.granted), list(self.calls)


class Prints:
    """Fingerprints of states; the text of what never changes is written once."""

    def __init__(self) -> None:
        #: By identity; the thing is kept, so that no other takes its place.
        self._texts: dict[int, tuple[object, str]] = {}

    def of(self, machine: Leases) -> Fingerprint:
        """Return the same value for two states exactly if the same can follow."""
        world, text = machine.world, self._text
        unread = world.tables.images[world.read_images :]
        return (
            frozenset((*named, text(item)) for named, item in _items(machine).items()),
            tuple(text(image.after) for image in unread if _is_shown(image)),
            tuple(repr(message) for message in world.publisher.sent),
            world.clock.now(),
            len({message.attempt for message in machine.messages}),
            frozenset(
                (text(worker.read), text(worker.lease), text(worker.claimed), worker.called)
                for worker in machine.workers
            ),
            machine.named,
            _held(machine),
            tuple(machine.calls),
            machine.answered,
        )

    def _text(self, thing: object) -> str:
        known = self._texts.get(id(thing))
        if known is None:
            known = self._texts[id(thing)] = thing, repr(thing)
        return known[1]


def _is_shown(image: Image) -> bool:
    """Say of a change if the filters let it through to relay or outcomes."""
    return relay_sees(image) or awaits_outcomes(image.after)


def _held(machine: Leases) -> tuple[object, ...]:
    """Return the last end of a lease of each attempt, and the last fence that was taken."""
    granted = machine.granted
    ends = {n: max(granted[n, f].expires_at for m, f in granted if m == n) for n, _ in granted}
    return *sorted(ends.items()), max((fence for _, fence in granted), default=0)


def _items(machine: Leases) -> dict[Named, Fields]:
    tables = machine.world.tables.engine._tables
    return {
        (name, key): item for name, items in tables.items() for key, item in items._items.items()
    }


def attempts_of(machine: Leases) -> list[Attempt]:
    """Read every attempt; one whose item is the same is not read again."""
    tables = machine.world.tables
    items = tables.engine._tables[RUNS_TABLE]._items.items()
    found = [tables._attempt(key, item) for key, item in items if "state" in item]
    return sorted(found, key=lambda attempt: attempt.id)
