"""The engine of the functions' stores, which writes in the time of its region."""

from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.engine import Engine
from timegate.runtime import clients
from timegate.runtime.environment import environment

if TYPE_CHECKING:
    from timegate.usecases.regions.region_at_hand import RegionAtHand


def dynamo_engine() -> Engine:
    """Build an engine over the function's own tables and rights; it writes while its region acts.

    A stage of one region always acts.
    """
    engine, region = unfenced_engine(), region_at_hand()
    if region is None:
        return engine
    from timegate.adapters.dynamo.dispatch.fenced_engine import FencedEngine  # noqa: PLC0415

    return FencedEngine(engine, region)


@cache
def unfenced_engine() -> Engine:
    """Build the engine of those who write at any time.

    They record how runs end, whichever region is active by then, or count requests.
    """
    return BotoEngine(clients.dynamodb())


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
