"""The sweeper's tick: one schedule per shard group names the shards to look after."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.wiring import sweeper_services
from timegate.usecases.sweep_shard import sweep_shard

services = sweeper_services()


def _sweep(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    swept = [
        sweep_shard(int(shard), services.sweeping, services.clock, owner=context.aws_request_id)
        for shard in event["shards"]
    ]
    return {
        "shards": sum(one is not None for one in swept),
        "looked_at": sum(one.looked_at for one in swept if one is not None),
        "changed": sum(one.changed for one in swept if one is not None),
    }


handle = services.telemetry.instrument(_sweep)
