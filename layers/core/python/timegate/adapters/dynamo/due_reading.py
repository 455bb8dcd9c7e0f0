"""Reading a bucket of the ``due`` index."""

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item
from timegate.domain.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Operands that ``IN`` takes.
_MAX_NAMED = 100


def read_due(
    client: "DynamoDBClient", table: str, bucket: str, *, passing_over: Collection[TenantId]
) -> Iterator[dict[str, Plain]]:
    """The entries of a bucket, soonest first, a page at a time.

    ``passing_over`` is looked at before each page but the first. What is passed over is read and
    billed all the same, but neither sent nor parsed, which takes most of the time.
    """
    request: dict[str, Any] = {
        "TableName": table,
        "IndexName": "due",
        "KeyConditionExpression": "due_bucket = :bucket",
        "ExpressionAttributeValues": {":bucket": {"S": bucket}},
    }
    more = request
    while True:
        with throttles_translated():
            page = client.query(**more)
        yield from map(from_item, page["Items"])
        if "LastEvaluatedKey" not in page:
            return
        more = {**_without(request, passing_over), "ExclusiveStartKey": page["LastEvaluatedKey"]}


def _without(request: dict[str, Any], tenants: Collection[TenantId]) -> dict[str, Any]:
    named = {f":t{n}": {"S": each} for n, each in enumerate(sorted(tenants)[:_MAX_NAMED])}
    if not named:
        return request
    return {
        **request,
        "FilterExpression": f"NOT (tenant IN ({', '.join(named)}))",
        "ExpressionAttributeValues": request["ExpressionAttributeValues"] | named,
    }
