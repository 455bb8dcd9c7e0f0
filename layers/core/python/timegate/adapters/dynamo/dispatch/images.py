"""Stream images of runs: what the stream carries is an item, and may be damaged like one."""

from collections.abc import Mapping
from typing import Any

from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.keys import DAG_RUN_SK, parse_dag_run_key
from timegate.adapters.dynamo.tables.values import from_item
from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Malformed


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
