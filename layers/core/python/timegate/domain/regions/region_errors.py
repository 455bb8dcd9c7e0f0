"""Refusals about regions; requests meet ``RegionPassive`` (``domain/values/tenant_errors.py``)."""

from timegate.domain.values.errors import TimegateError


class PromotionRefused(TimegateError):
    """A step of a promotion that is not possible as the records stand."""

    code = "promotion_refused"


class RegionUnreached(TimegateError):
    """The other region's record cannot be read or written."""

    code = "region_unreached"

    def __init__(self, detail: str) -> None:
        super().__init__(f"The record of the other region is out of reach: {detail}")
