"""The settings of tenants, as the use cases see them."""

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Protocol

from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.tenants.tenant_settings import TenantSettings
from timegate.domain.values.tenant import TenantId
from timegate.ports.stores import NamedPage
from timegate.value_classes import dataclass

if TYPE_CHECKING:
    from timegate.domain.tenants.api_key import ApiKey


@dataclass(frozen=True, kw_only=True, slots=True)
class TenantPage(NamedPage[TenantSettings]):
    """Tenants, and those between them whose settings cannot be read."""


class TenantStore(Protocol):
    """Settings of tenants, made by the administration of the stage. All raise ``Throttled``."""

    def get(self, tenant: TenantId) -> TenantSettings:
        """The settings of a tenant, strongly consistent; the defaults for one without any."""

    def get_all(self, tenants: Collection[TenantId]) -> Mapping[TenantId, TenantSettings]:
        """Read the settings of several tenants, strongly consistent: one read for up to a
        hundred.
        """

    def put(
        self,
        tenant: TenantId,
        before: TenantSettings,
        after: TenantSettings,
        *,
        freeze: Freeze | None = None,
        key: "ApiKey | None" = None,
    ) -> bool:
        """Store ``after``, at the version that follows; ``False``: no more as read, ``before``.

        A freeze is stored with it, and counts at once, or nothing is written. So is the first key
        of a new tenant.
        """

    def list_tenants(self, *, limit: int, cursor: str | None) -> TenantPage:
        """List tenants on record, by name; raises ``InvalidInput`` for a malformed cursor."""
