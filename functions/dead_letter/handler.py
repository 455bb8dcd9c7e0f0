"""What the run queues gave up on: readable messages are buried, the others kept for a human."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.runtime.queue_records import Failures, read_deliveries, report
from timegate.runtime.wiring import dead_letter_services
from timegate.usecases.bury_message import bury_message

services = dead_letter_services()


def _bury(event: dict[str, Any], _: LambdaContext) -> Failures:
    read = read_deliveries(event, "dead-letter", services.telemetry)
    for malformed in read.malformed:
        services.rejects.park(malformed.source, malformed.body, malformed.reason)
    now = services.clock.now()
    for delivery in read.deliveries:
        bury_message(delivery.message, services.runs, services.telemetry, now=now)
    return report([])


handle = services.telemetry.instrument(_bury)
