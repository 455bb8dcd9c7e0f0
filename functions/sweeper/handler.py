"""The sweeper: a tick names the shards to look after; a look between two ticks names them too."""

from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.domain.dispatch.looks import LOOK_TIME
from timegate.runtime.events.invocations import owner_of
from timegate.runtime.events.look_records import read_looks
from timegate.runtime.events.queue_records import report
from timegate.runtime.events.shard_ticks import serve_each
from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.sweeper import sweeper_services
from timegate.usecases.sweeping.ask_for_looks import ask_for_looks
from timegate.usecases.sweeping.look_at_shard import look_at_shard
from timegate.usecases.sweeping.sweep_shard import sweep_shard

services = sweeper_services()


def _sweep(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    shards, now, of = services.shards.read(), services.clock.now(), event.get("of")
    at_work = (context, shards, services.telemetry)
    if "Records" in event:
        look = partial(look_at_shard, sweeping=services.sweeping, clock=services.clock)
        for each in read_looks(event, services.telemetry, now=now):
            serve_each(partial(look, deadline=now + LOOK_TIME), each.fields(), *at_work, now=now)
        return {**report([])}
    ask_for_looks(event.get("looks", []), of, services.looks, services.telemetry, now=now)
    sweep = partial(sweep_shard, sweeping=services.sweeping, clock=services.clock)
    swept = serve_each(partial(sweep, owner=owner_of(context)), event, *at_work, now=now)
    return {
        "shards": sum(one is not None for one in swept),
        "looked_at": sum(one.looked_at for one in swept if one is not None),
        "changed": sum(one.changed for one in swept if one is not None),
    }


handle = services.telemetry.instrument(while_active(_sweep, idle={**report([])}))
