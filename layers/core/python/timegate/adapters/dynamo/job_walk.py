"""The walk over all jobs, in the table itself: an index may have lost what the auditor is after."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.job_items import job_from_fields
from timegate.adapters.dynamo.keys import JOB_SK, job_id_of
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item, to_item
from timegate.domain.errors import Malformed
from timegate.domain.places import shown_from
from timegate.domain.tenant import TenantId
from timegate.ports.audit_cursors import SightedJob, TablePage
from timegate.ports.stores import DamagedJob

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Items that one page passes over, jobs or not; DynamoDB ends a page at a megabyte as well.
MAX_ITEMS = 2_000


def read_jobs(
    client: "DynamoDBClient", table: str, segment: int, of: int, *, position: str | None
) -> TablePage:
    """The next jobs of a segment, eventually consistent: at most 128 read units."""
    start: dict[str, Any] = {}
    if position is not None:
        pk, _, sk = position.partition("|")
        start = {"ExclusiveStartKey": to_item({"pk": pk, "sk": sk})}
    with throttles_translated():
        answer = client.scan(
            TableName=table,
            Segment=segment,
            TotalSegments=of,
            FilterExpression="sk = :job",
            ExpressionAttributeValues={":job": {"S": JOB_SK}},
            Limit=MAX_ITEMS,
            **start,
        )
    read = [_sighted(from_item(item)) for item in answer["Items"]]
    last = answer.get("LastEvaluatedKey")
    return TablePage(
        jobs=tuple(each for each in read if isinstance(each, SightedJob)),
        damaged=tuple(each for each in read if isinstance(each, DamagedJob)),
        position=f"{last['pk']['S']}|{last['sk']['S']}" if last else None,
    )


def _sighted(fields: Mapping[str, Plain]) -> SightedJob | DamagedJob:
    try:
        job = job_from_fields(fields)
    except Malformed as malformed:
        pk = str(fields["pk"])
        return DamagedJob(
            tenant=TenantId(pk.rpartition("#")[0]), job_id=job_id_of(pk), reason=str(malformed)
        )
    waits = shown_from(job.timing, job.updated_at) is not None
    return SightedJob(
        job=job,
        is_indexed=not waits or {"due_bucket", "due_at"} <= fields.keys(),
        is_listed={"tenant_key", "listed_at"} <= fields.keys(),
    )
