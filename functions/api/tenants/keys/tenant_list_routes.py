"""Routes at ``/v1/tenants``: tenants are listed, and made with a first API key."""

from http import HTTPStatus

from api.http.exchange import Exchange, Reply
from api.http.headers import etag
from api.http.route import Scope, route
from api.tenants import tenant_answers
from api.tenants.keys.key_answers import NewTenant
from api.tenants.keys.key_views import made_key_view
from api.tenants.tenant_views import tenant_view
from api.values.views import page_view
from timegate.contracts.tenants.api_key import NewTenantRequest
from timegate.contracts.values.queries import PageQuery
from timegate.usecases.tenants.create_tenant import create_tenant
from timegate.usecases.tenants.list_tenants import list_tenants


@route(
    "GET",
    "/v1/tenants",
    operation="listTenants",
    asks=Scope.ADMIN,
    query=PageQuery,
    answer=tenant_answers.TenantPage,
    success={200: "A page of the tenants that something was set for, by name."},
)
def list_page(exchange: Exchange) -> Reply:
    """List tenants.

    The list has tenants with settings, by name.
    """
    query, services = exchange.query(PageQuery), exchange.services
    page = list_tenants(services, **query.paging)
    stage = services.tenants_at_hand.stage
    return Reply(body=page_view(query.leading_on(page), lambda each: tenant_view(each, stage)))


@route(
    "POST",
    "/v1/tenants",
    operation="createTenant",
    asks=Scope.ADMIN,
    body=NewTenantRequest,
    answer=NewTenant,
    success={201: "The tenant, and its first API key, which is shown in this answer alone."},
    refusals=(409,),
    answer_headers=("ETag",),
)
def create(exchange: Exchange) -> Reply:
    """Make a tenant.

    With quotas and a first API key, at once and without a deployment. Quotas that are left out are
    those of new tenants; none is without a limit.
    """
    services, now = exchange.services, exchange.now
    asked = exchange.body().parse(NewTenantRequest).to_domain()
    made = create_tenant(asked, services, by=exchange.caller, now=now)
    body = {
        "tenant": tenant_view(made.settings, services.tenants_at_hand.stage),
        "key": None if made.key is None else made_key_view(made.key, now=now),
    }
    return Reply(
        body=body, status=HTTPStatus.CREATED, headers={"ETag": etag(made.settings.version)}
    )
