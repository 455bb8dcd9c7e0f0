"""Closing shards that are not written to any more: empty them, see that they are, then close.

For an operator who has lowered the number of shards; nothing depends on its being done. Every step
is conditional and may be repeated, and a crash between two of them leaves shards open and served.
"""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import islice

from timegate.domain.dispatch.shards import OpenShards, Placement
from timegate.ports.clock import Clock
from timegate.ports.dispatch.shards import Census, Resident, ShardStore
from timegate.value_classes import dataclass

#: An item due sooner is left to its shard's planner or sweeper, which may be at it, and writes it
#: into its new shard. The span is also far more than the clocks of operator and functions differ.
TOO_SOON = timedelta(minutes=15)
#: Moves under way at once.
WRITERS = 16
_STEP = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Emptied:
    """Counts of one pass over everything that waits in shards that close."""

    moved: int
    #: Still there: due soon, at work, or moved by another tick just now.
    left: int
    #: Waiting in shards that are not open at all. Never more than 0, unless written by hand.
    unserved: int


def begin_closing(keep: int, store: ShardStore) -> OpenShards | None:
    """Announce that all but the first ``keep`` shards are to be closed; ``None``: nothing to close.

    From here on no process begins to write there without taking the announcement back.
    """
    while True:
        stored = store.read()
        if stored is None or stored.count <= keep:
            return None
        announced = stored.with_closing(keep)
        if announced == stored or store.replace(stored, announced):
            return announced


def empty_shards(announced: OpenShards, census: Census, clock: Clock) -> Emptied:
    """Move whatever can wait elsewhere out of the shards that are to be closed.

    Reads both indexes once, from end to end. Each move is conditional on the item waiting where it
    was seen, so it never undoes what a planner or a caller did meanwhile. The move itself checks
    that the item is not due too soon: a pass takes long, and no planner comes back to a passed
    bucket.
    """
    keep, fewer = announced.used, announced.placement(announced.used)
    moved = left = unserved = 0
    with ThreadPoolExecutor(max_workers=WRITERS) as pool:
        residents = iter(census.residents())
        while step := list(islice(residents, _STEP)):
            inside = [each for each in step if each.shard >= keep]
            unserved += sum(each.shard >= announced.count for each in inside)
            done = sum(pool.map(lambda each: _move(each, census, fewer, clock.now()), inside))
            moved += done
            left += len(inside) - done
    return Emptied(moved=moved, left=left, unserved=unserved)


def close_shards(announced: OpenShards, census: Census, store: ShardStore) -> bool:
    """Close what has been announced, if it is empty; ``False``: it is not, or it is wanted again.

    The caller has made sure that no process that was told to use these shards is still at work.
    """
    if holds_any(census.residents(), announced.used):
        return False
    return store.replace(announced, announced.closed())


def holds_any(residents: Iterable[Resident], keep: int) -> bool:
    """Tell if anything waits beyond the first ``keep`` shards."""
    return any(each.shard >= keep for each in residents)


def _move(resident: Resident, census: Census, fewer: Placement, now: datetime) -> bool:
    return resident.at - now >= TOO_SOON and census.move(resident, fewer)
