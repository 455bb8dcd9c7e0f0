"""From the domain to JSON: a list of pools."""

from api.pools.pool_views import pause_view
from api.values.views import View, instant_view
from timegate.usecases.pools.list_pools import ListedPool, ListedPools, Waiting


def pools_view(found: ListedPools) -> View:
    """Pools of a tenant."""
    return {"pools": [_pool(each) for each in found.pools], "is_partial": found.is_partial}


def _pool(pool: ListedPool) -> View:
    return {
        "pool": pool.pool,
        "workers": pool.workers,
        "capacity": pool.load.capacity,
        "in_use": pool.load.in_use,
        "last_seen_at": instant_view(pool.last_seen_at),
        "jobs": pool.jobs,
        "waiting": _waiting(pool.waiting),
        "pause": pause_view(pool.pause),
    }


def _waiting(waiting: Waiting | None) -> View | None:
    if waiting is None:
        return None
    return {
        "count": waiting.count,
        "is_partial": waiting.is_partial,
        "oldest_at": instant_view(waiting.oldest_at),
    }
