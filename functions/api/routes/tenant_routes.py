"""The routes of tenants: the stage's administration, and what a tenant sees of itself."""

from api.contracts.queries import PageQuery
from api.contracts.tenants import SuspendRequest, TenantBody, TenantPatch
from api.routes import tenants
from api.routes.route import Route
from api.routes.scope import Scope

TENANTS = (
    Route(method="GET", path="/v1/tenant", serve=tenants.get_own, operation="getOwnTenant"),
    Route(
        method="GET",
        path="/v1/tenants",
        serve=tenants.list_page,
        operation="listTenants",
        query=PageQuery,
        asks=Scope.ADMIN,
    ),
    Route(
        method="GET",
        path="/v1/tenants/<tenant>",
        serve=tenants.get,
        operation="getTenant",
        asks=Scope.ADMIN,
    ),
    Route(
        method="PUT",
        path="/v1/tenants/<tenant>",
        serve=tenants.put,
        operation="putTenant",
        body=TenantBody,
        asks=Scope.ADMIN,
    ),
    Route(
        method="PATCH",
        path="/v1/tenants/<tenant>",
        serve=tenants.patch,
        operation="updateTenant",
        body=TenantPatch,
        asks=Scope.ADMIN,
    ),
    Route(
        method="POST",
        path="/v1/tenants/<tenant>/suspend",
        serve=tenants.suspend,
        operation="suspendTenant",
        body=SuspendRequest,
        body_is_optional=True,
        asks=Scope.ADMIN,
    ),
    Route(
        method="POST",
        path="/v1/tenants/<tenant>/resume",
        serve=tenants.resume,
        operation="resumeTenant",
        asks=Scope.ADMIN,
    ),
)
