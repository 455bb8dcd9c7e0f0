"""Stream records of operations."""

from typing import Any

from timegate.adapters.dynamo.dispatch.operation_images import operation_ref_from_image
from timegate.ports.dispatch.messaging import Rejects
from timegate.ports.operations.operation_store import OperationRef
from timegate.ports.surroundings import Telemetry
from timegate.runtime.events.stream_records import StreamRecord, read_records


def read_operations(
    event: dict[str, Any], reader: str, rejects: Rejects, telemetry: Telemetry
) -> list[StreamRecord[OperationRef]]:
    """The operations of a batch; a record nobody can read is parked."""
    return read_records(event, reader, operation_ref_from_image, rejects, telemetry)
