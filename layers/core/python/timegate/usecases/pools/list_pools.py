"""Listing pools: which a tenant has, who serves them, and what waits in them."""

from collections import Counter
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.pools.pause import PoolPause
from timegate.domain.values.tenant import TenantId
from timegate.ports.pools import SEEN_WITHIN, PoolStore, Shelf, Workers
from timegate.usecases.pools.pool_load import PoolLoad, pool_load
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

#: Newest jobs whose pools are listed.
MOST_JOBS = 100
#: Pools whose offers are read: each costs a query for each lane of each priority.
MOST_READ = 10
#: Offers of a priority that are counted; beyond it there are more than so many.
_COUNTED = 25
_MAY_RUN = frozenset({JobStatus.ACTIVE, JobStatus.PAUSED})


@dataclass(frozen=True, kw_only=True, slots=True)
class Waiting:
    """Runs that may be claimed now."""

    count: int
    #: There are more than were counted.
    is_partial: bool
    #: Since when the first one waits.
    oldest_at: datetime | None


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedPool:
    """A pool that a worker asked within a day, that a job names, or that is paused."""

    pool: str
    #: Workers that asked within five minutes.
    workers: int
    load: PoolLoad
    #: When a worker asked last; ``None``: none did in 90 days.
    last_seen_at: datetime | None
    #: Jobs that may still run and name it, among those that were read.
    jobs: int
    #: ``None``: not looked up.
    waiting: Waiting | None
    #: ``None``: it is not paused.
    pause: PoolPause | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class ListedPools:
    """Pools of a tenant, those without a worker first."""

    pools: tuple[ListedPool, ...]
    #: The tenant has more jobs, workers or pauses than were read.
    is_partial: bool


def list_pools(tenant: TenantId, services: ApiServices, *, now: datetime) -> ListedPools:
    """List pools that workers asked within a day, that the newest jobs name, or that are paused.

    Offers are read of the first ``MOST_READ``: four reads, and sixteen for each of these.
    """
    seen = services.pools.workers_of_tenant(tenant, now=now)
    page = services.jobs.list_jobs(tenant, limit=MOST_JOBS, cursor=None)
    named = Counter(pool for job in page.rows if (pool := _pool_of(job)) is not None)
    listed = seen.by_pool.keys() | named.keys()
    pauses, has_more = services.pools.pauses_of_tenant(tenant, listed)
    paused = {pool: pause for pool, pause in pauses.items() if pause.is_active(now)}
    found = [
        replace(_listed(pool, seen, named[pool], now=now), pause=paused.get(pool))
        for pool in listed | paused.keys()
    ]
    found.sort(key=lambda each: (each.workers > 0, each.pool))
    read = [
        replace(each, waiting=_waiting(tenant, each.pool, services.pools, now=now))
        for each in found[:MOST_READ]
    ]
    is_partial = seen.is_partial or has_more or page.cursor is not None
    return ListedPools(pools=(*read, *found[MOST_READ:]), is_partial=is_partial)


def _pool_of(job: Job) -> str | None:
    offer = job.timing.offer
    return offer.pool if offer is not None and job.timing.status in _MAY_RUN else None


def _listed(pool: str, seen: Workers, jobs: int, *, now: datetime) -> ListedPool:
    lately = [each for each in seen.by_pool.get(pool, ()) if each.seen_at >= now - SEEN_WITHIN]
    return ListedPool(
        pool=pool,
        workers=len(lately),
        load=pool_load(lately),
        last_seen_at=seen.last_seen.get(pool),
        jobs=jobs,
        waiting=None,
    )


def _waiting(tenant: TenantId, pool: str, pools: PoolStore, *, now: datetime) -> Waiting:
    shelves = [Shelf(tenant=tenant, pool=pool, priority=priority) for priority in Priority]
    offered = [pools.offered(shelf, until=now, limit=_COUNTED) for shelf in shelves]
    return Waiting(
        count=sum(map(len, offered)),
        is_partial=any(len(each) >= _COUNTED for each in offered),
        oldest_at=min((first.at for each in offered for first in each), default=None),
    )
