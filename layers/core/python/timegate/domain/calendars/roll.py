"""Rolls: how an instant moves off a day that is no business day.

``next``, ``previous`` and ``modified_following`` are the conventions Following, Preceding and
Modified Following of the 2006 ISDA Definitions, section 4.12. ``nearest`` counts days, so that it
holds for any weekend, and takes the direction of ISDA's Nearest where both sides are equally far.
"""

from datetime import date, datetime
from enum import StrEnum

from timegate.domain.recurrence.zones.local_days import EPOCH_DAY, same_time_on
from timegate.value_classes import dataclass

#: Instants of a day, for a schedule that rolls: every quarter of an hour. Those of a month of
#: free days are compared with one another.
MAX_PER_DAY = 96


class Roll(StrEnum):
    """To which business day an instant moves."""

    NEXT = "next"
    PREVIOUS = "previous"
    #: The one that is fewer days away; of two, the next on Sunday and Monday, else the previous.
    NEAREST = "nearest"
    #: The next, unless that is in another month: then the previous.
    MODIFIED_FOLLOWING = "modified_following"

    @property
    def may_precede(self) -> bool:
        """An instant may run on a day before its own."""
        return self is not Roll.NEXT


@dataclass(frozen=True, kw_only=True, slots=True)
class RolledTo:
    """The local day to which instants moved; each keeps its local time."""

    day: date
    timezone: str

    def of(self, instant: datetime) -> datetime:
        """The moment to which an instant moved."""
        return same_time_on(self.timezone, instant, self.day.toordinal() - EPOCH_DAY)
