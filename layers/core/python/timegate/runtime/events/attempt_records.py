"""Stream records of runs."""

from typing import Any

from timegate.adapters.dynamo.dispatch.images import attempt_from_image, followed_from_image
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.runs.run import Attempt
from timegate.ports.dispatch.messaging import Rejects
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.runtime.events.stream_records import StreamRecord, read_records


def read_attempts(
    event: dict[str, Any], reader: str, rejects: Rejects, telemetry: Telemetry
) -> list[StreamRecord[Attempt]]:
    """The attempts of a batch; an unreadable record is parked."""
    return read_records(event, reader, attempt_from_image, rejects, telemetry)


def read_followed(
    event: dict[str, Any], reader: str, rejects: Rejects, telemetry: Telemetry
) -> list[StreamRecord[Attempt | DagRunRef]]:
    """The ends and the DAG runs of a batch; an unreadable record is parked."""
    return read_records(event, reader, followed_from_image, rejects, telemetry)
