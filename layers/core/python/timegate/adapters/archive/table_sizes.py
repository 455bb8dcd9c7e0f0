"""Sizes of tables, as DynamoDB counts them every six hours."""

from typing import TYPE_CHECKING

from timegate.adapters.dynamo.tables.throttles import throttles_translated

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


class DynamoTableSizes:
    """Sizes, one call each."""

    def __init__(self, client: "DynamoDBClient") -> None:
        self._client = client

    def size_of(self, table: str) -> int:
        """Return the bytes of a table, without its indexes."""
        with throttles_translated():
            described = self._client.describe_table(TableName=table)
        return described["Table"].get("TableSizeBytes", 0)
