"""Which shards are open, beside the jobs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.batch_read import read_all
from timegate.adapters.dynamo.keys import OPEN_SHARDS
from timegate.adapters.dynamo.reading import reader_of
from timegate.adapters.dynamo.schedule_items import mapping, number, optional_number, text
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Item, Plain, to_attribute
from timegate.domain.errors import Malformed
from timegate.domain.instants import compact, from_compact
from timegate.domain.shards import Opening, OpenShards

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

_IS_NEW = "attribute_not_exists(#record)"
_IS_AS_READ = "#record = :before"


class DynamoShardStore:
    """One item for the whole table."""

    def __init__(self, client: "DynamoDBClient", *, table: str) -> None:
        self._client = client
        self._table = table

    def read(self) -> OpenShards | None:
        """What is open, strongly consistent; ``None`` before anything ever was."""
        found = read_all(self._client, {self._table: [OPEN_SHARDS]})[self._table]
        return _from_fields(found[OPEN_SHARDS]) if OPEN_SHARDS in found else None

    def replace(self, before: OpenShards | None, after: OpenShards) -> bool:
        """Store ``after`` unless the record is no longer as it was read."""
        values: Item = {":after": to_attribute(_to_fields(after))}
        if before is not None:
            values[":before"] = to_attribute(_to_fields(before))
        try:
            with throttles_translated():
                self._client.update_item(
                    TableName=self._table,
                    Key=OPEN_SHARDS.attributes(),
                    UpdateExpression="SET #record = :after",
                    ConditionExpression=_IS_AS_READ if before is not None else _IS_NEW,
                    ExpressionAttributeNames={"#record": "record"},
                    ExpressionAttributeValues=values,
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True


def _to_fields(shards: OpenShards) -> Mapping[str, Plain]:
    """One value, so that one condition compares all of it."""
    openings: list[Plain] = [
        {"shards": each.shards, "at": compact(each.at)} for each in shards.openings
    ]
    closing: dict[str, Plain] = {"closing": shards.closing} if shards.closing is not None else {}
    return {"openings": openings, "key": shards.key.hex(), **closing}


@reader_of("record of open shards")
def _from_fields(fields: Mapping[str, Plain]) -> OpenShards:
    record = mapping(fields["record"])
    listed = record["openings"]
    if not isinstance(listed, list):
        raise Malformed("The record of open shards lists none.")
    openings = [mapping(each) for each in listed]
    return OpenShards(
        openings=tuple(
            Opening(shards=number(each["shards"]), at=from_compact(text(each["at"])))
            for each in openings
        ),
        closing=optional_number(record.get("closing")),
        key=bytes.fromhex(text(record["key"])),
    )
