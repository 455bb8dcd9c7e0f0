"""``CursorStore``: one watcher per shard at a time, going on where the last one came to."""

import pytest

from tests.support.factories import NOW, after
from tests.support.stores.contract_stores import Stores
from timegate.domain.dispatch.buckets import BucketProgress
from timegate.ports.dispatch.cursors import Cursor, Watcher


def acquire(
    stores: Stores,
    owner: str,
    *,
    at: float = 0,
    watcher: Watcher = Watcher.PLANNER,
    shard: int = 0,
    start: float | None = None,
) -> Cursor | None:
    """A lease of 55 s on a shard."""
    return stores.cursors.acquire(
        watcher,
        shard,
        owner=owner,
        now=after(at),
        until=after(at + 55),
        start=after(start) if start is not None else None,
    )


def held(cursor: Cursor | None) -> Cursor:
    """A lease that was given."""
    assert cursor is not None
    return cursor


def test_a_new_shard_begins_where_it_is_told_to(stores: Stores) -> None:
    """Jobs may have come before its first watcher did."""
    expected = Cursor(
        watcher=Watcher.PLANNER,
        shard=0,
        owner="one",
        progress=BucketProgress(watermark=after(-3600), sealed=after(-3600)),
    )

    assert expected == acquire(stores, "one", start=-3600)


def test_a_new_shard_begins_now_when_it_is_told_nothing(stores: Stores) -> None:
    """No earlier record exists."""
    assert held(acquire(stores, "one")).progress.watermark == NOW


def test_a_shard_that_is_held_is_not_given_again(stores: Stores) -> None:
    """The other one goes away empty-handed, and changes nothing."""
    acquire(stores, "one")

    assert acquire(stores, "two", at=10) is None
    assert acquire(stores, "one", at=20) is not None


@pytest.mark.parametrize(("at", "given"), [(54.999, False), (55, True), (55.001, True)])
def test_a_lease_ends_at_its_expiry(stores: Stores, at: float, *, given: bool) -> None:
    """Not a moment before: a planner that crashed costs one tick (N6)."""
    acquire(stores, "one", start=-60)
    cursor = acquire(stores, "two", at=at)

    assert given == (cursor is not None)
    assert cursor is None or cursor.progress.watermark == after(-60)


def test_a_released_shard_goes_on_where_it_came_to(stores: Stores) -> None:
    """At once, for any reader; where to start is asked of a new shard only."""
    stores.cursors.release(
        held(acquire(stores, "one")), BucketProgress(watermark=after(30), sealed=after(-60))
    )
    cursor = held(acquire(stores, "two", at=1, start=-3600))

    assert (after(30), after(-60)) == (cursor.progress.watermark, cursor.progress.sealed)


def test_a_lease_that_was_lost_releases_nothing(stores: Stores) -> None:
    """Its late owner must not undo what the next one found."""
    late = held(acquire(stores, "one"))
    acquire(stores, "two", at=55)
    stores.cursors.release(late, BucketProgress(watermark=after(999), sealed=NOW))

    assert acquire(stores, "three", at=60) is None
    assert held(acquire(stores, "three", at=110)).progress.watermark == NOW


def test_a_lease_that_ran_out_unnoticed_is_still_ones_own(stores: Stores) -> None:
    """No other planner has looked, so what was found is true."""
    late = held(acquire(stores, "one"))
    stores.cursors.release(late, BucketProgress(watermark=after(30), sealed=NOW))
    stores.cursors.release(late, BucketProgress(watermark=after(999), sealed=NOW))

    assert held(acquire(stores, "two", at=100)).progress.watermark == after(30)


def test_shards_and_watchers_do_not_meet(stores: Stores) -> None:
    """A planner holds up neither a sweeper nor the next shard's planner."""
    acquire(stores, "one")

    assert acquire(stores, "two", shard=1) is not None
    assert acquire(stores, "two", watcher=Watcher.SWEEPER) is not None
    assert acquire(stores, "two") is None
