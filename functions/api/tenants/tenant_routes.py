"""Routes under ``/v1/tenants/<tenant>``, and ``/v1/tenant``, one's own."""

from functools import partial

from api.http.exchange import Exchange, Reply
from api.http.headers import etag, expected_version
from api.http.route import Scope, route
from api.http.tenancy import person_of, scopes_of
from api.tenants import tenant_answers
from api.tenants.tenant_views import Asking, own_tenant_view, tenant_view
from timegate.contracts.tenants.tenant import SuspendRequest, TenantBody, TenantPatch
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.usecases.tenants.change_tenant import NewSettings, TenantRef, update_tenant
from timegate.usecases.tenants.read_usage import read_usage
from timegate.usecases.tenants.suspend_tenant import resume_tenant, suspend_tenant

_change = partial(
    route,
    asks=Scope.ADMIN,
    answer=tenant_answers.Tenant,
    success={200: "The tenant as it is now."},
    refusals=(409, 412),
    request_headers=("If-Match", "If-None-Match"),
    answer_headers=("ETag",),
)


@route(
    "GET",
    "/v1/tenant",
    operation="getOwnTenant",
    answer=tenant_answers.OwnTenant,
    success={200: "The caller's own tenant, and what it may do."},
)
def get_own(exchange: Exchange) -> Reply:
    """Read one's own settings.

    Its status and quotas, how much of them is used, who asks, and what that one may do.
    """
    services, tenant = exchange.services, exchange.tenant
    settings, stage = services.tenants.get(tenant), services.tenants_at_hand.stage
    body = own_tenant_view(
        settings,
        stage,
        read_usage(settings, services, now=exchange.now),
        Asking(
            name=exchange.caller,
            person=person_of(exchange.event, exchange.people),
            scopes=scopes_of(exchange.event, exchange.people, services.scope_prefix),
        ),
        regions=services.target_rules.regions,
    )
    return Reply(body=body)


@route(
    "GET",
    "/v1/tenants/<tenant>",
    operation="getTenant",
    asks=Scope.ADMIN,
    answer=tenant_answers.Tenant,
    success={200: "The tenant; one that nothing was set for has the stage's defaults."},
    answer_headers=("ETag",),
)
def get(exchange: Exchange) -> Reply:
    """Read a tenant's settings.

    Any name has settings: the stage's defaults, if nothing was set.
    """
    return _reply(exchange.services.tenants.get(exchange.tenant), exchange)


@_change("PUT", "/v1/tenants/<tenant>", operation="putTenant", body=TenantBody)
def put(exchange: Exchange) -> Reply:
    """Replace a tenant's settings.

    All of them: what is left out is as the stage has it.
    """
    return _update(exchange, exchange.body().parse(TenantBody).to_domain())


@_change("PATCH", "/v1/tenants/<tenant>", operation="updateTenant", body=TenantPatch)
def patch(exchange: Exchange) -> Reply:
    """Change a tenant's settings.

    A field that is not given stays; null takes one back to the stage's.
    """
    return _update(exchange, exchange.body().parse(TenantPatch).to_domain())


@_change(
    "POST",
    "/v1/tenants/<tenant>/suspend",
    operation="suspendTenant",
    body=SuspendRequest,
    body_is_optional=True,
)
def suspend(exchange: Exchange) -> Reply:
    """Suspend a tenant.

    Nothing of it starts and it may change nothing; it can read.
    """
    asked = exchange.optional_body().parse(SuspendRequest)
    settings = suspend_tenant(
        _ref(exchange),
        exchange.services,
        reason=asked.reason,
        thaw=asked.thaw,
        now=exchange.now,
    )
    return _reply(settings, exchange)


@_change("POST", "/v1/tenants/<tenant>/resume", operation="resumeTenant")
def resume(exchange: Exchange) -> Reply:
    """Resume a tenant.

    Runs held back are settled as the suspension asked.
    """
    return _reply(resume_tenant(_ref(exchange), exchange.services, now=exchange.now), exchange)


def _update(exchange: Exchange, new: NewSettings) -> Reply:
    settings = update_tenant(_ref(exchange), new, exchange.services, now=exchange.now)
    return _reply(settings, exchange)


def _ref(exchange: Exchange) -> TenantRef:
    return TenantRef(tenant=exchange.tenant, version=expected_version(exchange))


def _reply(settings: TenantSettings, exchange: Exchange) -> Reply:
    body = tenant_view(settings, exchange.services.tenants_at_hand.stage)
    return Reply(body=body, headers={"ETag": etag(settings.version)})
