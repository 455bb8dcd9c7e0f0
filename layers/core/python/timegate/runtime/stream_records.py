"""Stream records in and out: readable ones become attempts, the others are kept for a human."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from timegate.adapters.dynamo.images import attempt_from_image
from timegate.domain.errors import Malformed
from timegate.domain.run import Attempt
from timegate.ports.messaging import Rejects
from timegate.ports.surroundings import Telemetry

Failures = dict[str, list[dict[str, str]]]


@dataclass(frozen=True, kw_only=True, slots=True)
class StreamRecord:
    """An attempt's new image, and how the stream names the record."""

    sequence_number: str
    attempt: Attempt


def read_attempts(
    event: dict[str, Any], reader: str, rejects: Rejects, telemetry: Telemetry
) -> list[StreamRecord]:
    """The attempts of a batch.

    A record nobody can read is parked at once: failing it would hold up its shard behind retries
    that cannot help.
    """
    records = []
    for record in event["Records"]:
        try:
            records.append(_read(record))
        except Malformed as malformed:
            telemetry.count("MessagesRejected")
            telemetry.event("record_rejected", reader=reader, detail=str(malformed))
            rejects.park(f"{reader} stream", json.dumps(record, default=str), str(malformed))
    return records


def report(failed: Sequence[StreamRecord]) -> Failures:
    """The batch response: the stream resumes at the first record that failed."""
    return {"batchItemFailures": [{"itemIdentifier": r.sequence_number} for r in failed]}


def _read(record: dict[str, Any]) -> StreamRecord:
    try:
        change = record["dynamodb"]
        image, sequence_number = change["NewImage"], change["SequenceNumber"]
    except (KeyError, TypeError) as error:
        raise Malformed("The record has no new image.") from error
    return StreamRecord(sequence_number=sequence_number, attempt=attempt_from_image(image))
