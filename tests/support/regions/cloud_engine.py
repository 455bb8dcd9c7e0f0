"""Tables of a local cloud, whose streams are read as replication and functions read them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.stores.table_descriptions import jobs_table, runs_table
from timegate.adapters.dynamo.tables.boto_engine import BotoEngine
from timegate.adapters.dynamo.tables.engine import Fields, Scan
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.values import from_item
from timegate.adapters.dynamo.tables.writes import Put
from timegate.adapters.memory.engine import Change


@dataclass
class _Shard:
    """A shard of a stream, and the place up to which it was read."""

    table: str
    arn: str
    id: str
    iterator: str | None = None


@dataclass
class _Streams:
    client: Any
    shards: list[_Shard] = field(default_factory=list)

    def open(self, table: str, arn: str) -> None:
        """Find the shards of a table's stream."""
        described = self.client.describe_stream(StreamArn=arn)["StreamDescription"]
        self.shards += [
            _Shard(table=table, arn=arn, id=each["ShardId"]) for each in described["Shards"]
        ]

    def read(self) -> list[Change]:
        """Return what is new, oldest first in each table."""
        return [change for shard in self.shards for change in self._read(shard)]

    def _read(self, shard: _Shard) -> list[Change]:
        if shard.iterator is None:
            begun = self.client.get_shard_iterator(
                StreamArn=shard.arn, ShardId=shard.id, ShardIteratorType="TRIM_HORIZON"
            )
            shard.iterator = begun["ShardIterator"]
        answer = self.client.get_records(ShardIterator=shard.iterator)
        shard.iterator = answer["NextShardIterator"]
        return [_change(shard.table, each["dynamodb"]) for each in answer["Records"]]


def _change(table: str, record: Any) -> Change:  # noqa: ANN401 - of the stream
    keys = from_item(record["Keys"])
    before, after = (record.get(f"{which}Image") for which in ("Old", "New"))
    return Change(
        table=table,
        key=Key(pk=str(keys["pk"]), sk=str(keys["sk"])),
        before=from_item(before) if before else None,
        after=from_item(after) if after else None,
    )


class StreamedEngine(BotoEngine):
    """An engine over tables of a cloud, which tells their changes from the first one on."""

    def __init__(self, dynamodb: Any, streams: Any, tables: Sequence[str]) -> None:  # noqa: ANN401 - clients
        super().__init__(dynamodb)
        self._streams = _Streams(streams)
        self._changes: list[Change] = []
        for name in tables:
            table = dynamodb.describe_table(TableName=name)["Table"]
            self._streams.open(name, table["LatestStreamArn"])

    @property
    def changes(self) -> list[Change]:
        """Return every change so far, as the streams show it."""
        self._changes += self._streams.read()
        return self._changes

    def put_all(self, table: str, puts: Sequence[Put]) -> None:
        """Store items; the stream shows only what that changes."""
        for put in puts:
            key = Key(pk=str(put.fields["pk"]), sk=str(put.fields["sk"]))
            if self.get(table, key) != {n: v for n, v in put.fields.items() if v is not None}:
                super().put_all(table, [put])

    def items(self, table: str) -> list[Fields]:
        """Return every item of a table."""
        return [dict(each) for each in self.scan(Scan(table=table)).items]

    def remove(self, table: str, key: Key) -> None:
        """Remove an item, as only its expiry does."""
        self.delete_all(table, [key])


class CloudEngine(StreamedEngine):
    """An engine over tables of its own."""

    def __init__(self, dynamodb: Any, streams: Any) -> None:  # noqa: ANN401 - clients
        for name, described in ((JOBS_TABLE, jobs_table), (RUNS_TABLE, runs_table)):
            made = described(name)
            made["StreamSpecification"]["StreamViewType"] = "NEW_AND_OLD_IMAGES"
            dynamodb.create_table(**made)
        super().__init__(dynamodb, streams, (JOBS_TABLE, RUNS_TABLE))
        self._dynamodb = dynamodb

    def drop(self) -> None:
        """Remove the tables: another pair may have some of the same names."""
        for name in (JOBS_TABLE, RUNS_TABLE):
            self._dynamodb.delete_table(TableName=name)
