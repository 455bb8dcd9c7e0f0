"""From pauses of pools to JSON."""

from typing import TYPE_CHECKING

from api.values.views import View
from timegate.domain.pools.pause import PoolPause
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


def pause_view(pause: PoolPause | None) -> View | None:
    """The pause of a pool; ``None``: it is not paused."""
    if pause is None:
        return None
    return {
        "since": rfc3339(pause.since),
        "until": None if pause.until is None else rfc3339(pause.until),
        "by": pause.by,
        "reason": pause.reason,
    }
