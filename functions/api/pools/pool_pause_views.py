"""From pauses of pools to JSON."""

from typing import TYPE_CHECKING

from api.pools.pool_views import pause_view
from api.values.views import View, instant_view

if TYPE_CHECKING:
    from timegate.usecases.pools.pause_pool import PoolStanding


def standing_view(standing: "PoolStanding") -> View:
    """A pool that was paused or resumed."""
    return {
        "pool": standing.pool,
        "pause": pause_view(standing.pause),
        "last_seen_at": instant_view(standing.last_seen_at),
    }
