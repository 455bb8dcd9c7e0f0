"""Requests that bring no token, from when they are proven to be meant for a tenant."""

from api.http.exchange import Exchange
from timegate.domain.limits.request_rate import BYTES_FOR_ONE, requests_counted
from timegate.domain.tenants.audit_trail import Stamp
from timegate.domain.values.tenant import TenantId


def keep_rate(exchange: Exchange, tenant: TenantId, *, weight: int) -> None:
    """Count the request as one of the tenant's, once it is known to be meant for it."""
    services, now = exchange.services, exchange.now
    quotas = services.tenants_at_hand.quotas(tenant, now=now)
    count = requests_counted(weight, exchange.body_bytes, BYTES_FOR_ONE)
    services.request_rates.admit(tenant, quotas, now=now, count=count)


def stamp(exchange: Exchange, subject: str, operation: str) -> Stamp:
    """Return the mark of what the request changes, in the name of what proved it."""
    request = exchange.event.request_context
    return Stamp(
        subject=subject,
        operation=operation,
        request_id=request.request_id,
        at=exchange.now,
        source_ip=request.http.source_ip,
    )
