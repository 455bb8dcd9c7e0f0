"""Wiring: each function's services, built from settings and adapters.

A stage in two regions invokes its functions, and lets them write, in the time of their region only.
A stage of one region loads nothing of that.
"""

from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.environment import environment

if TYPE_CHECKING:
    from timegate.domain.regions.region_record import OwedLook
    from timegate.ports.telemetry.telemetry import Telemetry
    from timegate.usecases.regions.region_at_hand import RegionAtHand
    from timegate.usecases.services.planner_services import Scheduling

Handler = Callable[[dict[str, Any], LambdaContext], Any]


def region_at_hand() -> "RegionAtHand | None":
    """Return what this process knows of its region; ``None``: the stage has one region."""
    if not environment().optional("REGION_TABLE"):
        return None
    from timegate.runtime.wiring.parts.region import known_region  # noqa: PLC0415 - few stages

    return known_region()


def lost_until() -> datetime | None:
    """Return the end of the other region's time, up to which it may have begun runs."""
    region = region_at_hand()
    return region.lost_until() if region is not None else None


def begins_until() -> datetime | None:
    """Return the end of the time in which runs may begin in this region; ``None``: none."""
    region = region_at_hand()
    return region.begins_until() if region is not None else None


def owed_look() -> "OwedLook | None":
    """Return the look at old buckets that planner and sweeper owe."""
    region = region_at_hand()
    return region.owed_look() if region is not None else None


def while_active(handler: Handler, *, idle: Any) -> Handler:  # noqa: ANN401 - any answer
    """Invoke a handler in the time of its region only; else the answer is ``idle``.

    A passive region leaves its deliveries: open work is on record, and the sweeper of the region
    that acts finds it.
    """
    region = region_at_hand()
    if region is None:
        return handler

    def guarded(event: dict[str, Any], context: LambdaContext) -> Any:  # noqa: ANN401 - as above
        return handler(event, context) if region.acts() else idle

    return guarded


def renewing(
    handler: Handler,
    telemetry: "Telemetry",
    scheduling: "Scheduling",
    *,
    idle: Any,  # noqa: ANN401 - any answer
) -> Handler:
    """Invoke the planner in the time of its region, which its first group of shards renews.

    After a promotion it mends jobs, behind its other work.
    """
    region = region_at_hand()
    if region is None:
        return handler
    from timegate.runtime.wiring.parts.region import mended_after, renewed_before  # noqa: PLC0415

    mending = mended_after(handler, region, scheduling)
    return renewed_before(while_active(mending, idle=idle), region, telemetry)
