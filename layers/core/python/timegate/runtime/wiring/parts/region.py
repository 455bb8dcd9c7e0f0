"""Wiring of a stage in two regions."""

from functools import cache
from typing import TYPE_CHECKING, Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.adapters.dynamo.auditing.takeover_walks import DynamoTakeoverWalks
from timegate.adapters.dynamo.dispatch.region_store import DynamoRegionStore, PeerRegionStore
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tenants.rules.rule_watches import DynamoRuleWatches
from timegate.adapters.system_clock import SystemClock
from timegate.domain.auditing.unarrived import LostTime
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.runtime import clients
from timegate.runtime.environment import environment
from timegate.runtime.region_settings import PairSettings
from timegate.usecases.planning.mend_jobs import Share, mend_jobs
from timegate.usecases.regions.region_at_hand import RegionAtHand
from timegate.usecases.regions.renew_region import RegionPair, renew_region
from timegate.usecases.services.planner_services import Scheduling

if TYPE_CHECKING:
    from timegate.runtime.wiring import Handler

#: The planner that serves this shard renews the time of the region.
_RENEWED_WITH = 0
#: No page of jobs is begun with less time left.
_MENDS_WITHIN_MS = 20_000


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


def mended_after(handler: "Handler", region: RegionAtHand, scheduling: Scheduling) -> "Handler":
    """Have jobs mended that did not arrive whole from the other region, once for each look."""
    env = environment()
    engine, jobs_table = BotoEngine(clients.dynamodb()), env.text("JOBS_TABLE")
    walks = DynamoTakeoverWalks(engine, table=env.text("REGION_TABLE"), jobs_table=jobs_table)
    rules = DynamoRuleWatches(engine, table=jobs_table)
    #: The last look that each share was found done for.
    done: dict[Share, int] = {}

    def mended(event: dict[str, Any], context: LambdaContext) -> Any:  # noqa: ANN401 - any answer
        answer = handler(event, context)
        look, lost_until = region.owed_look(), region.lost_until()
        if look is None or lost_until is None:
            return answer
        of = int(event.get("of") or 1)
        shares = [Share(shard=int(each), of=of) for each in event.get("shards", ()) if each < of]
        for share in shares:
            if done.get(share) != look.number and mend_jobs(
                share,
                look.number,
                LostTime(since=look.since, until=lost_until),
                walks,
                rules.rules_at_hand,
                scheduling,
                now=SystemClock().now(),
                has_time=lambda: context.get_remaining_time_in_millis() > _MENDS_WITHIN_MS,
            ):
                done[share] = look.number
        return answer

    return mended


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
