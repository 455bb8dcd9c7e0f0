"""Rate limits as users see them: what a job asks for, and what it did to an attempt."""

from typing import Any

from timegate.domain.limits.rate_limit import RateLimit, RatePeriod
from timegate.domain.limits.rate_reservation import Pace
from timegate.domain.values.instants import rfc3339


def rate_limit_view(limit: RateLimit) -> dict[str, Any]:
    """A limit; its calls stand beside their period."""
    calls = {f"per_{per}": limit.calls if per is limit.per else None for per in RatePeriod}
    return {**calls, "burst": limit.burst, "key": limit.key, "key_from": limit.key_from}


def pace_view(pace: Pace | None) -> dict[str, Any] | None:
    """Show the time that an attempt waited for its turn; ``None``: it did not wait."""
    if pace is None:
        return None
    return {"key": pace.key, "since": rfc3339(pace.since), "until": rfc3339(pace.turn_at)}
