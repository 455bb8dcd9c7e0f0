"""The sparse index ``pool``, which shows the offers that workers can have."""

from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.dispatch.shards import Placement
from timegate.domain.jobs.demands import Priority
from timegate.domain.pools.offered import offered_at
from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import compact
from timegate.domain.values.tenant import TenantId

#: Over so many partitions each priority of a pool is spread: each carries about 1,000 index writes
#: a second, and costs a worker that looks for work one read.
LANES = 4


def shown_names(attempt: Attempt) -> tuple[str, ...]:
    """The attributes of the index ``pool`` that an attempt can have."""
    return ("pool_lane", "offered_at") if attempt.offer is not None else ()


def shown_fields(attempt: Attempt, *, shards: Placement) -> dict[str, Plain]:
    """The attributes of the index ``pool``; ``None`` each while the attempt is not to be had.

    Nothing for one that no pool offers.
    """
    offer = attempt.offer
    if offer is None:
        return {}
    # Runs of one job are spread as well: a big pool may serve just one.
    part = shards.part_of(str(attempt.id), LANES)
    lane = lane_of(attempt.tenant, offer.pool, attempt.priority, part)
    at = offered_at(attempt)
    if at is None:
        return {"pool_lane": None, "offered_at": None}
    return {"pool_lane": lane, "offered_at": compact(at)}


def lane_of(tenant: TenantId, pool: str, priority: Priority, lane: int) -> str:
    """A partition of the index."""
    return f"{tenant}#{pool}#{priority}#{lane}"
