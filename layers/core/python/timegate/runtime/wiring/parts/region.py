"""Wiring of a stage in two regions."""

from functools import cache
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore, PeerRegionStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.system_clock import SystemClock
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.region_settings import PairSettings
from timegate.usecases.regions.region_at_hand import RegionAtHand
from timegate.usecases.regions.renew_region import RegionPair, renew_region

if TYPE_CHECKING:
    from timegate.runtime.wiring import Handler

#: The planner that serves this shard renews the time of the region.
_RENEWED_WITH = 0


@cache
def known_region() -> RegionAtHand:
    """Build what a process knows of its region; raises ``MissingSetting``."""
    env = environment()
    store = DynamoRegionStore(BotoEngine(clients.dynamodb()), table=env.text("REGION_TABLE"))
    return RegionAtHand(store, env.text("AWS_REGION"), SystemClock())


def renewed_before(handler: "Handler", region: RegionAtHand, telemetry: Telemetry) -> "Handler":
    """Have the time of the region renewed before the first group of shards is served."""
    pair = _pair(telemetry)

    def kept(event: dict[str, Any], context: LambdaContext) -> Any:  # noqa: ANN401 - any answer
        if _RENEWED_WITH in event.get("shards", ()):
            renew_region(pair, now=SystemClock().now())
            region.forget()
        return handler(event, context)

    return kept


def _pair(telemetry: Telemetry) -> RegionPair:
    settings = PairSettings.read(environment())
    there = clients.peer_dynamodb(settings.peer, endpoint=settings.peer_endpoint or None)
    return RegionPair(
        region=settings.region,
        home=settings.home,
        own=DynamoRegionStore(BotoEngine(clients.dynamodb()), table=settings.table),
        peer=PeerRegionStore(DynamoRegionStore(BotoEngine(there), table=settings.table)),
        length=settings.length,
        telemetry=telemetry,
    )
