"""Records that are deleted from the deployed tables, past all of the product."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from tests.support.deployed.stack import Stack
from timegate.adapters.dynamo.tables.keys import GAP_PREFIX, gaps_pk, job_key, job_pk
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId


@dataclass
class DeployedLosses:
    """Deletes what the first tenant has, with the account's own rights."""

    stack: Stack

    @cached_property
    def _tables(self) -> Any:  # noqa: ANN401 - a boto3 client
        return self.stack.aws("dynamodb")

    @cached_property
    def _tenant(self) -> TenantId:
        return TenantId(self.stack.tenant("first"))

    def lose_run(self, run: dict[str, Any]) -> None:
        """Delete the only attempt of a run, as the API shows it."""
        at = compact(datetime.fromisoformat(run["scheduled_at"]))
        table = self.stack.outputs["RunsTableName"]
        partition = job_pk(self._tenant, JobId(run["job_id"]))
        (key,) = self._keys(table, partition, f"{at}#")
        self._tables.delete_item(TableName=table, Key=key)

    def lose_gaps(self, job_id: str) -> None:
        """Delete the records of all instants of a job that were left out."""
        table = self.stack.outputs["JobsTableName"]
        partition = gaps_pk(self._tenant, JobId(job_id))
        keys = list(self._keys(table, partition, GAP_PREFIX))
        assert keys
        for key in keys:
            self._tables.delete_item(TableName=table, Key=key)

    def lose_index(self, job_id: str) -> None:
        """Delete the attributes by which the index ``due`` shows a job."""
        self._tables.update_item(
            TableName=self.stack.outputs["JobsTableName"],
            Key=job_key(self._tenant, JobId(job_id)).attributes(),
            UpdateExpression="REMOVE due_bucket, due_at",
            ConditionExpression="attribute_exists(due_bucket)",
        )

    def lose_job(self, job_id: str) -> None:
        """Delete a job's item, and with it its places in all indexes."""
        self._tables.delete_item(
            TableName=self.stack.outputs["JobsTableName"],
            Key=job_key(self._tenant, JobId(job_id)).attributes(),
            ConditionExpression="attribute_exists(pk)",
        )

    def _keys(self, table: str, partition: str, prefix: str) -> Iterator[dict[str, Any]]:
        found = self._tables.query(
            TableName=table,
            KeyConditionExpression="pk = :pk AND begins_with(sk, :prefix)",
            ExpressionAttributeValues={
                ":pk": {"S": partition},
                ":prefix": {"S": prefix},
            },
        )
        for item in found["Items"]:
            yield {"pk": item["pk"], "sk": item["sk"]}
