"""API keys, as the use cases see them."""

from typing import Protocol

from timegate.domain.tenants.api_key import ApiKey
from timegate.domain.values.tenant import TenantId


class ApiKeyStore(Protocol):
    """Keys of tenants, each in a place of its own. All raise ``Throttled``."""

    def get(self, tenant: TenantId, slot: int) -> ApiKey | None:
        """The key in a place, strongly consistent."""

    def list_keys(self, tenant: TenantId) -> tuple[ApiKey, ...]:
        """Every key on record, by place, strongly consistent."""

    def put(self, before: ApiKey | None, after: ApiKey) -> bool:
        """Store a key in its place; ``False``: the place is no more as read, ``before``."""
