"""Strongly consistent reads of many items at once, over both tables."""

import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.throttles import throttles_translated
from timegate.adapters.dynamo.tables.values import Plain, from_item
from timegate.domain.values.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: DynamoDB's limit for one batch.
MAX_KEYS = 100
#: Rounds of unprocessed keys before the caller hears of it.
ROUNDS = 5
_PAUSE_SECONDS = 0.05

Found = dict[Key, dict[str, Plain]]


def read_all(client: "DynamoDBClient", wanted: Mapping[str, Sequence[Key]]) -> dict[str, Found]:
    """The items of each table that exist; raises ``Throttled`` when some stay unread."""
    found: dict[str, Found] = {table: {} for table in wanted}
    distinct = [(table, key) for table, keys in wanted.items() for key in dict.fromkeys(keys)]
    for start in range(0, len(distinct), MAX_KEYS):
        _read(client, distinct[start : start + MAX_KEYS], found)
    return found


def _read(
    client: "DynamoDBClient", keys: Sequence[tuple[str, Key]], found: dict[str, Found]
) -> None:
    request: dict[str, Any] = {}
    for table, key in keys:
        members = request.setdefault(table, {"Keys": [], "ConsistentRead": True})
        members["Keys"].append(key.attributes())
    for round_number in range(ROUNDS):
        if round_number:
            time.sleep(_PAUSE_SECONDS * round_number)
        with throttles_translated():
            answer = client.batch_get_item(RequestItems=request)
        for table, items in answer["Responses"].items():
            for fields in map(from_item, items):
                found[table][Key(pk=str(fields["pk"]), sk=str(fields["sk"]))] = fields
        request = dict(answer.get("UnprocessedKeys") or {})
        if not request:
            return
    raise Throttled("Some keys stayed unread.")
