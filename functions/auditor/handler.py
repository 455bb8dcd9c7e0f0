"""The auditor's tick: one schedule per shard group names the shards to audit."""

from functools import partial
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.events.invocations import owner_of
from timegate.runtime.events.shard_ticks import named_turns, serve_each
from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.auditor import auditor_services
from timegate.usecases.auditing.audit_shard import audit_shard
from timegate.usecases.auditing.send_heartbeat import send_heartbeat

services = auditor_services()
#: The first group of shards counts the costs of all, if its tick has this much time left.
_METERED_BY, _METER_MS = 0, 25_000


def _audit(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    shards, now = services.shards.read(), services.clock.now()
    of = shards.count if shards is not None else 1
    owner, at_work = owner_of(context), (context, shards, services.telemetry)
    audit = partial(audit_shard, auditing=services.auditing, of=of, now=now, owner=owner)
    audited = serve_each(lambda turn: audit(turn.shard), event, *at_work, now=now)
    group = sorted(turn.shard for turn in named_turns(event, shards, now=now))
    send_heartbeat(audited, group, services.heartbeat, services.telemetry)
    if group[:1] == [_METERED_BY] and context.get_remaining_time_in_millis() > _METER_MS:
        services.meter_runs(now)
    done = [one for one in audited if one is not None]
    return {
        "shards": len(done),
        "jobs": sum(one.jobs for one in done),
        "instants": sum(one.instants for one in done),
        "unaccounted": sum(one.unaccounted for one in done),
        "lost": sum(one.lost for one in done),
    }


handle = services.telemetry.instrument(while_active(_audit, idle={"shards": 0}))
