"""A one-shot's record tells of its creation if both fit into one write unit."""

from dataclasses import replace
from datetime import timedelta
from unittest.mock import patch

import pytest

from tests.support.factories import NOW, job_factory
from timegate.adapters.dynamo.audit_trail.audit_writes import AuditWrites
from timegate.adapters.dynamo.jobs import job_writes
from timegate.adapters.dynamo.jobs.job_writes import ONE_UNIT, JobWrites
from timegate.adapters.dynamo.tables.values import size_of
from timegate.adapters.dynamo.tables.writes import Insert, Put, Write
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.jobs.job import Job
from timegate.domain.tenants.audit_trail import Stamp
from timegate.ports.tenants.audit_trail import Trail

STAMP = Stamp(subject="ana", operation="createJob", request_id="r1", at=NOW)


def described(characters: int) -> Job:
    """Return a one-shot that does not count against its quota, with so long a description."""
    job = job_factory(description="x" * characters)
    timing = replace(job.timing, created_at=NOW, untallied=True)
    return replace(job, timing=timing, updated_at=NOW)


def written(job: Job) -> list[Write | Put]:
    """Return the writes of its creation by a request."""
    trail = Trail(retention=timedelta(days=1))
    writes = JobWrites(
        table="jobs",
        shards=lambda: ONE_SHARD,
        retention_days=1,
        audit=AuditWrites(trail, table="jobs"),
    )
    with trail.on_behalf_of(STAMP):
        return writes.creation(job)


def size(insert: Insert) -> int:
    """Return the bytes of an item as DynamoDB counts them."""
    return size_of({name: value for name, value in insert.fields.items() if value is not None})


def longest() -> int:
    """Return the longest description beside which a record tells of its creation."""
    return max(length for length in range(ONE_UNIT) if len(written(described(length))) == 1)


def test_a_record_tells_of_its_creation_up_to_a_write_unit() -> None:
    """Beyond it the entry is apart: what is told is counted as the item has it."""
    length = longest()
    (told,) = written(described(length))
    apart, entry = written(described(length + 1))
    assert isinstance(told, Insert)
    assert isinstance(apart, Insert)

    # A longer description is told of as well: two bytes more for each character.
    assert ONE_UNIT - 2 < size(told) <= ONE_UNIT
    assert size(apart) < ONE_UNIT
    assert isinstance(entry, Put)


@pytest.mark.parametrize("characters", [0, ONE_UNIT])
def test_the_size_of_a_record_is_counted_once(characters: int) -> None:
    """The entry of its creation is counted by itself."""
    counted: list[int] = []

    def watched(fields: dict[str, object]) -> int:
        counted.append(len(fields))
        return size_of(fields)  # type: ignore[arg-type]

    with patch.object(job_writes, "size_of", watched):
        written(described(characters))

    assert len([each for each in counted if each > len(("told_at", "creation"))]) == 1
