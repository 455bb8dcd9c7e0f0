"""Records in which a tenant's creations are counted, and the room of each of them.

A small quota has one record, and its room is compared with the ends that a process has read. A
large one is allotted: each record says how many it may count, and a creation compares its own
record alone. All together are allotted no more than there is room for, so no creation is one too
many, in any order of reads.
"""

from collections.abc import Iterator
from dataclasses import replace

from timegate.domain.execution.quota_usage import Tallied
from timegate.value_classes import dataclass

#: Records of a large quota, chosen by the id of what is created.
PARTS = 16
#: The record of a small quota; in a large one it keeps what was counted before.
MAIN = PARTS
#: Quotas from here on are large: a record's share lasts for hundreds of creations.
LARGE = 10_000
#: Limit of a tenant without a quota.
UNLIMITED = 2**53


@dataclass(frozen=True, kw_only=True, slots=True)
class Record:
    """A record that counts creations."""

    counted: int = 0
    #: Most that it may count; ``None``: it is not allotted.
    most: int | None = None
    #: The quota that it is allotted under.
    limit: int | None = None

    def has_room(self, limit: int) -> bool:
        """Tell if one more fits under a quota, by what was read."""
        return self.limit == limit and self.most is not None and self.counted < self.most


@dataclass(frozen=True, kw_only=True, slots=True)
class Creations:
    """All records of one quota of one tenant, as a process read them."""

    records: tuple[Record, ...] = (Record(),) * (PARTS + 1)
    #: Ends that were counted by then; there are as many at least.
    ended: int = 0

    @property
    def tallied(self) -> Tallied:
        """Return what is counted."""
        return Tallied(records=tuple(each.counted for each in self.records), ended=self.ended)

    @property
    def is_allotted(self) -> bool:
        """Tell if the tenant has, or had, a large quota."""
        return self.records[MAIN].most is not None

    def with_room(self, own: int, limit: int) -> int | None:
        """Return a record with room, that of the creation's id if it has some; ``None``: none."""
        order = (own, *range(len(self.records)))
        return next((each for each in order if self.records[each].has_room(limit)), None)

    def allotted(self, limit: int) -> "Creations":
        """Share the room that is left: evenly among the parts, or to one record if it is little."""
        room = max(limit - self.tallied.used, 0)
        shares = _even(room) if room >= PARTS else [0] * PARTS
        given = [*shares, room - sum(shares)]
        records = [
            replace(each, most=each.counted + share, limit=limit)
            for each, share in zip(self.records, given, strict=True)
        ]
        return replace(self, records=tuple(records))

    def changes(self, after: "Creations") -> Iterator[tuple[int, Record, Record]]:
        """Yield the records that differ, with their places."""
        pairs = zip(self.records, after.records, strict=True)
        yield from ((n, old, new) for n, (old, new) in enumerate(pairs) if old != new)


def _even(room: int) -> list[int]:
    return [room // PARTS + (part < room % PARTS) for part in range(PARTS)]
