"""The attributes of an attempt that its sparse indexes show."""

from dataclasses import replace
from datetime import datetime
from zlib import crc32

from timegate.adapters.dynamo.pools.shown_offers import shown_fields
from timegate.adapters.dynamo.tables.keys import bucket
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dispatch.shards import Placement
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import AttemptId
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import ShardPlacement

#: The attributes that only failed runs have, gone when one is redriven.
FAILURE_FIELDS = ("failure_part", "failure_at")
#: Over so many partitions a tenant's failed runs are spread, and beside them its late ones: each
#: carries about 1,000 index writes a second, and costs a listing one read.
FAILURE_PARTS = 4
#: Over so many partitions the listed runs of a tenant are spread: none is hot where all runs that a
#: stage can plan are one tenant's (docs/decisions/0129-runs-of-all-jobs.md).
LISTED_PARTS = 24


def index_fields(attempt: Attempt, *, shards: Placement) -> dict[str, Plain]:
    """The attributes of the indexes ``watch``, ``pool`` and ``listed``."""
    return {
        **watch_fields(attempt, shards=shards),
        **shown_fields(attempt, shards=shards),
        **listed_fields(attempt),
    }


def moved_watch_fields(
    attempt: Attempt, watch_at: datetime | None, *, shards: ShardPlacement
) -> dict[str, Plain]:
    """The attempt's new place in ``watch``; nothing for ``None``, so that no index is written."""
    if watch_at is None:
        return {}
    return watch_fields(replace(attempt, watch_at=watch_at), shards=shards())


def watch_fields(attempt: Attempt, *, shards: Placement) -> dict[str, Plain]:
    """The attributes of the ``watch`` index: none once it has ended and nothing follows."""
    if attempt.watch_at is None:
        return {}
    return {
        "watch_bucket": bucket(attempt.watch_at, attempt.id.run.job_id, shards),
        "watch_at": compact(attempt.watch_at),
    }


def failure_fields(attempt: Attempt) -> dict[str, Plain]:
    """The attributes of the index ``failures``; of a late run that is none, its place beside."""
    if not attempt.is_failure or attempt.ended_at is None:
        return late_fields(attempt)
    return {
        "failure_part": tenant_partition(attempt.tenant, _failure_part(attempt)),
        "failure_at": f"{compact(attempt.ended_at)}#{attempt.id}",
    }


def late_fields(attempt: Attempt) -> dict[str, Plain]:
    """The attributes with which looks at rules find a late run; nothing for any other attempt."""
    late = attempt.lateness
    if late is None or late.marked_at is None:
        return {}
    return {
        "failure_part": tenant_partition(attempt.tenant, late_part(_failure_part(attempt))),
        "failure_at": f"{compact(late.marked_at)}#{attempt.id}",
    }


def late_part(part: int) -> str:
    """Return the part in which late runs lie: no listing of failures reads it."""
    return f"late{part}"


def _failure_part(attempt: Attempt) -> int:
    return crc32(str(attempt.id).encode()) % FAILURE_PARTS


def listed_fields(attempt: Attempt) -> dict[str, Plain]:
    """The attributes of the index ``listed``: no later write changes them, whatever it changes."""
    if not attempt.listed:
        return {}
    part = crc32(str(attempt.id).encode()) % LISTED_PARTS
    return {
        "listed_part": tenant_partition(attempt.tenant, part),
        "listed_at": listed_position(attempt.id),
    }


def listed_position(attempt: AttemptId) -> str:
    """Return the sort key of the index ``listed``: computed, so that it never moves."""
    return f"{compact(attempt.run.scheduled_at)}#{attempt}"


def tenant_partition(tenant: TenantId, part: int | str) -> str:
    """Return a partition of the indexes ``failures`` and ``listed``."""
    return f"{tenant}#{part}"
