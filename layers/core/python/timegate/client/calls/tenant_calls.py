"""The client's operations on tenants."""

from timegate.client.calling import ApiCall, PageCall, change, get, page, segment
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    LoadForecast,
    OwnTenant,
    SuspendRequest,
    Tenant,
    TenantBody,
    TenantPage,
    TenantPatch,
)
from timegate.client.sending import Calls


class TenantCalls(Calls):
    """One's own tenant; and the administration of a stage, which takes ``timegate/admin``."""

    @operation
    def get_own_tenant(self) -> ApiCall[OwnTenant]:
        """The caller's own tenant: quotas, status, and what its token may do."""
        return get("/v1/tenant")

    @listing
    def list_tenants(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> PageCall[TenantPage, Tenant]:
        """A page of the tenants that something was set for, by name."""
        return page("/v1/tenants", {"limit": limit, "cursor": cursor})

    @operation
    def get_tenant(self, tenant: str) -> ApiCall[Tenant]:
        """A tenant's settings; the stage's defaults where nothing was set."""
        return get(_tenant(tenant))

    @operation
    def forecast_tenant_load(
        self,
        tenant: str,
        *,
        start: str | None = None,
        days: int | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> ApiCall[LoadForecast]:
        """Forecast the load of a tenant as ``forecast_load`` does for the caller's own."""
        query = {"from": start, "days": days, "limit": limit, "cursor": cursor}
        return get(f"{_tenant(tenant)}/forecast", query)

    @operation
    def put_tenant(
        self, tenant: str, body: TenantBody, *, version: int | None = None
    ) -> ApiCall[Tenant]:
        """Replace a tenant's settings; ``version``: only that one, 0: only if there are none."""
        return change("PUT", _tenant(tenant), body=body, version=version, creates=True)

    @operation
    def update_tenant(
        self, tenant: str, changes: TenantPatch, *, version: int | None = None
    ) -> ApiCall[Tenant]:
        """Change what is named; a quota that is null is as the stage has it."""
        return change("PATCH", _tenant(tenant), body=changes, version=version, creates=True)

    @operation
    def suspend_tenant(
        self, tenant: str, asked: SuspendRequest | None = None, *, version: int | None = None
    ) -> ApiCall[Tenant]:
        """Let nothing of a tenant start, and let it change nothing, until it is resumed."""
        path = f"{_tenant(tenant)}/suspend"
        return change("POST", path, body=asked, version=version, creates=True)

    @operation
    def resume_tenant(self, tenant: str, *, version: int | None = None) -> ApiCall[Tenant]:
        """End a suspension."""
        return change("POST", f"{_tenant(tenant)}/resume", version=version, creates=True)


def _tenant(name: str) -> str:
    return f"/v1/tenants/{segment(name)}"
