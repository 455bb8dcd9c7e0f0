"""The sweeper's tick: one schedule per shard group names the shards to look after."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.invocations import owner_of
from timegate.runtime.shard_ticks import turns_of
from timegate.runtime.wiring import sweeper_services
from timegate.usecases.sweep_shard import sweep_shard

services = sweeper_services()


def _sweep(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    shards, now = services.shards.read(), services.clock.now()
    swept = [
        sweep_shard(turn, services.sweeping, services.clock, owner=owner_of(context))
        for turn in turns_of(event, context, shards, services.telemetry, now=now)
    ]
    return {
        "shards": sum(one is not None for one in swept),
        "looked_at": sum(one.looked_at for one in swept if one is not None),
        "changed": sum(one.changed for one in swept if one is not None),
    }


handle = services.telemetry.instrument(_sweep)
