"""Stream images: what the stream carries is an item, and may be damaged like one."""

from collections.abc import Mapping
from typing import Any

from timegate.adapters.dynamo.operations.operation_items import parse_operation_key
from timegate.adapters.dynamo.runs.items.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.tables.keys import DAG_RUN_SK, parse_dag_run_key
from timegate.adapters.dynamo.tables.values import from_item
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed
from timegate.ports.operations.operation_store import OperationRef


def attempt_from_image(image: Mapping[str, Any]) -> Attempt:
    """The attempt an image shows; raises ``Malformed`` for anything that is none."""
    try:
        return attempt_from_fields(from_item(image))
    except (KeyError, ValueError, TypeError, AttributeError) as error:
        raise Malformed(f"The image is no attempt: {error!r}") from error


def followed_from_image(image: Mapping[str, Any]) -> Attempt | DagRunRef:
    """Read an ended attempt, or a DAG run to look at, for outcomes; raises ``Malformed``."""
    try:
        pk, sk = image["pk"]["S"], image["sk"]["S"]
    except (KeyError, TypeError) as error:
        raise Malformed(f"The image has no key: {error!r}") from error
    return parse_dag_run_key(pk) if sk == DAG_RUN_SK else attempt_from_image(image)


def operation_ref_from_image(image: Mapping[str, Any]) -> OperationRef:
    """Read the reference of an operation: the step reads the record again.

    Raises ``Malformed``.
    """
    try:
        tenant, operation_id = parse_operation_key(image["pk"]["S"], image["sk"]["S"])
    except (KeyError, TypeError, AttributeError) as error:
        raise Malformed(f"The image is no operation: {error!r}") from error
    return OperationRef(tenant=tenant, id=operation_id)
