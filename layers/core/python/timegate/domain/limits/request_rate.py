"""Rates of a tenant's requests, and the refusal of too many."""

from timegate.domain.limits.quotas import Quotas
from timegate.domain.limits.rate_limit import RateKey, RateLimit
from timegate.domain.values.errors import TimegateError
from timegate.domain.values.tenant import TenantId

#: No limit of a job is called so: those names have no ``#``.
_KEY_NAME = "#requests"
#: A request counts as one more for each so many bytes of its body, unless its route says otherwise.
BYTES_FOR_ONE = 16 * 1024
#: An event counts as one more for each so many triggers that it fires.
TRIGGERS_FOR_ONE = 4
#: A process takes a twentieth of what it may ask of at once, so that no process takes much of it
#: away from the others ...
_PARTS = 20
#: ... and no more than so many, which is a write for that many requests.
MOST_TAKEN = 25


class RateExceeded(TimegateError):
    """The tenant asks more often than it may."""

    code = "rate_exceeded"

    def __init__(self, limit: RateLimit | None, missing: int = 1) -> None:
        allowed = "no requests" if limit is None else f"{limit.calls} requests a second"
        super().__init__(f"The tenant may make {allowed}, and has made more.")
        self.limit = limit
        #: The bucket has filled by so many requests then.
        self.retry_after_seconds = 1 if limit is None else max(1, -(-missing // limit.calls))


def request_key(tenant: TenantId) -> RateKey:
    """Under which all requests of a tenant are counted."""
    return RateKey(tenant=tenant, name=_KEY_NAME)


def request_limit(quotas: Quotas) -> RateLimit | None:
    """Return the limit of a tenant's requests; ``None``: there is none.

    Raises ``RateExceeded`` for one that may not ask at all.
    """
    calls, burst = quotas.requests_per_second, quotas.burst
    if calls is None:
        return None
    if calls == 0 or burst == 0:
        raise RateExceeded(None)
    return RateLimit(calls=calls, burst=burst if burst is not None else calls)


def requests_counted(weight: int, body_bytes: int, bytes_for_one: int) -> int:
    """Count a request as so many: those of its operation, and one for each part of its body."""
    return weight + body_bytes // bytes_for_one


def requests_of_triggers(fired: int, event_bytes: int) -> int:
    """Count the triggers that an event fires as requests: each reads the event anew."""
    return fired // TRIGGERS_FOR_ONE * requests_counted(1, event_bytes, BYTES_FOR_ONE)


def taken_at_once(limit: RateLimit) -> int:
    """Return how many requests a process takes at a time."""
    return max(1, min(limit.calls // _PARTS, limit.burst // _PARTS, MOST_TAKEN))
