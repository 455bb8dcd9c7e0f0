"""Unconditional writes of many items at once, for records that one writer alone keeps."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.throttles import throttles_translated
from timegate.adapters.dynamo.tables.values import to_item
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.values.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: DynamoDB's limit for one batch.
MAX_WRITES = 25
#: Rounds of unprocessed writes before the caller is told.
ROUNDS = 5
_PAUSE_SECONDS = 0.05


def write_all(client: "DynamoDBClient", table: str, puts: Sequence[Put]) -> None:
    """Store items of a table; raises ``Throttled`` when some stay unwritten.

    No key may be named twice.
    """
    requests = [{"PutRequest": {"Item": to_item(put.fields)}} for put in puts]
    for start in range(0, len(requests), MAX_WRITES):
        _write(client, {table: requests[start : start + MAX_WRITES]})


def delete_all(client: "DynamoDBClient", table: str, keys: Sequence[Key]) -> None:
    """Delete items of a table; raises ``Throttled`` when some stay. No key may be named twice."""
    requests = [{"DeleteRequest": {"Key": key.attributes()}} for key in keys]
    for start in range(0, len(requests), MAX_WRITES):
        _write(client, {table: requests[start : start + MAX_WRITES]})


def _write(client: "DynamoDBClient", requests: dict[str, Any]) -> None:
    for round_number in range(ROUNDS):
        if round_number:
            time.sleep(_PAUSE_SECONDS * round_number)
        with throttles_translated():
            answer = client.batch_write_item(RequestItems=requests)
        requests = dict(answer.get("UnprocessedItems") or {})
        if not requests:
            return
    raise Throttled("Some records stayed unwritten.")
