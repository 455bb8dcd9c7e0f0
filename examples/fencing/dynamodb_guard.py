"""Fencing with a DynamoDB condition: the guard is written with the effect, both or neither.

The table's key is ``pk`` (a string). Give it a TTL on ``expires_at`` if old guards may go.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import TransactWriteItemTypeDef

#: This work is not done, and was not begun under a higher fence.
MAY_DO = (
    "(attribute_not_exists(done) OR done = :no) AND (attribute_not_exists(fence) OR fence <= :mine)"
)


class Fenced(Exception):
    """A worker with a higher fence has this run: stop."""


class Done(Exception):
    """The effect is there already. ``answer``: what was answered then."""

    def __init__(self, answer: str) -> None:
        super().__init__(answer)
        self.answer = answer


def enter(dynamodb: "DynamoDBClient", table: str, key: str, fence: int) -> None:
    """Begin: from now on every worker with a lower fence is refused; raises Fenced or Done."""
    try:
        dynamodb.update_item(
            TableName=table,
            Key={"pk": {"S": key}},
            UpdateExpression="SET fence = :mine, done = :no",
            ConditionExpression=MAY_DO,
            ExpressionAttributeValues={":mine": {"N": str(fence)}, ":no": {"BOOL": False}},
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        raise _why(dynamodb, table, key) from refused


def commit(
    dynamodb: "DynamoDBClient",
    table: str,
    key: str,
    fence: int,
    answer: str,
    effect: "Sequence[TransactWriteItemTypeDef]",
) -> None:
    """Write the effect, once, unless a higher fence has begun; raises Fenced or Done.

    Two at the same moment: DynamoDB refuses one with ``TransactionConflict``, which may be tried
    again. Give ``effect`` up to 99 writes.
    """
    guard: TransactWriteItemTypeDef = {
        "Update": {
            "TableName": table,
            "Key": {"pk": {"S": key}},
            "UpdateExpression": "SET fence = :mine, done = :yes, answer = :answer",
            "ConditionExpression": MAY_DO,
            "ExpressionAttributeValues": {
                ":mine": {"N": str(fence)},
                ":no": {"BOOL": False},
                ":yes": {"BOOL": True},
                ":answer": {"S": answer},
            },
        }
    }
    try:
        dynamodb.transact_write_items(TransactItems=[guard, *effect])
    except dynamodb.exceptions.TransactionCanceledException as cancelled:
        reasons: list[dict[str, str]] = cancelled.response.get("CancellationReasons", [])  # type: ignore[assignment]
        # The guard is the first item of the transaction.
        if reasons and reasons[0].get("Code") == "ConditionalCheckFailed":
            raise _why(dynamodb, table, key) from cancelled
        raise


def _why(dynamodb: "DynamoDBClient", table: str, key: str) -> Exception:
    item = dynamodb.get_item(TableName=table, Key={"pk": {"S": key}}, ConsistentRead=True)["Item"]
    return Done(item["answer"]["S"]) if item["done"]["BOOL"] else Fenced(key)
