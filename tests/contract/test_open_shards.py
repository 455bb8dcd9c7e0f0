"""``ShardStore``: one record of what is open, changed by whoever read it last."""

from tests.contract.stores import Stores, race
from tests.support.factories import NOW, after
from timegate.adapters.memory.clock import MemoryClock
from timegate.domain.shards import OpenShards
from timegate.usecases.open_shards import open_shards

FOUR = OpenShards.first(4, at=NOW)


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
    """Whoever read something else, or nothing, changes nothing."""
    stores.open_shards.replace(None, FOUR)

    assert not stores.open_shards.replace(None, OpenShards.first(2, at=NOW))
    assert not stores.open_shards.replace(
        OpenShards.first(4, at=after(1)), OpenShards.first(2, at=NOW)
    )
    assert stores.open_shards.read() == FOUR


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
