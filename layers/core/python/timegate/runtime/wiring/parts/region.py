"""Wiring of a stage in two regions: what asks the region's record before it acts.

A stage of one region has no such record: it loads nothing of this, and asks nothing.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.wiring.parts.dynamo_engine import region_at_hand, unfenced_engine

if TYPE_CHECKING:
    from timegate.domain.regions.region_record import OwedLook
    from timegate.ports.telemetry.telemetry import Telemetry
    from timegate.usecases.regions.region_at_hand import RegionAtHand

Handler = Callable[[dict[str, Any], LambdaContext], Any]
#: The planner that serves this shard renews the time of the region.
_RENEWED_WITH = 0


@cache
def known_region() -> "RegionAtHand":
    """Build what a process knows of its region; raises ``MissingSetting``."""
    from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore  # noqa: PLC0415
    from timegate.adapters.system_clock import SystemClock  # noqa: PLC0415
    from timegate.usecases.regions.region_at_hand import RegionAtHand  # noqa: PLC0415

    env = environment()
    store = DynamoRegionStore(unfenced_engine(), table=env.text("REGION_TABLE"))
    return RegionAtHand(store, env.text("AWS_REGION"), SystemClock())


def owed_look() -> "OwedLook | None":
    """Return the look at old buckets that planner and sweeper owe."""
    region = region_at_hand()
    return region.owed_look() if region is not None else None


def begins_until() -> datetime | None:
    """Return the end of the time in which runs may begin in this region; ``None``: none."""
    region = region_at_hand()
    return region.begins_until() if region is not None else None


def while_active(handler: Handler, *, idle: Any) -> Handler:  # noqa: ANN401 - any answer
    """Invoke a handler in the time of its region only; else the answer is ``idle``.

    What a source delivers to a passive region is left: whatever is open is on record, and found by
    the sweeper of the region that acts.
    """
    region = region_at_hand()
    if region is None:
        return handler

    def guarded(event: dict[str, Any], context: LambdaContext) -> Any:  # noqa: ANN401 - as above
        return handler(event, context) if region.acts() else idle

    return guarded


def renewing(handler: Handler, telemetry: "Telemetry", *, idle: Any) -> Handler:  # noqa: ANN401
    """Invoke the planner in the time of its region, which its first group of shards renews."""
    region = region_at_hand()
    if region is None:
        return handler
    guarded, renew = while_active(handler, idle=idle), _renewal(telemetry)

    def kept(event: dict[str, Any], context: LambdaContext) -> Any:  # noqa: ANN401 - as above
        if _RENEWED_WITH in event.get("shards", ()):
            renew()
            region.forget()
        return guarded(event, context)

    return kept


def _renewal(telemetry: "Telemetry") -> Callable[[], object]:
    from timegate.adapters.dynamo.dispatch.region_store import (  # noqa: PLC0415 - few stages
        DynamoRegionStore,
        PeerRegionStore,
    )
    from timegate.adapters.dynamo.tables.boto_engine import BotoEngine  # noqa: PLC0415
    from timegate.adapters.system_clock import SystemClock  # noqa: PLC0415
    from timegate.runtime.region_settings import PairSettings  # noqa: PLC0415
    from timegate.usecases.regions.renew_region import RegionPair, renew_region  # noqa: PLC0415

    settings = PairSettings.read(environment())
    there = clients.peer_dynamodb(settings.peer, endpoint=settings.peer_endpoint or None)
    pair = RegionPair(
        region=settings.region,
        home=settings.home,
        own=DynamoRegionStore(unfenced_engine(), table=settings.table),
        peer=PeerRegionStore(DynamoRegionStore(BotoEngine(there), table=settings.table)),
        length=settings.length,
        telemetry=telemetry,
    )
    return lambda: renew_region(pair, now=SystemClock().now())
