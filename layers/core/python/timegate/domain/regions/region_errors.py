"""Refusals about regions.

TimegateError
├── Conflict
│   ├── PromotionRefused    the region does not take over as things are
│   └── RegionPassive       the other region of the pair acts
└── RegionUnreached         the other region's record cannot be read or written
"""

from timegate.domain.values.errors import Conflict, TimegateError


class RegionPassive(Conflict):
    """The other region of the pair acts, or none does at the moment."""

    code = "region_passive"

    def __init__(self, active: str | None) -> None:
        where = f"{active} is the active region" if active else "no region is active"
        super().__init__(f"This region changes and starts nothing: {where}.")


class PromotionRefused(Conflict):
    """A step of a promotion that is not possible as the records stand."""

    code = "promotion_refused"


class RegionUnreached(TimegateError):
    """The other region's record cannot be read or written."""

    code = "region_unreached"

    def __init__(self, detail: str) -> None:
        super().__init__(f"The record of the other region is out of reach: {detail}")
