"""Moving an item that nobody can read to a later bucket of its index."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.keys import Key, bucket_name
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Plain, to_item
from timegate.domain.instants import compact, minute_of

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Whoever repaired or moved it in between has put it where it belongs.
_IS_THERE = "{bucket} = :seen"


@dataclass(frozen=True, kw_only=True, slots=True)
class Place:
    """An index, and the bucket of it in which the item was seen."""

    #: ``due`` or ``watch``: its attributes are ``<index>_bucket`` and ``<index>_at``.
    index: str
    minute: str
    shard: int


def put_off(
    client: "DynamoDBClient", table: str, key: Key, place: Place, *, until: datetime, **also: Plain
) -> bool:
    """Show the item in the same shard at ``until``; ``False``: it is not there any more.

    Touches nothing but the index and ``also``: what is damaged stays as it is, to be repaired.
    """
    bucket, at = f"{place.index}_bucket", f"{place.index}_at"
    names = [bucket, at, *also]
    values: dict[str, Plain] = {
        ":seen": bucket_name(place.minute, place.shard),
        f":{bucket}": bucket_name(minute_of(until), place.shard),
        f":{at}": compact(until),
        **{f":{name}": value for name, value in also.items()},
    }
    try:
        with throttles_translated():
            client.update_item(
                TableName=table,
                Key=key.attributes(),
                UpdateExpression="SET " + ", ".join(f"{name} = :{name}" for name in names),
                ConditionExpression=_IS_THERE.format(bucket=bucket),
                ExpressionAttributeValues=to_item(values),
            )
    except client.exceptions.ConditionalCheckFailedException:
        return False
    return True
