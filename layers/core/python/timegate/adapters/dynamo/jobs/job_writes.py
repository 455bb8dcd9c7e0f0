"""Writes of jobs' records, for the transactions that take them."""

from collections.abc import Mapping, Sequence
from datetime import timedelta

from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.jobs.gap_items import gap_records
from timegate.adapters.dynamo.jobs.job_items import (
    as_read,
    creation_fields,
    job_to_fields,
    key_writes,
    watch_writes,
)
from timegate.adapters.dynamo.jobs.job_versions import version_to_fields
from timegate.adapters.dynamo.tables.values import Plain, size_of
from timegate.adapters.dynamo.tables.writes import Insert, Put, Replace, Write
from timegate.domain.jobs.job import Job
from timegate.domain.ledger.gap_parts import Cut
from timegate.domain.ledger.ledger import Gap
from timegate.domain.tenants.audit_trail import AuditEntry
from timegate.ports.dispatch.shards import ShardPlacement

#: A write unit stores 1,024 bytes; the end of a job takes some more. An entry that makes a record
#: larger would cost as much as an item of its own.
ONE_UNIT = 1000


class JobWrites:
    """A job's item, and everything that is stored with it or not at all."""

    def __init__(
        self, *, table: str, shards: ShardPlacement, retention_days: int, audit: AuditWrites
    ) -> None:
        self._table = table
        self._shards = shards
        self._retention = timedelta(days=retention_days)
        self._audit = audit

    def creation(self, job: Job) -> list[Write | Put]:
        """Return the writes of a new job; the first is refused where its id exists."""
        fields = job_to_fields(job, shards=self._shards())
        entry = self._audit.entry_of_job(None, job)
        telling = _telling(job, fields, entry) if entry is not None else None
        return [
            Insert(table=self._table, fields=fields if telling is None else telling),
            *self._beside(None, job),
            *(self._audit.puts(entry) if telling is None else ()),
        ]

    def change(
        self, before: Job, after: Job, *, gap: Gap | None = None, cuts: Sequence[Cut] = ()
    ) -> list[Write | Put]:
        """Return the writes of the next version; the first is refused unless it is as read."""
        replacement = Replace(
            table=self._table,
            fields=job_to_fields(after, shards=self._shards()),
            where=as_read(before.timing),
        )
        writes = [replacement, *self.records([gap] if gap is not None else [], cuts)]
        if not before.defines_as(after):
            at = after.updated_at
            fields = version_to_fields(before, replaced_at=at, retention=self._retention)
            writes.append(Insert(table=self._table, fields=fields))
        return [*writes, *self._beside(before, after), *self._audit.job(before, after)]

    def records(self, gaps: Sequence[Gap], cuts: Sequence[Cut] = ()) -> list[Insert | Put]:
        """Return the writes of new gaps, and of what is left of those that are cut."""
        return gap_records(self._table, gaps, cuts, retention=self._retention)

    def _beside(self, before: Job | None, after: Job) -> list[Write | Put]:
        return [
            *key_writes(self._table, before, after),
            *watch_writes(self._table, before, after),
        ]


def _telling(
    job: Job, fields: Mapping[str, Plain], entry: AuditEntry
) -> Mapping[str, Plain] | None:
    """Return a new job's item with the entry of its creation; ``None``: the entry is apart.

    It is found by the job's instant, which has to be that of the request.
    """
    # Requests alone create jobs.
    from timegate.adapters.dynamo.audit_trail.creation_entries import (  # noqa: PLC0415
        creation_text,
    )

    if entry.stamp.at != job.timing.created_at or not job.timing.untallied:
        return None
    size = _size(fields)
    if size > ONE_UNIT:
        return None
    told = creation_fields(job.timing, creation_text(entry))
    # A new job has none of these fields yet: they make the item larger by their own size.
    size += _size(told) - size_of({})
    return {**fields, **told} if size <= ONE_UNIT else None


def _size(fields: Mapping[str, Plain]) -> int:
    return size_of({name: value for name, value in fields.items() if value is not None})
