"""Keeping the rate of a tenant's requests, with a write for many of them.

The store has one bucket for each tenant. A process is given several requests at a time and serves
them without asking again; what it has left over stays good. So of a tenant whose rate is ``r`` with
bursts of ``b``, all ``p`` processes together serve no more than ``b + r * t + p * n`` requests in
any ``t`` seconds, where ``n`` is what one is given at a time: never a multiple of the rate.

A request that costs more than a plain one counts as several.
"""

from datetime import datetime
from threading import Lock

from timegate.domain.limits.quotas import Quotas
from timegate.domain.limits.rate_limit import RateLimit, RateRequest
from timegate.domain.limits.request_rate import (
    RateExceeded,
    request_key,
    request_limit,
    taken_at_once,
)
from timegate.domain.values.tenant import TenantId
from timegate.ports.limits.rates import RateStore

#: Tenants whose rest of a rate a process remembers: the others lose a few requests.
_MOST_REMEMBERED = 10_000


class RequestRates:
    """Requests that this process may still serve, tenant by tenant."""

    def __init__(self, rates: RateStore) -> None:
        self._rates = rates
        self._lock = Lock()
        self._left: dict[TenantId, int] = {}

    def admit(
        self, tenant: TenantId, quotas: Quotas, *, now: datetime, count: int = 1
    ) -> RateLimit | None:
        """Let a request in that counts as ``count``; returns the limit it is under, if any.

        A request that counts as more than a burst takes a whole burst. Raises ``RateExceeded``,
        and ``Throttled``.
        """
        limit = request_limit(quotas)
        if limit is None:
            return None
        missing = self._spend(tenant, min(count, limit.burst))
        if missing:
            taken = self._take(tenant, limit, max(missing, taken_at_once(limit)), now)
            if taken < missing:
                # The units taken stay: the same request finds them when it comes again.
                self._keep(tenant, min(count, limit.burst) - missing + taken)
                raise RateExceeded(limit, missing - taken)
            self._keep(tenant, taken - missing)
        return limit

    def _take(self, tenant: TenantId, limit: RateLimit, most: int, now: datetime) -> int:
        """Take up to ``most`` requests from the bucket; a refusal writes nothing."""
        wishes = [RateRequest(limit=limit, not_after=now)] * most
        turns = self._rates.take_turns(request_key(tenant), wishes, at=now)
        return sum(turn is not None for turn in turns)

    def _spend(self, tenant: TenantId, count: int) -> int:
        """Spend what this process has left; returns how many are missing."""
        with self._lock:
            left = self._left.get(tenant, 0)
            if left:
                self._left[tenant] = max(0, left - count)
            return max(0, count - left)

    def _keep(self, tenant: TenantId, count: int) -> None:
        with self._lock:
            self._left[tenant] = self._left.get(tenant, 0) + count
            while len(self._left) > _MOST_REMEMBERED:
                self._left.pop(next(iter(self._left)))
