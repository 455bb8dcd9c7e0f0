"""The two tables of a region, as MiniStack keeps them in this process: made, read, forgotten."""

from collections.abc import Mapping
from typing import Any

from ministack.services import dynamodb  # type: ignore[import-untyped]

from tests.crash.services.streams import JOBS, RUNS
from tests.support.stores.dynamodb_inside import ACCOUNT, REGION, in_region
from tests.support.stores.table_descriptions import jobs_table, runs_table

Item = Mapping[str, Any]
#: Partitions of the auditor's cursors: their sort keys begin with the tenant.
CURSORS = ("#audit#live#", "#audit#finished#")


class Tables:
    """The two tables, their raw items and their streams."""

    def __init__(self, region: str = REGION) -> None:
        self._region = region
        # A repeated story sends the same tokens.
        dynamodb._txn_idempotency.clear()
        for table in (jobs_table(JOBS), runs_table(RUNS)):
            self.make(table)

    def make(self, table: Mapping[str, Any]) -> None:
        """Make a table anew."""
        with in_region(self._region):
            dynamodb._tables.pop(table["TableName"], None)
            dynamodb.drop_stream_records(table["TableName"])
            dynamodb._create_table(table)

    def items(self, table: str) -> list[Item]:
        """Every item there is, as it is stored: no reader of the code under test is involved."""
        partitions = self._table(table)["items"]
        return [item for rows in partitions.values() for item in rows.values()]

    def get(self, table: str, pk: str, sk: str) -> Item | None:
        """An item, as it is stored."""
        found: Item | None = self._table(table)["items"].get(pk, {}).get(sk)
        return found

    def put(self, table: str, item: Item) -> None:
        """Store an item that no process under test writes."""
        with in_region(self._region):
            dynamodb._put_item({"TableName": table, "Item": item})

    def remove(self, table: str, key: Item) -> None:
        """Remove an item, as only a replication does."""
        with in_region(self._region):
            dynamodb._delete_item({"TableName": table, "Key": key})

    def stream(self, table: str, position: int) -> list[dict[str, Any]]:
        """Return the stream's records from a position on."""
        records: list[dict[str, Any]] = dynamodb.stream_records_since(
            table, position, 1000, account_id=ACCOUNT, region=self._region
        )
        return records

    def set_watermarks(self, instant: str, sealed: str) -> None:
        """Every watcher has come this far, none is at work, and no bucket is left to look at."""
        for item in self.items(JOBS):
            if item["pk"]["S"].startswith("shard#"):
                row = self._table(JOBS)["items"][item["pk"]["S"]][item["sk"]["S"]]
                row["watermark"] = {"S": instant}
                row["sealed"] = {"S": sealed}
                for left in ("leased_by", "leased_until", "apart"):
                    row.pop(left, None)

    def forget(self, tenant: str) -> None:
        """Leave no trace of a tenant but in the streams, until the next story begins them."""
        for name in (JOBS, RUNS):
            table = self._table(name)
            for item in self.items(name):
                # The address of a web hook is in a partition of its own.
                own = item.get("tenant", {}).get("S")
                if tenant in {owner_of(item), item["sk"]["S"], own}:
                    dynamodb._remove_item(table, item["pk"]["S"], item["sk"]["S"])

    def begin_stream(self, table: str) -> int:
        """Drop what its readers have come past; where its next record will be."""
        with in_region(self._region):
            end = int(dynamodb.stream_end_position(table))
            dynamodb._stream_trimmed[table] = end
            dynamodb._stream_records.pop(table, None)
        return end

    def _table(self, name: str) -> Any:  # noqa: ANN401 - the emulator's own
        return dynamodb._tables.get_scoped(ACCOUNT, self._region, name)


def owner_of(item: Item) -> str:
    """The tenant whose partition an item is in; records of the system have ``#`` or none."""
    pk, sk = str(item["pk"]["S"]), str(item["sk"]["S"])
    return (sk if pk.startswith(CURSORS) else pk).partition("#")[0]
