"""Messages of the looks queue in: those that are worth a look."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from timegate.domain.dispatch.looks import ShardLook
from timegate.domain.values.errors import Malformed
from timegate.ports.telemetry import run_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry


def read_looks(
    event: dict[str, Any], telemetry: Telemetry, *, now: datetime
) -> Iterator[ShardLook]:
    """The looks of a batch; those that come too late, or cannot be read, are dropped."""
    for record in event["Records"]:
        try:
            look = ShardLook.parse(json.loads(record["body"]))
        except (Malformed, ValueError) as error:
            telemetry.count(service_metrics.LOOKS_REJECTED)
            telemetry.event(run_events.LOOK_REJECTED, detail=repr(error))
            continue
        if look.is_stale(now):
            telemetry.count(service_metrics.LOOKS_STALE)
        else:
            telemetry.count(service_metrics.LOOKS)
            yield look
