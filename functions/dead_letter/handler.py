"""Messages of the dead-letter queues: readable ones are buried, the others parked for operators."""

import json
from datetime import datetime
from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from timegate.domain.values.errors import Malformed, Throttled
from timegate.domain.values.tenant_errors import RegionPassive
from timegate.runtime.events.queue_records import Failures, read_deliveries, report
from timegate.runtime.wiring.dead_letter import dead_letter_services
from timegate.usecases.operations.bury_message import bury_message
from timegate.usecases.services.execution_services import Delivery

services = dead_letter_services()


def _bury(event: dict[str, Any], _: LambdaContext) -> Failures:
    read = read_deliveries(event, "dead_letter", services.telemetry)
    for malformed in read.malformed:
        services.rejects.park(malformed.source, malformed.body, malformed.reason)
    now = services.clock.now()
    failed = [delivery.id for delivery in read.deliveries if not _buried(delivery, now)]
    return report(failed)


def _buried(delivery: Delivery, now: datetime) -> bool:
    """Tell if the message is buried: a busy store, or a region whose time ended, gets it again."""
    try:
        bury_message(delivery.message, services.runs, services.telemetry, now=now)
    except (Throttled, RegionPassive):
        return False
    except Malformed as malformed:
        body = json.dumps(delivery.message.fields())
        services.rejects.park("dead_letter: its record", body, str(malformed))
    return True


handle = services.telemetry.instrument(_bury)
