"""Stream images of operations."""

from collections.abc import Mapping
from typing import Any

from timegate.adapters.dynamo.operations.operation_items import parse_operation_key
from timegate.domain.values.errors import Malformed
from timegate.ports.operations.operation_store import OperationRef


def operation_ref_from_image(image: Mapping[str, Any]) -> OperationRef:
    """Read the reference of an operation: the step reads the record again.

    Raises ``Malformed``.
    """
    try:
        tenant, operation_id = parse_operation_key(image["pk"]["S"], image["sk"]["S"])
    except (KeyError, TypeError, AttributeError) as error:
        raise Malformed(f"The image is no operation: {error!r}") from error
    return OperationRef(tenant=tenant, id=operation_id)
