"""The attributes of an attempt that its sparse indexes show."""

from dataclasses import replace
from datetime import datetime
from zlib import crc32

from timegate.adapters.dynamo.pools.shown_offers import shown_fields
from timegate.adapters.dynamo.tables.keys import bucket
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dispatch.shards import Placement
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.shards import Spread

#: The attributes that only failed runs have, gone when one is redriven.
FAILURE_FIELDS = ("failure_part", "failure_at")
#: Over so many partitions a tenant's failed runs are spread: each carries about 1,000 index writes
#: a second, and costs a listing one read.
FAILURE_PARTS = 4


def index_fields(attempt: Attempt, *, shards: Placement) -> dict[str, Plain]:
    """The attributes of the indexes ``watch`` and ``pool``."""
    return {**watch_fields(attempt, shards=shards), **shown_fields(attempt, shards=shards)}


def moved_watch_fields(
    attempt: Attempt, watch_at: datetime | None, *, shards: Spread
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
    """The attributes of the index ``failures``; nothing for any other attempt."""
    if not attempt.is_failure or attempt.ended_at is None:
        return {}
    part = crc32(str(attempt.id).encode()) % FAILURE_PARTS
    return {
        "failure_part": failure_partition(attempt.tenant, part),
        "failure_at": f"{compact(attempt.ended_at)}#{attempt.id}",
    }


def failure_partition(tenant: TenantId, part: int) -> str:
    """Return a partition of the index ``failures``."""
    return f"{tenant}#{part}"
