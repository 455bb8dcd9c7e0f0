"""How much of its quotas a tenant uses, as the use cases see it."""

from typing import Protocol

from timegate.domain.quota_usage import Usage
from timegate.domain.tenant import TenantId


class UsageStore(Protocol):
    """Counted by the very writes that make and end what counts, so it cannot drift from them."""

    def usage(self, tenant: TenantId) -> Usage:
        """What the tenant uses now, strongly consistent; raises ``Throttled``."""
