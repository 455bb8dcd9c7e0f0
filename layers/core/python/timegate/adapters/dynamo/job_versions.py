"""Definitions that were replaced: beside their job, for as long as runs of theirs are on record."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.job_items import job_from_fields, job_to_fields
from timegate.adapters.dynamo.keys import VERSION_PREFIX, job_pk, version_key
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item
from timegate.domain.identity import JobId
from timegate.domain.job import Job
from timegate.domain.shards import ONE_SHARD
from timegate.domain.tenant import TenantId

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: A run that was claimed under a version may end so much later than that was replaced.
LONGEST_RUN = timedelta(days=31)
#: Sorts after every version.
_BEYOND = f"{VERSION_PREFIX}~"
#: An old definition is in no index: it is neither due nor listed.
_OF_INDEXES = frozenset({"due_bucket", "due_at", "tenant_key", "listed_at"})


def version_to_fields(job: Job, *, replaced_at: datetime, retention: timedelta) -> dict[str, Plain]:
    """The whole item of a definition that is replaced."""
    key = version_key(job.tenant, job.job_id, job.timing.version)
    fields = job_to_fields(job, shards=ONE_SHARD)
    kept = {name: value for name, value in fields.items() if name not in _OF_INDEXES}
    expires_at = replaced_at + retention + LONGEST_RUN
    return {**kept, "pk": key.pk, "sk": key.sk, "expires_at": int(expires_at.timestamp())}


def read_version(
    client: "DynamoDBClient", table: str, tenant: TenantId, job_id: JobId, version: int
) -> Job | None:
    """The definition in force at a version, if it was replaced since; one read, by key.

    Versions that changed nothing of the definition have no record: the next one that was replaced
    says the same.
    """
    with throttles_translated():
        answer = client.query(
            TableName=table,
            KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
            ExpressionAttributeValues={
                ":pk": {"S": job_pk(tenant, job_id)},
                ":first": {"S": version_key(tenant, job_id, version).sk},
                ":last": {"S": _BEYOND},
            },
            Limit=1,
            ConsistentRead=True,
        )
    return job_from_fields(from_item(answer["Items"][0])) if answer["Items"] else None


def read_versions(
    client: "DynamoDBClient", table: str, tenant: TenantId, job_id: JobId, *, since: int
) -> tuple[Job, ...]:
    """All definitions that were replaced from a version on, in the order of their versions."""
    pages = client.get_paginator("query").paginate(
        TableName=table,
        KeyConditionExpression="pk = :pk AND sk BETWEEN :first AND :last",
        ExpressionAttributeValues={
            ":pk": {"S": job_pk(tenant, job_id)},
            ":first": {"S": version_key(tenant, job_id, since).sk},
            ":last": {"S": _BEYOND},
        },
        ConsistentRead=True,
    )
    with throttles_translated():
        return tuple(job_from_fields(from_item(item)) for page in pages for item in page["Items"])
