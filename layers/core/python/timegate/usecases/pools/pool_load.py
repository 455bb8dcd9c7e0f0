"""Capacity of a pool, as its workers say it."""

from collections.abc import Sequence

from timegate.ports.pools import WorkerSeen
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolLoad:
    """Sums over workers; one that did not say counts as none."""

    #: Runs that they can work on at once; ``None``: no worker said.
    capacity: int | None
    #: Runs that they work on; ``None``: no worker said.
    in_use: int | None


def pool_load(workers: Sequence[WorkerSeen]) -> PoolLoad:
    """Add up what workers said, each with its last write: up to half a minute ago."""
    return PoolLoad(
        capacity=_sum([each.capacity for each in workers]),
        in_use=_sum([each.in_use for each in workers]),
    )


def _sum(told: Sequence[int | None]) -> int | None:
    known = [each for each in told if each is not None]
    return sum(known) if known else None
