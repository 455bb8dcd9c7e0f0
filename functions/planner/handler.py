"""The planner's tick: one schedule per shard group names the shards to look after."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.events.invocations import owner_of
from timegate.runtime.events.shard_ticks import serve_each
from timegate.runtime.events.tick_clock import tick_clock
from timegate.runtime.wiring import renewing
from timegate.runtime.wiring.planner import planner_services
from timegate.usecases.planning.open_shards import open_shards
from timegate.usecases.planning.plan_shard import plan_shard

services = planner_services()


def _plan(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    # A clock far ahead would record instants as missed that are still to come.
    clock = tick_clock(event, services.clock, services.telemetry)
    shards = open_shards(services.wanted_shards, services.shards, clock)
    now = clock.now()
    planning = (services.scheduling, services.cursors, clock)
    ticks = serve_each(
        lambda turn: plan_shard(turn, *planning, owner=owner_of(context)),
        *(event, context, shards, services.telemetry),
        now=now,
    )
    return {
        "shards": sum(tick is not None for tick in ticks),
        "jobs": sum(tick.jobs for tick in ticks if tick is not None),
        "runs": sum(tick.runs for tick in ticks if tick is not None),
    }


_IDLE = {"shards": 0, "jobs": 0, "runs": 0}
handle = services.telemetry.instrument(
    renewing(_plan, services.telemetry, services.scheduling, idle=_IDLE)
)
