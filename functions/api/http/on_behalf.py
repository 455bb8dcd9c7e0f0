"""On whose behalf a request changes things."""

from contextlib import AbstractContextManager, nullcontext

from api.http.exchange import Exchange
from api.http.route import Route
from api.http.tenancy import subject_of
from timegate.domain.tenants.audit_trail import Stamp
from timegate.usecases.services.api_services import ApiServices


def on_behalf(route: Route, exchange: Exchange) -> AbstractContextManager[None]:
    """Enter each change that the request makes meanwhile into the audit trail."""
    services = exchange.provided
    if not (route.changes or route.of_stage) or not isinstance(services, ApiServices):
        return nullcontext()
    request = exchange.event.request_context
    claims = exchange.event["requestContext"]["authorizer"]["jwt"]["claims"]
    client_id = claims.get("client_id")
    return services.trail.on_behalf_of(
        Stamp(
            subject=subject_of(exchange.event, exchange.people)
            or str(client_id or exchange.tenant),
            operation=route.operation,
            request_id=request.request_id,
            at=exchange.now,
            client_id=str(client_id) if client_id else None,
            source_ip=request.http.source_ip,
            of_stage=route.of_stage,
        )
    )
