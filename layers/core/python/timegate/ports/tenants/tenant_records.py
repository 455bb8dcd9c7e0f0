"""Everything of one tenant in a stage's tables, as an operator erases it."""

from datetime import datetime
from typing import Protocol

from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundRecords:
    """Records of a tenant that a scan of both tables met, but for its settings."""

    #: Runs that their holders work on.
    at_work: int = 0
    #: All of them.
    count: int = 0
    #: End of the run or DAG run that ended last; ``None``: none has.
    last_end: datetime | None = None


class TenantRecords(Protocol):
    """Records of tenants. All raise ``Throttled``."""

    def find(self, tenant: TenantId) -> FoundRecords:
        """Count what there is, and delete nothing."""

    def erase(self, tenant: TenantId) -> int:
        """Delete what a scan meets, and what holds it back last; returns how many."""
