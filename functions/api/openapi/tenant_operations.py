"""What the route table does not say of tenants."""

from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType

from api.openapi.described import Described
from api.openapi.tenant_answers import OwnTenant, Tenant, TenantPage

_CHANGE = Described(
    answer=Tenant,
    success={200: "The tenant as it is now."},
    refusals=(HTTPStatus.CONFLICT, HTTPStatus.PRECONDITION_FAILED),
    request_headers=("If-Match", "If-None-Match"),
    answer_headers=("ETag",),
)

TENANT_OPERATIONS: Mapping[str, Described] = MappingProxyType(
    {
        "getOwnTenant": Described(
            answer=OwnTenant, success={200: "The caller's own tenant, and what it may do."}
        ),
        "listTenants": Described(
            answer=TenantPage,
            success={200: "A page of the tenants that something was set for, by name."},
        ),
        "getTenant": Described(
            answer=Tenant,
            success={200: "The tenant; one that nothing was set for has the stage's defaults."},
            answer_headers=("ETag",),
        ),
        "putTenant": _CHANGE,
        "updateTenant": _CHANGE,
        "suspendTenant": _CHANGE,
        "resumeTenant": _CHANGE,
    }
)
