"""Writes that complete jobs."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from timegate.adapters.dynamo.tables.keys import job_key
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.jobs.job import FIRST_VERSION, JobStatus
from timegate.domain.values.identity import JobId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId

#: A hundred writes are a transaction, their count among them, and few jobs meet a refused
#: neighbour.
_COMPLETED_TOGETHER = 25
#: It waits for no instant and no place, and is not shown to planners: none has a run to reopen.
_NOTHING_TO_FIRE: Mapping[str, Plain] = {
    "next_run_at": None,
    "full": None,
    "due_bucket": None,
    "version": FIRST_VERSION,
}

Owner = tuple[TenantId, JobId]


def completion(table: str, owner: Owner, *, now: datetime, where: Mapping[str, Plain]) -> Update:
    """Return the write that completes an active job, whatever it waits for."""
    nothing = {"due_bucket": None, "due_at": None, "next_run_at": None}
    return Update(
        table=table,
        key=job_key(*owner),
        fields={**_completed(now), **nothing},
        added={"version": 1},
        where={"status": JobStatus.ACTIVE, **where},
    )


def first_completion(table: str, owner: Owner, *, now: datetime, tallied: bool = True) -> Update:
    """Return the write that completes a job of its first version with nothing left to fire.

    Refused where a tally counts it, and it is not ``tallied``, and the reverse. A statement of a
    batch may say it: that adds nothing to a number.
    """
    return Update(
        table=table,
        key=job_key(*owner),
        fields={**_completed(now), "version": FIRST_VERSION + 1},
        where={
            "status": JobStatus.ACTIVE,
            **_NOTHING_TO_FIRE,
            "untallied": None if tallied else True,
        },
    )


def by_tenant(jobs: Sequence[Owner]) -> Iterator[tuple[TenantId, Sequence[JobId]]]:
    """Yield the jobs of each tenant, once each, as many as are completed together."""
    tenants: dict[TenantId, list[JobId]] = {}
    for tenant, job_id in dict.fromkeys(jobs):
        tenants.setdefault(tenant, []).append(job_id)
    for tenant, own in tenants.items():
        for start in range(0, len(own), _COMPLETED_TOGETHER):
            yield tenant, own[start : start + _COMPLETED_TOGETHER]


def _completed(now: datetime) -> dict[str, Plain]:
    return {"status": JobStatus.COMPLETED, "updated_at": compact(now)}
