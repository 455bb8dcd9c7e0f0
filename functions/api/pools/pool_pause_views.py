"""From pauses of pools to JSON."""

from typing import TYPE_CHECKING

from api.pools.pool_views import pause_view
from api.values.views import View
from timegate.domain.values.instants import rfc3339

if TYPE_CHECKING:
    from timegate.usecases.pools.pause_pool import PoolStanding


def standing_view(standing: "PoolStanding") -> View:
    """A pool that was paused or resumed."""
    seen_at = standing.last_seen_at
    return {
        "pool": standing.pool,
        "pause": pause_view(standing.pause),
        "last_seen_at": None if seen_at is None else rfc3339(seen_at),
    }
