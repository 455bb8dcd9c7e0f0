"""The walk over all jobs after a promotion, as an operator sees how far it came."""

from collections.abc import Iterable
from itertools import groupby
from typing import Any

from timegate.domain.regions.region_record import RegionRecord
from timegate.ports.auditing import TakeoverWalk


def walk_told(
    record: RegionRecord, region: str, walks: Iterable[TakeoverWalk]
) -> dict[str, Any] | None:
    """Return how far a region's planners came with the look that they owe; ``None``: they owe none.

    Shares of another number of shards may be on record as well, of a deployment within the walk:
    those that came furthest are told. ``shares`` is 0 until a planner has stored its first page.
    """
    look = record.owed_look
    if look is None or record.active != region:
        return None
    own = sorted((each for each in walks if each.look >= look.number), key=lambda each: each.of)
    groups = (_counted(of, list(shares)) for of, shares in groupby(own, lambda each: each.of))
    none = {"done": False, "shares_done": 0, "shares": 0, "jobs": 0, "mended": 0}
    return max(groups, key=lambda each: (each["done"], each["jobs"]), default=none)


def _counted(of: int, shares: list[TakeoverWalk]) -> dict[str, Any]:
    done = sum(each.is_done for each in shares)
    return {
        "done": done == of,
        "shares_done": done,
        "shares": of,
        "jobs": sum(each.jobs for each in shares),
        "mended": sum(each.mended for each in shares),
    }
