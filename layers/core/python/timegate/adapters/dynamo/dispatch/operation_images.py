"""Stream images of operations, and of watches over rules and absences."""

from collections.abc import Mapping
from typing import Any

from timegate.adapters.dynamo.operations.operation_items import parse_operation_key
from timegate.adapters.dynamo.tables.keys import ABSENCE_SK, WATCH_SK, parse_look_key
from timegate.domain.values.errors import Malformed
from timegate.domain.values.identity import AbsenceRef
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.operation_store import OperationRef


def work_from_image(image: Mapping[str, Any]) -> OperationRef | TenantId | AbsenceRef:
    """Read the reference of an operation, or the tenant or job whose watch is due for a look.

    The step, or the look, reads the record again. Raises ``Malformed``.
    """
    try:
        pk, sk = image["pk"]["S"], image["sk"]["S"]
        if sk in {WATCH_SK, ABSENCE_SK}:
            return parse_look_key(pk, sk)
        tenant, operation_id = parse_operation_key(pk, sk)
    except (KeyError, TypeError, AttributeError) as error:
        raise Malformed(f"The image is no operation: {error!r}") from error
    return OperationRef(tenant=tenant, id=operation_id)
