"""Cursors of planner and sweeper, shard by shard."""

from datetime import datetime
from enum import StrEnum
from typing import Protocol

from timegate.domain.dispatch.buckets import BucketProgress
from timegate.value_classes import dataclass


class Watcher(StrEnum):
    """Functions that keep a cursor over a shard's time buckets."""

    PLANNER = "planner"
    SWEEPER = "sweeper"


@dataclass(frozen=True, kw_only=True, slots=True)
class Cursor:
    """A leased shard: how far its buckets are known to be empty."""

    watcher: Watcher
    shard: int
    owner: str
    progress: BucketProgress
    #: Numbers the last look at old buckets that this shard has had, or has with this lease.
    looks: int = 0


class CursorStore(Protocol):
    """The shard leases of planner and sweeper."""

    def acquire(
        self,
        watcher: Watcher,
        shard: int,
        *,
        owner: str,
        now: datetime,
        until: datetime,
        start: datetime | None = None,
    ) -> Cursor | None:
        """Lease a shard to ``until``; ``None`` while another owner's lease lives.

        A shard that has no cursor yet starts with its watermark at ``start``, or at ``now``; what
        was never sealed is sealed as far as the watermark.
        """

    def release(self, cursor: Cursor, progress: BucketProgress) -> None:
        """Store how far we came and free the shard; does nothing if the lease was lost."""
