"""The record of a region: which of a pair acts, until when, and what the other may have begun.

Each region has a record of its own in a table that is not replicated. The active region acts until
its record says so, and its record never says more than the other region's has promised.
"""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Self

from timegate.domain.values.instants import to_milliseconds
from timegate.value_classes import dataclass

#: A process reads its region's record again after this, so that a fence holds so soon.
READ_EVERY = timedelta(seconds=10)
#: Clocks of two regions differ by no more, nor that of a process from an operator's.
CLOCK_MARGIN = timedelta(seconds=30)
#: A fence ends the time of its region so much later: a process may act by the record that it read
#: before until then, and by a clock that is ahead begin what is due behind the end of that.
FENCED_AFTER = READ_EVERY + CLOCK_MARGIN
#: A call to a table that began in time ends within this: four tries of ten seconds, and pauses.
CALL_ENDS_WITHIN = timedelta(seconds=60)
#: Planner and sweeper look again at buckets of so long before the other region's end: what was on
#: its way in the replication arrives in buckets that were found empty.
LOOK_AGAIN_AT = timedelta(hours=6)
#: No epoch owes so many looks at old buckets.
_LOOKS_OF_AN_EPOCH = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class OwedLook:
    """A look at buckets from an instant on, though they were found empty before."""

    #: A cursor that has this number has looked at them.
    number: int
    since: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class RegionRecord:
    """The word of one region on which of the pair is active."""

    #: Counts promotions: of two records the later one is right.
    epoch: int
    #: The region that acts.
    active: str
    acts_from: datetime
    #: In the active region: the end of its time, unless it is renewed. In the other one: until then
    #: it has promised not to act. ``None``: without an end.
    acts_until: datetime | None
    #: The region before may have begun what was due before then, though it is on record here as
    #: open, or not at all. ``None``: no region was active before.
    lost_until: datetime | None = None
    #: An operator ended the time of the active region; it is not renewed.
    fenced: bool = False
    #: Numbers the looks at old buckets that planner and sweeper owe; a cursor has that of its last.
    looks: int = 0

    @classmethod
    def first(cls, region: str, *, now: datetime) -> Self:
        """Return the record with which a pair begins."""
        return cls(epoch=1, active=region, acts_from=now, acts_until=now)

    def acts(self, region: str, *, now: datetime) -> bool:
        """Tell if a region may plan, begin and change."""
        ended = self.acts_until is not None and now >= self.acts_until
        return self.active == region and self.acts_from <= now and not ended

    @property
    def owed_look(self) -> OwedLook | None:
        """Return the look at old buckets; ``None`` while no other region was active before."""
        if self.lost_until is None:
            return None
        return OwedLook(number=self.looks, since=self.lost_until - LOOK_AGAIN_AT)

    def promised(self, *, now: datetime, length: timedelta) -> Self:
        """The word of the other region: it stays passive for so long from now on."""
        return replace(self, acts_until=to_milliseconds(now + length), fenced=False)

    def renewed(self, promise: "RegionRecord", *, rejoined: bool) -> Self:
        """The active region's own record once the other one has promised."""
        return replace(self, acts_until=promise.acts_until, looks=self.looks + int(rejoined))

    def fence(self, *, now: datetime) -> Self:
        """End the time of the active region, for every process that reads the record again."""
        end = to_milliseconds(now + FENCED_AFTER)
        until = end if self.acts_until is None else min(end, self.acts_until)
        return replace(self, acts_until=until, fenced=True)

    def promoted(self, region: str, *, ended: datetime, now: datetime) -> Self:
        """The record of a region that takes over from one whose time ``ended``, or ends then.

        It acts alone until the other region can be asked. Its own clock may be ahead, and writes of
        the other one that began in time have ended when it begins.
        """
        return replace(
            self,
            epoch=self.epoch + 1,
            active=region,
            acts_from=max(to_milliseconds(now), ended + CLOCK_MARGIN + CALL_ENDS_WITHIN),
            acts_until=None,
            lost_until=ended,
            fenced=False,
            looks=(self.epoch + 1) * _LOOKS_OF_AN_EPOCH,
        )

    def alone(self) -> Self:
        """The record of an active region that goes on without promises."""
        return replace(self, acts_until=None, fenced=False)

    def owing_a_look(self) -> Self:
        """The record by which planner and sweeper look at old buckets once more."""
        return replace(self, looks=self.looks + 1)
