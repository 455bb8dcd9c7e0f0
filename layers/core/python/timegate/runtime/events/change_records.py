"""Stream records that tell of transitions."""

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from timegate.adapters.dynamo.dispatch.change_images import (
    event_of_job_change,
    event_of_run_change,
)
from timegate.domain.cloud_events.cloud_event import CloudEvent
from timegate.domain.values.errors import Malformed
from timegate.ports.dispatch.messaging import Rejects
from timegate.ports.telemetry import run_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry


def run_changes(
    event: Mapping[str, Any], rejects: Rejects, telemetry: Telemetry
) -> Iterator[CloudEvent]:
    """Yield transitions of runs and DAG runs; a record that cannot be read is parked."""
    for record in event["Records"]:
        yield from _read(record, rejects, telemetry, of_jobs=False)


def job_changes(
    event: Mapping[str, Any], rejects: Rejects, telemetry: Telemetry
) -> Iterator[CloudEvent]:
    """Yield changes of jobs; a record that cannot be read is parked."""
    for record in event["Records"]:
        yield from _read(record, rejects, telemetry, of_jobs=True)


def followed(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return the records that outcomes would be given if events were off."""
    return {"Records": [each for each in event["Records"] if _is_followed(each)]}


def _read(
    record: Mapping[str, Any], rejects: Rejects, telemetry: Telemetry, *, of_jobs: bool
) -> Iterator[CloudEvent]:
    try:
        found = _event_of(record, of_jobs=of_jobs)
    except Malformed as malformed:
        telemetry.count(service_metrics.MESSAGES_REJECTED)
        telemetry.event(run_events.RECORD_REJECTED, reader="cloud_events", detail=str(malformed))
        rejects.park("cloud_events stream", json.dumps(record, default=str), str(malformed))
        return
    if found is not None:
        yield found


def _event_of(record: Mapping[str, Any], *, of_jobs: bool) -> CloudEvent | None:
    try:
        change = record["dynamodb"]
        after, at = change["NewImage"], float(change["ApproximateCreationDateTime"])
    except (LookupError, TypeError, ValueError) as error:
        raise Malformed("The record has no new image, or no time.") from error
    written_at = datetime.fromtimestamp(at, UTC)
    if of_jobs:
        is_new = record.get("eventName") == "INSERT"
        return event_of_job_change(after, is_new=is_new, written_at=written_at)
    return event_of_run_change(change.get("OldImage"), after, written_at=written_at)


def _is_followed(record: Mapping[str, Any]) -> bool:
    change = record.get("dynamodb")
    image = change.get("NewImage") if isinstance(change, Mapping) else None
    # One without an image is read with the followed ones, which park it.
    return not isinstance(image, Mapping) or "follow" in image
