"""The relay: a queued image in the stream means "publish me"."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.events.attempt_records import read_attempts
from timegate.runtime.events.stream_records import Failures, report
from timegate.runtime.wiring import while_active
from timegate.runtime.wiring.relay import relay_services
from timegate.usecases.dispatch.relay_runs import relay_runs

services = relay_services()


def _relay(event: dict[str, Any], _: LambdaContext) -> Failures:
    records = read_attempts(event, "relay", services.rejects, services.telemetry)
    sent = relay_runs(
        [record.shown for record in records],
        services.publisher,
        services.telemetry,
        now=services.clock.now(),
        lead_seconds=services.lead_seconds,
    )
    return report([record for record, ok in zip(records, sent, strict=True) if not ok])


handle = services.telemetry.instrument(while_active(_relay, idle=report([])))
