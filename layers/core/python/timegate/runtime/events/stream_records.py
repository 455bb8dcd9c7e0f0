"""Stream records in and out: readable ones become what they show, the others are kept."""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from timegate.domain.values.errors import Malformed
from timegate.ports.dispatch.messaging import Rejects
from timegate.ports.telemetry import run_events, service_metrics
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.value_classes import dataclass

Failures = dict[str, list[dict[str, str]]]
Shown = TypeVar("Shown")


@dataclass(frozen=True, kw_only=True, slots=True)
class StreamRecord(Generic[Shown]):
    """A new image, and the stream's number of its record."""

    sequence_number: str
    shown: Shown


def report(failed: Sequence[StreamRecord[Shown]]) -> Failures:
    """The batch response: the stream resumes at the first record that failed."""
    return {"batchItemFailures": [{"itemIdentifier": r.sequence_number} for r in failed]}


def read_records(
    event: dict[str, Any],
    reader: str,
    read: Callable[[Mapping[str, Any]], Shown],
    rejects: Rejects,
    telemetry: Telemetry,
) -> list[StreamRecord[Shown]]:
    """Read what the records of a batch show, and park those that cannot be read.

    Failing an unreadable record would hold up its shard behind retries that cannot help.
    """
    records = []
    for record in event["Records"]:
        try:
            sequence_number, image = _parts(record)
            records.append(StreamRecord(sequence_number=sequence_number, shown=read(image)))
        except Malformed as malformed:
            telemetry.count(service_metrics.MESSAGES_REJECTED)
            telemetry.event(run_events.RECORD_REJECTED, reader=reader, detail=str(malformed))
            rejects.park(f"{reader} stream", json.dumps(record, default=str), str(malformed))
    return records


def _parts(record: dict[str, Any]) -> tuple[str, Mapping[str, Any]]:
    try:
        change = record["dynamodb"]
        return change["SequenceNumber"], change["NewImage"]
    except (KeyError, TypeError) as error:
        raise Malformed("The record has no new image.") from error
