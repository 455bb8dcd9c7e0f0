"""Single writes side by side: for what a reader of the stream must see.

AWS streams what PartiQL writes, the local cloud does not (``docs/local-cloud.md``). A single write
costs the same capacity as a statement of a batch; what it costs more is a round trip, and those
run side by side.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import from_item, to_attribute, to_item
from timegate.adapters.dynamo.writes import Insert, Result, Update

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Round trips under way at once, below the client's connection pool.
SIDE_BY_SIDE = 16


def write_each(client: "DynamoDBClient", writes: Sequence[Insert | Update]) -> list[Result]:
    """Write each item by itself, in no order; raises ``Throttled`` when one stays throttled.

    Raising does not undo the others: every write is conditional, so the caller's repetition meets
    its own work.
    """
    if len(writes) <= 1:
        return [_write(client, write) for write in writes]
    with ThreadPoolExecutor(min(SIDE_BY_SIDE, len(writes))) as pool:
        return list(pool.map(partial(_write, client), writes))


def _write(client: "DynamoDBClient", write: Insert | Update) -> Result:
    try:
        with throttles_translated():
            match write:
                case Insert():
                    client.put_item(**put_request(write))
                case Update():
                    client.update_item(**update_request(write))
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        found: Any = error.response.get("Item")
        return Result(done=False, found=from_item(found) if found else None)
    return Result(done=True)


def put_request(write: Insert) -> dict[str, Any]:
    """What ``PutItem``, or a transaction's ``Put``, is asked."""
    return {
        "TableName": write.table,
        "Item": to_item(write.fields),
        "ConditionExpression": "attribute_not_exists(pk)",
    }


def update_request(write: Update) -> dict[str, Any]:
    """What ``UpdateItem``, or a transaction's ``Update``, is asked.

    Set values are named ``:s_…``, compared ones ``:w_…``: a field may be both.
    """
    sets = ", ".join(f"#{name} = :s_{name}" for name in write.kept)
    removes = ", ".join(f"#{name}" for name in write.gone)
    # The key exists in every item and in no other: an update must not create one.
    conditions = ["attribute_exists(pk)"] + [
        f"attribute_not_exists(#{name})" if value is None else f"#{name} = :w_{name}"
        for name, value in write.where.items()
    ]
    values = {f":s_{name}": value for name, value in write.kept.items()} | {
        f":w_{name}": value for name, value in write.where.items() if value is not None
    }
    return {
        "TableName": write.table,
        "Key": write.key.attributes(),
        "UpdateExpression": f"SET {sets}" + (f" REMOVE {removes}" if removes else ""),
        "ConditionExpression": " AND ".join(conditions),
        "ExpressionAttributeNames": {
            f"#{name}": name for name in (*write.kept, *write.gone, *write.where)
        },
        "ExpressionAttributeValues": {n: to_attribute(value) for n, value in values.items()},
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD" if write.shows_refused else "NONE",
    }
