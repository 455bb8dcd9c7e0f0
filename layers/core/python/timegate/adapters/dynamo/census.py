"""Everything that waits, read from end to end: an operator's right, which no function has."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.keys import Key, bucket_name, job_id_of
from timegate.adapters.dynamo.schedule_items import text
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item
from timegate.domain.errors import Malformed
from timegate.domain.instants import from_compact
from timegate.domain.run import RunState
from timegate.domain.shards import Placement
from timegate.ports.shards import Resident

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: It waits where it was seen.
_IS_THERE = "{bucket} = :seen"
#: And writing it publishes nothing: only a queued run is published by the stream.
_IS_WAITING = " AND #state = :waiting"


class DynamoCensus:
    """The two indexes, page by page: about 60 bytes an entry, and half a read unit per 4 KB."""

    def __init__(self, client: "DynamoDBClient", *, jobs_table: str, runs_table: str) -> None:
        self._client = client
        self._tables = {"due": jobs_table, "watch": runs_table}

    def residents(self) -> Iterator[Resident]:
        """All jobs and runs that wait, in no order; eventually consistent."""
        for index in self._tables:
            yield from self._of_index(index)

    def move(self, resident: Resident, shards: Placement) -> bool:
        """Let it wait at the same time in the shard that ``shards`` names; ``False``: not there."""
        bucket = f"{resident.index}_bucket"
        is_run = resident.index == "watch"
        shard = shards.shard_of(job_id_of(resident.pk))
        waiting = {":waiting": {"S": RunState.WAITING.value}} if is_run else {}
        names: dict[str, dict[str, str]] = (
            {"ExpressionAttributeNames": {"#state": "state"}} if is_run else {}
        )
        try:
            with throttles_translated():
                self._client.update_item(
                    TableName=self._tables[resident.index],
                    Key=Key(pk=resident.pk, sk=resident.sk).attributes(),
                    UpdateExpression=f"SET {bucket} = :new",
                    ConditionExpression=(
                        _IS_THERE.format(bucket=bucket) + (_IS_WAITING if is_run else "")
                    ),
                    ExpressionAttributeValues={
                        ":seen": {"S": bucket_name(resident.minute, resident.shard)},
                        ":new": {"S": bucket_name(resident.minute, shard)},
                        **waiting,
                    },
                    **names,  # type: ignore[arg-type]
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def _of_index(self, index: str) -> Iterator[Resident]:
        pages = self._client.get_paginator("scan").paginate(
            TableName=self._tables[index],
            IndexName=index,
            ProjectionExpression=f"pk, sk, {index}_bucket, {index}_at",
        )
        with throttles_translated():
            for page in pages:
                for item in page["Items"]:
                    yield _resident(index, from_item(item))


def _resident(index: str, fields: Mapping[str, Plain]) -> Resident:
    minute, _, shard = text(fields[f"{index}_bucket"]).rpartition("#")
    if not shard.isdecimal():
        raise Malformed(f"{fields[f'{index}_bucket']!r} is no bucket.")
    return Resident(
        index=index,
        pk=text(fields["pk"]),
        sk=text(fields["sk"]),
        minute=minute,
        shard=int(shard),
        at=from_compact(text(fields[f"{index}_at"])),
    )
