"""Claims that count against a quota of runs per day, as the use cases see them."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Protocol

from timegate.domain.day_quota import Counted, DayQuota
from timegate.domain.tenant import TenantId

if TYPE_CHECKING:
    from timegate.ports.stores import Claim


class DayClaims(Protocol):
    """The part of ``RunStore`` that counts runs that begin; throttling raises ``Throttled``."""

    def claim_within(
        self, tenant: TenantId, quota: DayQuota, claims: Sequence["Claim"]
    ) -> list[Counted]:
        """As ``claim_all``, of runs of one tenant that begin: each is counted by its own claim.

        In this order, as long as there is room. What is ``BEYOND`` was not written.
        """

    def is_known_full(self, tenant: TenantId, quota: DayQuota) -> bool:
        """Whether this process has seen that there is no room left; it asks nobody.

        It stays so: what has begun on a day has begun.
        """

    def begun(self, tenant: TenantId, day: date) -> int:
        """How many runs were counted on a day, strongly consistent."""
