"""Keeping the rate of a tenant's requests, with a write for many of them.

The store has one bucket for each tenant. A process is given several requests at a time and serves
them without asking again; what it has left over stays good. So of a tenant whose rate is ``r`` with
bursts of ``b``, all ``p`` processes together serve no more than ``b + r * t + p * n`` requests in
any ``t`` seconds, where ``n`` is what one is given at a time: never a multiple of the rate.
"""

from datetime import datetime
from threading import Lock

from timegate.domain.quotas import Quotas
from timegate.domain.rate_limit import RateLimit, Wish
from timegate.domain.request_rate import RateExceeded, request_key, request_limit, taken_at_once
from timegate.domain.tenant import TenantId
from timegate.ports.rates import RateStore

#: Of so many tenants a process remembers what they have left: the others lose a few requests.
_MOST_REMEMBERED = 10_000


class RequestRates:
    """What this process may still serve, tenant by tenant."""

    def __init__(self, rates: RateStore) -> None:
        self._rates = rates
        self._lock = Lock()
        self._left: dict[TenantId, int] = {}

    def admit(self, tenant: TenantId, quotas: Quotas, *, now: datetime) -> RateLimit | None:
        """Let one request in; returns the limit it is under, if any.

        Raises ``RateExceeded``, and ``Throttled``.
        """
        limit = request_limit(quotas)
        if limit is None:
            return None
        if not self._spend(tenant):
            taken = self._take(tenant, limit, now)
            if not taken:
                raise RateExceeded(limit)
            self._keep(tenant, taken - 1)
        return limit

    def _take(self, tenant: TenantId, limit: RateLimit, now: datetime) -> int:
        """As many as there are of those that one is given; what was refused costs no write."""
        wishes = [Wish(limit=limit, not_after=now)] * taken_at_once(limit)
        turns = self._rates.take_turns(request_key(tenant), wishes, at=now)
        return sum(turn is not None for turn in turns)

    def _spend(self, tenant: TenantId) -> bool:
        with self._lock:
            left = self._left.get(tenant, 0)
            if left:
                self._left[tenant] = left - 1
            return left > 0

    def _keep(self, tenant: TenantId, count: int) -> None:
        with self._lock:
            self._left[tenant] = self._left.get(tenant, 0) + count
            while len(self._left) > _MOST_REMEMBERED:
                self._left.pop(next(iter(self._left)))
