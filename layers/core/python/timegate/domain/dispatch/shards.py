"""Shards: over how many writers spread jobs, and which of them need a planner."""

from collections.abc import Sequence
from dataclasses import field, replace
from datetime import datetime
from hashlib import blake2b
from typing import Final, Self

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId
from timegate.value_classes import dataclass

#: Every open shard costs about twenty small reads a minute, whether anything waits in it or not.
MAX_SHARDS = 1_024
#: Bytes of the stage's placement key.
KEY_BYTES = 32
_DIGEST_BYTES = 8


@dataclass(frozen=True, kw_only=True, slots=True)
class Placement:
    """Placement of jobs and runs: in one of ``shards``, by a hash under the stage's key.

    A tenant chooses the seeds of its ids. Without the key it cannot compute ids for one shard.
    """

    shards: int
    #: Secret: no log, no error and no answer of the API shows it.
    key: bytes = field(repr=False)

    def shard_of(self, job_id: JobId) -> int:
        """The shard whose planner and sweeper look after this job."""
        return self.part_of(job_id, self.shards)

    def part_of(self, seed: str, parts: int) -> int:
        """Choose one of ``parts``; the same key and seed choose the same part in every process."""
        digest = blake2b(seed.encode(), key=self.key, digest_size=_DIGEST_BYTES).digest()
        return int.from_bytes(digest, "big") % parts


#: For what waits in no shared bucket: one shard needs no key.
ONE_SHARD: Final = Placement(shards=1, key=b"")


@dataclass(frozen=True, kw_only=True, slots=True)
class Opening:
    """From ``at`` on, jobs could wait in the first ``shards`` shards."""

    shards: int
    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class ShardTurn:
    """A shard for a tick to look after; nothing waited in it before ``opened_at``."""

    shard: int
    opened_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class OpenShards:
    """Open shards, in which items may wait: those from 0 to ``count - 1``.

    A writer spreads its jobs over open shards only, and ticks serve every open shard. So the
    number of shards that a deployment names may rise and fall: a shard that is not written to any
    more stays open, until a pass has found it empty.
    """

    #: In the order in which they happened; each opens more than the one before.
    openings: tuple[Opening, ...]
    #: The stage's placement key, made once; see ``Placement.key``.
    key: bytes = field(repr=False)
    #: All but the first so many are being closed, and may not be begun. ``None``: none is.
    closing: int | None = None

    @classmethod
    def first(cls, shards: int, *, at: datetime, key: bytes) -> Self:
        """The first shards there are; raises ``InvalidInput`` for a number that cannot be."""
        return cls(openings=(_opening(shards, at),), key=key)

    @property
    def count(self) -> int:
        """Count the open shards."""
        return self.openings[-1].shards

    @property
    def used(self) -> int:
        """Count the shards that may be written to: those that are open and not being closed."""
        return self.closing if self.closing is not None else self.count

    def placement(self, shards: int) -> Placement:
        """Place over the first ``shards`` of them."""
        return Placement(shards=shards, key=self.key)

    def opened_at(self, shard: int) -> datetime:
        """Since when jobs can wait in an open shard."""
        return next(opening.at for opening in self.openings if shard < opening.shards)

    def with_open(self, shards: int, *, at: datetime) -> Self:
        """With at least so many in use; raises ``InvalidInput`` for a number that cannot be."""
        opening = _opening(shards, at)
        if shards <= self.used:
            return self
        added = () if shards <= self.count else (opening,)
        return replace(self, openings=(*self.openings, *added), closing=None)

    def with_closing(self, shards: int) -> Self:
        """With the first ``shards`` in use; the others are served until they are closed."""
        return replace(self, closing=shards)

    def closed(self) -> Self:
        """Without the shards that were being closed: they have been found empty."""
        kept = [opening for opening in self.openings if opening.shards < self.used]
        last = Opening(shards=self.used, at=self.opened_at(self.used - 1))
        return replace(self, openings=(*kept, last), closing=None)

    def turns(self, named: Sequence[int], of: int | None, *, at: datetime) -> tuple[ShardTurn, ...]:
        """Return the shards that a tick for the ``named`` ones, ``of`` so many, looks after.

        Each named shard stands for every open shard with the same remainder, so that all ticks
        together serve all open shards, whatever number they were made for. Without ``of`` it
        stands for itself. Retired shards come last, each minute another one first: a tick that
        runs out of time leaves none out for long.
        """
        current = [shard for shard in named if shard < self.count]
        retired = [
            shard
            for start in named
            for shard in (range(start + of, self.count, of) if of is not None else ())
        ]
        first = int(at.timestamp() // 60) % len(retired) if retired else 0
        order = (*current, *retired[first:], *retired[:first])
        return tuple(ShardTurn(shard=shard, opened_at=self.opened_at(shard)) for shard in order)


def _opening(shards: int, at: datetime) -> Opening:
    if not 1 <= shards <= MAX_SHARDS:
        raise InvalidInput("shards", "out_of_range", f"There are 1 to {MAX_SHARDS} shards.")
    return Opening(shards=shards, at=at)
