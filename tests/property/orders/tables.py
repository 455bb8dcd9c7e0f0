"""States of the tables of a world: kept, gone back to, and told apart."""

from collections.abc import Hashable, Iterator

from tests.support.stores.records import RUNS_TABLE
from tests.support.world import World
from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.memory.engine import MemoryEngine
from timegate.domain.runs.run import Attempt

#: Items by the table's name and their key; engines replace items, so references are enough.
Items = dict[tuple[str, Key], Fields]


def items_of(engine: MemoryEngine) -> Items:
    """Return every item."""
    return {
        (name, key): item
        for name, items in engine._tables.items()
        for key, item in items._items.items()
    }


def restore(world: World, kept: Items) -> None:
    """Make the tables of a world what they were; nothing of their streams is read or unread."""
    engine, there = world.tables.engine, items_of(world.tables.engine)
    for named in {**there, **kept}:
        item = kept.get(named)
        if there.get(named) is not item:
            engine._tables[named[0]].set(named[1], item)
    forget_changes(world)


def forget_changes(world: World) -> None:
    """Let the streams begin here."""
    tables = world.tables
    tables.engine.changes.clear()
    tables._seen = 0
    world.read_images = 0
    for images in (tables._images, tables._operations, tables._dag_runs):
        images.clear()


class Texts:
    """Texts and records of items, each made once."""

    def __init__(self) -> None:
        #: By identity; the thing is kept, so that no other takes its place.
        self._texts: dict[int, tuple[object, str]] = {}
        self._attempts: dict[int, tuple[object, Attempt]] = {}

    def of(self, thing: object) -> str:
        """Return a text that tells a thing apart from others."""
        known = self._texts.get(id(thing))
        if known is None:
            known = self._texts[id(thing)] = thing, repr(thing)
        return known[1]

    def of_items(self, world: World) -> Hashable:
        """Tell the items of all tables apart."""
        items = items_of(world.tables.engine).items()
        return frozenset((*named, self.of(item)) for named, item in items)

    def attempts(self, world: World) -> Iterator[Attempt]:
        """Yield every attempt."""
        for item in world.tables.engine._tables[RUNS_TABLE]._items.values():
            if "state" in item and "fence" in item:
                known = self._attempts.get(id(item))
                if known is None:
                    known = self._attempts[id(item)] = item, attempt_from_fields(item)
                yield known[1]
