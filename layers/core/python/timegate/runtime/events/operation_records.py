"""Stream records of operations, and of watches over rules and absences."""

from typing import Any

from timegate.adapters.dynamo.dispatch.operation_images import work_from_image
from timegate.domain.values.identity import AbsenceRef
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.messaging import Rejects
from timegate.ports.operations.operation_store import OperationRef
from timegate.ports.telemetry.telemetry import Telemetry
from timegate.runtime.events.stream_records import StreamRecord, read_records


def read_work(
    event: dict[str, Any], reader: str, rejects: Rejects, telemetry: Telemetry
) -> list[StreamRecord[OperationRef | TenantId | AbsenceRef]]:
    """The operations of a batch, and the tenants and jobs whose watches are due for a look.

    An unreadable record is parked.
    """
    return read_records(event, reader, work_from_image, rejects, telemetry)
