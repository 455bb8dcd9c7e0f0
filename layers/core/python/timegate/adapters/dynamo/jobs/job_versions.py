"""Definitions that were replaced: beside their job, for as long as runs of theirs are on record."""

from datetime import datetime, timedelta

from timegate.adapters.dynamo.jobs.job_items import job_from_fields, job_to_fields
from timegate.adapters.dynamo.tables.engine import Engine, Query, rows
from timegate.adapters.dynamo.tables.keys import VERSION_PREFIX, job_pk, version_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.jobs.job import Job
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId

#: A run that was claimed under a version may end so much later than that was replaced.
LONGEST_RUN = timedelta(days=31)
#: Sorts after every version.
_BEYOND = f"{VERSION_PREFIX}~"
#: An old definition is in no index, neither due nor listed, and its job tells of the creation.
_OF_JOBS = frozenset({"due_bucket", "due_at", "tenant_key", "listed_at", "creation", "told_at"})


def version_to_fields(job: Job, *, replaced_at: datetime, retention: timedelta) -> dict[str, Plain]:
    """The whole item of a definition that is replaced."""
    key = version_key(job.tenant, job.job_id, job.timing.version)
    fields = job_to_fields(job, shards=ONE_SHARD)
    kept = {name: value for name, value in fields.items() if name not in _OF_JOBS}
    expires_at = replaced_at + retention + LONGEST_RUN
    return {**kept, "pk": key.pk, "sk": key.sk, "expires_at": int(expires_at.timestamp())}


def read_version(
    engine: Engine, table: str, tenant: TenantId, job_id: JobId, version: int
) -> Job | None:
    """The definition in force at a version, if it was replaced since; one read, by key.

    Versions that changed nothing of the definition have no record: the next one that was replaced
    says the same.
    """
    page = engine.query(_from(table, tenant, job_id, version, limit=1))
    return job_from_fields(page.items[0]) if page.items else None


def read_versions(
    engine: Engine, table: str, tenant: TenantId, job_id: JobId, *, since: int
) -> tuple[Job, ...]:
    """All definitions that were replaced from a version on, in the order of their versions."""
    found = rows(engine, _from(table, tenant, job_id, since))
    return tuple(job_from_fields(fields) for fields in found)


def _from(
    table: str, tenant: TenantId, job_id: JobId, version: int, *, limit: int | None = None
) -> Query:
    return Query(
        table=table,
        of=job_pk(tenant, job_id),
        first=version_key(tenant, job_id, version).sk,
        last=_BEYOND,
        consistent=True,
        limit=limit,
    )
