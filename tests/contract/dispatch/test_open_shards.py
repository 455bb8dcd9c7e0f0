"""``ShardStore``: one record of what is open, changed by its last reader."""

from tests.support.execution.placing import first_shards
from tests.support.factories import NOW, after
from tests.support.stores.contract_stores import Stores, race
from timegate.adapters.dynamo.tables.keys import OPEN_SHARDS
from timegate.adapters.dynamo.tables.reading import mapping
from timegate.adapters.dynamo.tables.writes import Update
from timegate.adapters.memory.clock import MemoryClock
from timegate.usecases.planning.open_shards import open_shards

FOUR = first_shards(4, at=NOW)


def test_nothing_is_open_at_first(stores: Stores) -> None:
    """Not even one shard: nothing has been written."""
    assert stores.open_shards.read() is None


def test_what_is_stored_is_read(stores: Stores) -> None:
    """Every opening with its instant, and what was closed is gone."""
    eight = FOUR.with_open(8, at=after(1.234))
    written = [stores.open_shards.replace(None, FOUR), stores.open_shards.replace(FOUR, eight)]
    read = stores.open_shards.read()
    closing = eight.with_closing(4)
    written.append(stores.open_shards.replace(eight, closing))
    announced = stores.open_shards.read()
    written.append(stores.open_shards.replace(closing, closing.closed()))

    assert written == [True, True, True, True]
    assert [read, announced] == [eight, closing]
    assert stores.open_shards.read() == FOUR


def test_the_record_is_changed_as_it_was_read(stores: Stores) -> None:
    """A process that read something else, or nothing, changes nothing."""
    stores.open_shards.replace(None, FOUR)

    assert not stores.open_shards.replace(None, first_shards(2, at=NOW))
    assert not stores.open_shards.replace(first_shards(4, at=after(1)), first_shards(2, at=NOW))
    assert stores.open_shards.read() == FOUR


def test_shards_are_opened_beside_a_field_of_a_later_release(stores: Stores) -> None:
    """The earlier release opens and closes them, and does not try for ever."""
    stores.open_shards.replace(None, FOUR)
    table: str = stores.open_shards._table  # type: ignore[attr-defined]
    later = Update(table=table, key=OPEN_SHARDS, within=("record",), fields={"zone": 1}, where={})
    stores.engine.write(later)
    opened = FOUR.with_open(8, at=after(1))
    written = [
        stores.open_shards.replace(first_shards(2, at=NOW), opened),
        stores.open_shards.replace(FOUR, opened),
        stores.open_shards.replace(FOUR, opened),
        stores.open_shards.replace(opened, opened.with_closing(4)),
        stores.open_shards.replace(opened.with_closing(4), opened.with_closing(4).closed()),
    ]
    stored = stores.engine.get(table, OPEN_SHARDS)

    assert written == [False, True, False, True, True]
    assert stores.open_shards.read() == FOUR
    assert stored is not None
    assert mapping(stored["record"])["zone"] == 1


def test_many_that_open_at_once_leave_the_most_open(stores: Stores) -> None:
    """Processes of several deployments start together."""
    race(
        *(
            lambda count=count: open_shards(count, stores.open_shards, MemoryClock(NOW))
            for count in (2, 8, 3, 5, 8, 1)
        )
    )
    stored = stores.open_shards.read()

    assert stored is not None
    assert stored.count == 8


def test_the_placement_key_is_made_once(stores: Stores) -> None:
    """The first opening makes it; later deployments and closings keep it."""
    keys = race(
        *(
            lambda: open_shards(4, stores.open_shards, MemoryClock(NOW)).key,
            lambda: open_shards(8, stores.open_shards, MemoryClock(NOW)).key,
        )
    )
    stored = stores.open_shards.read()
    assert stored is not None
    stores.open_shards.replace(stored, stored.with_closing(2).closed())
    closed = stores.open_shards.read()

    assert closed is not None
    assert {*keys, stored.key, closed.key} == {stored.key}
    assert len(stored.key) == 32
