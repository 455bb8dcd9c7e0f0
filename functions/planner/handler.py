"""The planner's tick: one schedule per shard group names the shards to look after."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.wiring import planner_services
from timegate.usecases.plan_shard import plan_shard

services = planner_services()


def _plan(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    ticks = [
        plan_shard(
            int(shard),
            services.scheduling,
            services.cursors,
            services.clock,
            owner=context.aws_request_id,
        )
        for shard in event["shards"]
    ]
    return {
        "shards": sum(tick is not None for tick in ticks),
        "jobs": sum(tick.jobs for tick in ticks if tick is not None),
        "runs": sum(tick.runs for tick in ticks if tick is not None),
    }


handle = services.telemetry.instrument(_plan)
