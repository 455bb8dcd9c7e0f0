"""Routes under ``/v1/tenants``, where a path names the tenant, and ``/v1/tenant``, one's own."""

from dataclasses import replace

from api.contracts.queries import PageQuery
from api.contracts.tenants import SuspendRequest, TenantBody, TenantPatch
from api.exchange import Exchange, Reply
from api.headers import etag, expected_version
from api.tenancy import scopes_of
from api.tenant_views import own_tenant_view, tenant_view
from api.views import page_view
from timegate.domain.execution.day_quota import day_quota
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.usecases.tenants.change_tenant import NewSettings, TenantRef, update_tenant
from timegate.usecases.tenants.suspend_tenant import resume_tenant, suspend_tenant


def get_own(exchange: Exchange) -> Reply:
    """Read one's own settings."""
    services, tenant = exchange.services, exchange.tenant
    settings, stage = services.tenants.get(tenant), services.tenants_at_hand.stage
    quota = day_quota(settings.quotas.over(stage), exchange.now)
    begun = None if quota is None else services.runs.begun(tenant, quota.day)
    body = own_tenant_view(
        settings,
        stage,
        replace(services.usage.usage(tenant), runs_per_day=begun),
        caller=exchange.caller,
        scopes=sorted(scopes_of(exchange.event)),
    )
    return Reply(body=body)


def list_page(exchange: Exchange) -> Reply:
    """List tenants."""
    query, services = exchange.query(PageQuery), exchange.services
    page = services.tenants.list_tenants(limit=query.limit, cursor=query.position)
    stage = services.tenants_at_hand.stage
    return Reply(body=page_view(query.leading_on(page), lambda each: tenant_view(each, stage)))


def get(exchange: Exchange) -> Reply:
    """Read a tenant's settings."""
    return _reply(exchange.services.tenants.get(exchange.tenant), exchange)


def put(exchange: Exchange) -> Reply:
    """Replace a tenant's settings."""
    return _update(exchange, exchange.body().parse(TenantBody).to_domain())


def patch(exchange: Exchange) -> Reply:
    """Change a tenant's settings."""
    return _update(exchange, exchange.body().parse(TenantPatch).to_domain())


def suspend(exchange: Exchange) -> Reply:
    """Suspend a tenant."""
    asked = exchange.body().parse(SuspendRequest) if exchange.has_body else SuspendRequest()
    settings = suspend_tenant(
        _ref(exchange),
        exchange.services,
        reason=asked.reason,
        thaw=asked.thaw,
        now=exchange.now,
    )
    return _reply(settings, exchange)


def resume(exchange: Exchange) -> Reply:
    """Resume a tenant."""
    return _reply(resume_tenant(_ref(exchange), exchange.services, now=exchange.now), exchange)


def _update(exchange: Exchange, new: NewSettings) -> Reply:
    settings = update_tenant(_ref(exchange), new, exchange.services, now=exchange.now)
    return _reply(settings, exchange)


def _ref(exchange: Exchange) -> TenantRef:
    return TenantRef(tenant=exchange.tenant, version=expected_version(exchange))


def _reply(settings: TenantSettings, exchange: Exchange) -> Reply:
    body = tenant_view(settings, exchange.services.tenants_at_hand.stage)
    return Reply(body=body, headers={"ETag": etag(settings.version)})
