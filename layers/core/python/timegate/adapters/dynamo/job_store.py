"""The jobs table."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.batch_read import read_all
from timegate.adapters.dynamo.job_items import (
    due_fields,
    job_from_fields,
    job_to_fields,
    timing_from_fields,
)
from timegate.adapters.dynamo.keys import Key, bucket_name, job_key
from timegate.adapters.dynamo.statements import execute
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Item, from_item, to_attribute, to_item
from timegate.adapters.dynamo.writes import Update
from timegate.adapters.page_cursor import read_cursor, write_cursor
from timegate.domain.errors import JobChanged, JobNotFound
from timegate.domain.identity import JobId
from timegate.domain.instants import compact
from timegate.domain.job import Job, JobStatus, Timing
from timegate.domain.tenant import TenantId
from timegate.ports.stores import Advance, Page

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: No job has this key yet.
_IS_NEW = "attribute_not_exists(pk)"
#: Nobody edited it, and no planner moved it on, since it was read.
_IS_UNCHANGED = "version = :version AND runs_planned = :planned"


class DynamoJobStore:
    """Definitions: one item per job."""

    def __init__(self, client: "DynamoDBClient", *, table: str, shards: int) -> None:
        self._client = client
        self._table = table
        self._shards = shards

    def create(self, job: Job) -> Job:
        """Store a new job unless its id exists; what is stored, new or old."""
        try:
            with throttles_translated():
                self._client.put_item(
                    TableName=self._table, Item=self._item(job), ConditionExpression=_IS_NEW
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return self.get(job.tenant, job.job_id)
        return job

    def get(self, tenant: TenantId, job_id: JobId) -> Job:
        """The job, strongly consistent; raises ``JobNotFound``."""
        key = job_key(tenant, job_id)
        with throttles_translated():
            answer = self._client.get_item(
                TableName=self._table, Key=key.attributes(), ConsistentRead=True
            )
        if "Item" not in answer:
            raise JobNotFound(job_id)
        return job_from_fields(from_item(answer["Item"]))

    def list_jobs(self, tenant: TenantId, *, limit: int, cursor: str | None) -> Page[Job]:
        """The tenant's jobs, newest first: one query of the index, one read of the jobs."""
        listing = f"jobs#{tenant}"
        start = {}
        if cursor is not None:
            listed_at = read_cursor(listing, cursor)
            key = job_key(tenant, JobId(listed_at.rpartition("#")[2]))
            start = {
                "ExclusiveStartKey": to_item(
                    {"pk": key.pk, "sk": key.sk, "tenant_key": tenant, "listed_at": listed_at}
                )
            }
        with throttles_translated():
            answer = self._client.query(
                TableName=self._table,
                IndexName="by_tenant",
                KeyConditionExpression="tenant_key = :tenant",
                ExpressionAttributeValues={":tenant": {"S": tenant}},
                ScanIndexForward=False,
                Limit=limit,
                **start,  # type: ignore[arg-type]
            )
        found = [from_item(item) for item in answer["Items"]]
        keys = [Key(pk=str(row["pk"]), sk=str(row["sk"])) for row in found]
        items = read_all(self._client, {self._table: keys})[self._table]
        jobs = tuple(job_from_fields(items[key]) for key in keys if key in items)
        more = "LastEvaluatedKey" in answer and bool(found)
        position = str(found[-1]["listed_at"]) if more else None
        return Page(rows=jobs, cursor=write_cursor(listing, position) if position else None)

    def update(self, job: Job, *, expected_version: int) -> None:
        """Replace the definition; raises ``JobChanged`` unless it is as it was read."""
        try:
            with throttles_translated():
                self._client.put_item(
                    TableName=self._table,
                    Item=self._item(job),
                    ConditionExpression=_IS_UNCHANGED,
                    ExpressionAttributeValues={
                        ":version": to_attribute(expected_version),
                        ":planned": to_attribute(job.timing.runs_planned),
                    },
                )
        except self._client.exceptions.ConditionalCheckFailedException as error:
            raise JobChanged(job.job_id) from error

    def due(self, minute: str, shard: int) -> Iterator[Timing]:
        """Jobs waiting in one bucket, soonest first; page by page as they are taken."""
        pages = self._client.get_paginator("query").paginate(
            TableName=self._table,
            IndexName="due",
            KeyConditionExpression="due_bucket = :bucket",
            ExpressionAttributeValues={":bucket": {"S": bucket_name(minute, shard)}},
        )
        with throttles_translated():
            for page in pages:
                for item in page["Items"]:
                    yield timing_from_fields(from_item(item))

    def advance_all(self, advances: Sequence[Advance]) -> list[bool]:
        """Move jobs past their planned runs; ``False`` where somebody else was faster."""
        moves = [self._advance(advance) for advance in advances]
        return [result.done for result in execute(self._client, moves)]

    def complete(self, tenant: TenantId, job_id: JobId, *, now: datetime) -> bool:
        """Mark an active job with nothing left to fire as completed; ``False`` if it is not one.

        A new version: an update that read the job before its completion must not undo it.
        """
        try:
            with throttles_translated():
                self._client.update_item(
                    TableName=self._table,
                    Key=job_key(tenant, job_id).attributes(),
                    UpdateExpression=(
                        "SET #status = :completed, updated_at = :now, version = version + :one"
                    ),
                    ConditionExpression="#status = :active AND attribute_not_exists(next_run_at)",
                    ExpressionAttributeNames={"#status": "status"},
                    ExpressionAttributeValues={
                        ":active": {"S": JobStatus.ACTIVE},
                        ":completed": {"S": JobStatus.COMPLETED},
                        ":now": {"S": compact(now)},
                        ":one": {"N": "1"},
                    },
                )
        except self._client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def _item(self, job: Job) -> Item:
        return to_item(job_to_fields(job, shards=self._shards))

    def _advance(self, advance: Advance) -> Update:
        timing, plan = advance.timing, advance.plan
        following = plan.next_run_at
        moved = replace(timing, next_run_at=following)
        due = due_fields(moved, shards=self._shards) or {"due_bucket": None, "due_at": None}
        return Update(
            table=self._table,
            key=job_key(timing.tenant, timing.job_id),
            fields={**due, "next_run_at": _written(following), "runs_planned": plan.runs_planned},
            where={"version": timing.version, "next_run_at": _written(timing.next_run_at)},
        )


def _written(instant: datetime | None) -> str | None:
    return compact(instant) if instant is not None else None
