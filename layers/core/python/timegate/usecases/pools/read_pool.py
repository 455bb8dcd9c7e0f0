"""Looking at a pool: what waits in it, and who comes for it."""

from collections.abc import Mapping
from datetime import datetime

from timegate.domain.actions.pool import check_pool_name
from timegate.domain.jobs.demands import Priority
from timegate.domain.pools.pause import PoolPause
from timegate.domain.values.tenant import TenantId
from timegate.ports.pools import SEEN_WITHIN, Depth, Shelf, WorkerSeen
from timegate.usecases.pools.pool_load import PoolLoad, pool_load
from timegate.usecases.services.worker_services import WorkerServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolState:
    """A pool as it is now. An unused one looks like an empty one."""

    pool: str
    depths: Mapping[Priority, Depth]
    #: Since when the first one waits.
    oldest_at: datetime | None
    #: Those that asked within five minutes.
    workers: tuple[WorkerSeen, ...]
    load: PoolLoad
    #: When any worker asked last; ``None``: none did in 90 days.
    last_seen_at: datetime | None
    #: ``None``: it is not paused.
    pause: PoolPause | None


def read_pool(tenant: TenantId, pool: str, services: WorkerServices, *, now: datetime) -> PoolState:
    """Count what may be claimed now; raises ``InvalidInput`` for what is no pool's name."""
    check_pool_name(pool, "pool")
    shelves = {p: Shelf(tenant=tenant, pool=pool, priority=p) for p in Priority}
    first = [
        each.at
        for shelf in shelves.values()
        for each in services.pools.offered(shelf, until=now, limit=1)
    ]
    served = services.pools.served(tenant, pool, since=now - SEEN_WITHIN, now=now)
    pause = services.pools.pause(tenant, pool)
    return PoolState(
        pool=pool,
        depths={p: services.pools.depth(shelf, now=now) for p, shelf in shelves.items()},
        oldest_at=min(first, default=None),
        workers=tuple(served.workers),
        load=pool_load(served.workers),
        last_seen_at=served.last_seen_at,
        pause=pause if pause is not None and pause.is_active(now) else None,
    )
