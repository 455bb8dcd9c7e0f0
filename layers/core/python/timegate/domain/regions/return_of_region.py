"""The way back: a region that was replaced takes over again when it has everything."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from timegate.domain.regions.region_errors import PromotionRefused
from timegate.domain.regions.region_record import RegionRecord


def check_return(
    own: RegionRecord | None, other: RegionRecord | None, behind: timedelta | None
) -> None:
    """Raise ``PromotionRefused`` unless a passive region may take over again.

    ``behind``: how much of the ticks of the other region is not known here; ``None``: all of it.
    """
    if own is None or other is None:
        raise PromotionRefused("A region has no record.")
    if own.epoch == other.epoch == 1:
        raise PromotionRefused("The region was not replaced by the other one.")
    if own.epoch != other.epoch or own.acts_until is None:
        raise PromotionRefused("The other region has not reached this one since: repeat it later.")
    if behind is None:
        raise PromotionRefused("Ticks of the other region are not known here: repeat it later.")
    if behind:
        seconds = f"{behind.total_seconds():.0f} seconds"
        raise PromotionRefused(f"The region is {seconds} of ticks behind: repeat it later.")


def ticks_behind(
    here: Sequence[datetime | None], there: Sequence[datetime | None]
) -> timedelta | None:
    """Measure how far ticks of the other region are ahead of what is known of them here.

    Both have the marks of planner and sweeper in each shard, in one order. ``None``: of some there
    is nothing here, or there were none.
    """
    known = [*here, *(None for _ in there[len(here) :])]
    pairs = [(mark, done) for mark, done in zip(known, there, strict=False) if done is not None]
    spans = [done - mark for mark, done in pairs if mark is not None]
    if not pairs or len(spans) < len(pairs):
        return None
    return max(timedelta(), *spans)
