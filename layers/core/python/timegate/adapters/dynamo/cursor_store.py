"""The shard leases of planner and sweeper, beside the jobs they look after."""

from datetime import datetime
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.keys import cursor_key
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.domain.instants import compact, from_compact
from timegate.ports.cursors import Cursor, Watcher

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Nobody holds the shard, or whoever did is overdue, or we do and the answer was lost.
_IS_FREE = "attribute_not_exists(leased_until) OR leased_until <= :now OR leased_by = :owner"
#: The lease is still ours to give back.
_IS_OURS = "leased_by = :owner"


class DynamoCursorStore:
    """One item per watcher and shard."""

    def __init__(self, client: "DynamoDBClient", *, table: str) -> None:
        self._client = client
        self._table = table

    def acquire(
        self,
        watcher: Watcher,
        shard: int,
        *,
        owner: str,
        now: datetime,
        until: datetime,
        start: datetime | None = None,
    ) -> Cursor | None:
        """Lease a shard; ``None`` while another owner's lease lives."""
        try:
            with throttles_translated():
                answer = self._client.update_item(
                    TableName=self._table,
                    Key=cursor_key(watcher, shard).attributes(),
                    UpdateExpression=(
                        "SET leased_by = :owner, leased_until = :until,"
                        " watermark = if_not_exists(watermark, :start)"
                    ),
                    ConditionExpression=_IS_FREE,
                    ExpressionAttributeValues={
                        ":owner": {"S": owner},
                        ":until": {"S": compact(until)},
                        ":now": {"S": compact(now)},
                        ":start": {"S": compact(start or now)},
                    },
                    ReturnValues="ALL_NEW",
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return None
        stored = answer["Attributes"]
        watermark, sealed = stored["watermark"]["S"], stored.get("sealed", stored["watermark"])["S"]
        return Cursor(
            watcher=watcher,
            shard=shard,
            owner=owner,
            watermark=from_compact(str(watermark)),
            sealed=from_compact(str(sealed)),
        )

    def release(self, cursor: Cursor, *, watermark: datetime, sealed: datetime) -> None:
        """Store how far we came and free the shard; does nothing if the lease was lost."""
        try:
            with throttles_translated():
                self._client.update_item(
                    TableName=self._table,
                    Key=cursor_key(cursor.watcher, cursor.shard).attributes(),
                    UpdateExpression=(
                        "SET watermark = :watermark, sealed = :sealed"
                        " REMOVE leased_by, leased_until"
                    ),
                    ConditionExpression=_IS_OURS,
                    ExpressionAttributeValues={
                        ":watermark": {"S": compact(watermark)},
                        ":sealed": {"S": compact(sealed)},
                        ":owner": {"S": cursor.owner},
                    },
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return
