"""The auditor's tick: one schedule per shard group names the shards to audit."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.shard_ticks import turns_of
from timegate.runtime.wiring import auditor_services
from timegate.usecases.audit_shard import audit_shard

services = auditor_services()


def _audit(event: dict[str, Any], context: LambdaContext) -> dict[str, int]:
    shards, now = services.shards.read(), services.clock.now()
    audited = [
        audit_shard(turn.shard, services.auditing, now=now, seed=context.aws_request_id)
        for turn in turns_of(event, context, shards, services.telemetry, now=now)
    ]
    return {
        "jobs": sum(one.jobs for one in audited),
        "instants": sum(one.instants for one in audited),
        "unaccounted": sum(one.unaccounted for one in audited),
    }


handle = services.telemetry.instrument(_audit)
