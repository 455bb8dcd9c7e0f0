"""The turns of rate limits, as the use cases see them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from timegate.domain.limits.rate_limit import RateKey, RateRequest


class RateStore(Protocol):
    """Use of each key's average rate; a new key has all of it."""

    def take_turns(
        self, key: RateKey, wishes: Sequence[RateRequest], *, at: datetime
    ) -> list[datetime | None]:
        """Reserve calls at ``at`` or as soon after as their limits allow, in this order.

        ``None``, with nothing reserved, for one that would come too late. One conditional write for
        all of them, seldom two. Raises ``Throttled``.
        """

    def hold_back(self, key: RateKey, *, used_until: int, at: datetime) -> None:
        """Let no turn be given from now on before what ``held_back`` said; raises ``Throttled``.

        Turns that were given out stay whose they are.
        """
