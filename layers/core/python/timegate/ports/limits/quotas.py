"""Usage of tenants' quotas, as the use cases see it."""

from typing import Protocol

from timegate.domain.execution.quota_usage import Quota, Tallied, Usage
from timegate.domain.values.tenant import TenantId


class UsageStore(Protocol):
    """Counted by the very writes that make and end what counts, so it cannot drift from them.

    Unless records are written by hand, or there were some before there were counts.
    """

    def usage(self, tenant: TenantId) -> Usage:
        """Read the tenant's usage now, strongly consistent; raises ``Throttled``."""

    def tallied(self, tenant: TenantId, quota: Quota) -> Tallied:
        """Read the tally of one quota, strongly consistent; raises ``Throttled``."""

    def present(self, tenant: TenantId, quota: Quota, *, most: int) -> int | None:
        """Count the records one by one; ``None`` where it would look at more than ``most``.

        The index shows them a moment late. Raises ``Throttled``.
        """

    def correct(self, tenant: TenantId, quota: Quota, seen: Tallied, *, by: int) -> bool:
        """Count so many more, or fewer; ``False``, with nothing written: others were made since.

        Raises ``Throttled``.
        """
