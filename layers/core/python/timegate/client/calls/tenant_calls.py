"""The client's operations on tenants and on API keys."""

from timegate.client.calling import ApiCall, PageCall, change, get, keyed, page, segment
from timegate.client.operation import listing, operation
from timegate.client.schemas import (
    ApiKey,
    ApiKeyList,
    LoadForecast,
    MadeApiKey,
    NewKeyRequest,
    NewTenant,
    NewTenantRequest,
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
    def create_tenant(self, body: NewTenantRequest) -> ApiCall[NewTenant]:
        """Make a tenant with quotas and a first API key, whose text is in this answer alone."""
        return change("POST", "/v1/tenants", body=body)

    @listing
    def list_tenant_keys(self, tenant: str) -> PageCall[ApiKeyList, ApiKey]:
        """Every API key of a tenant, as a page; ended ones for 30 days more."""
        return page(f"{_tenant(tenant)}/keys", {})

    @operation
    def create_tenant_key(
        self,
        tenant: str,
        asked: NewKeyRequest | None = None,
        *,
        idempotency_key: str | None = None,
    ) -> ApiCall[MadeApiKey]:
        """Make an API key of a tenant, as ``create_key`` does."""
        return keyed(f"{_tenant(tenant)}/keys", asked, idempotency_key)

    @operation
    def revoke_tenant_key(self, tenant: str, key_id: str) -> ApiCall[ApiKey]:
        """Let an API key of a tenant open nothing more, within ten seconds everywhere."""
        return change("POST", f"{_tenant(tenant)}/keys/{segment(key_id)}/revoke")

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


class KeyCalls(Calls):
    """Credentials of programs. The stage keeps of a key what recognises it, and not the key."""

    @listing
    def list_keys(self) -> PageCall[ApiKeyList, ApiKey]:
        """Every key of the tenant, as a page; ended ones for 30 days more."""
        return page("/v1/keys", {})

    @operation
    def create_key(
        self, asked: NewKeyRequest | None = None, *, idempotency_key: str | None = None
    ) -> ApiCall[MadeApiKey]:
        """Make a key with scopes of the caller's own; its text is in the first answer alone.

        If that answer is lost, a repetition finds the key without its text: ``api_key`` is
        ``None``. Revoke it, and make another.
        """
        return keyed("/v1/keys", asked, idempotency_key)

    @operation
    def revoke_key(self, key_id: str) -> ApiCall[ApiKey]:
        """Let a key open nothing more, within ten seconds everywhere."""
        return change("POST", f"/v1/keys/{segment(key_id)}/revoke")


def _tenant(name: str) -> str:
    return f"/v1/tenants/{segment(name)}"
