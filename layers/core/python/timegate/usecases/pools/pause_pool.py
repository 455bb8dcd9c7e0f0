"""Pausing a pool: no worker is handed its runs until it is resumed, or the pause ends by itself."""

from datetime import datetime

from timegate.domain.actions.pool import check_pool_name
from timegate.domain.pools.pause import PoolPause, check_pause, paused_anew, resumed
from timegate.domain.values.tenant import TenantId
from timegate.ports.pools import SEEN_WITHIN
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolStanding:
    """A pool that was paused or resumed."""

    pool: str
    #: ``None``: it is not paused.
    pause: PoolPause | None
    #: The instant at which a worker asked last; ``None``: none did in 90 days.
    last_seen_at: datetime | None


def pause_pool(
    tenant: TenantId, asked: PoolPause, services: ApiServices, *, now: datetime
) -> PoolStanding:
    """Pause a pool, or set the terms of its pause anew; the same terms change nothing.

    A claim that is under way may still hand out runs for a moment. A pool needs no making, and is
    paused whether or not a job names it. Raises ``InvalidInput`` and ``Throttled``.
    """
    check_pool_name(asked.pool, "pool")
    check_pause(asked, now=now)
    stored = services.pools.change_pause(
        tenant, asked.pool, lambda before: paused_anew(before, asked, now=now)
    )
    services.telemetry.event(
        service_events.POOL_PAUSED, tenant_id=tenant, pool=asked.pool, until=asked.until
    )
    return _standing(tenant, asked.pool, stored, services, now=now)


def resume_pool(
    tenant: TenantId, pool: str, services: ApiServices, *, by: str, now: datetime
) -> PoolStanding:
    """End the pause of a pool; one that is not paused stays as it is.

    ``by``: the caller. Its workers get what waits, in its order, from their next look on. Raises
    ``InvalidInput`` and ``Throttled``.
    """
    check_pool_name(pool, "pool")

    def decide(before: PoolPause | None) -> PoolPause | None:
        return None if before is None else resumed(before, by=by, now=now)

    stored = services.pools.change_pause(tenant, pool, decide)
    services.telemetry.event(service_events.POOL_RESUMED, tenant_id=tenant, pool=pool)
    return _standing(tenant, pool, stored, services, now=now)


def _standing(
    tenant: TenantId,
    pool: str,
    stored: PoolPause | None,
    services: ApiServices,
    *,
    now: datetime,
) -> PoolStanding:
    active = stored if stored is not None and stored.is_active(now) else None
    seen = services.pools.served(tenant, pool, since=now - SEEN_WITHIN, now=now)
    return PoolStanding(pool=pool, pause=active, last_seen_at=seen.last_seen_at)
