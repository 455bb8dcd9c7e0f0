"""Catching up: the missed instants of a job that run after all."""

from datetime import timedelta
from enum import StrEnum

from timegate.value_classes import dataclass


class CatchUpPolicy(StrEnum):
    """Missed instants that run after all."""

    SKIP = "skip"
    #: The last one.
    LATEST = "latest"
    ALL = "all"


@dataclass(frozen=True, kw_only=True, slots=True)
class CatchUp:
    """Policy for missed instants; each that does not run is a gap in the ledger."""

    policy: CatchUpPolicy = CatchUpPolicy.ALL
    #: Most runs under ``all``, the latest.
    limit: int = 1_000
    #: None that are older.
    window_seconds: int = 86_400
    #: An instant that is planned at most so late was not missed, and runs under every policy.
    grace_seconds: int = 60

    @property
    def grace(self) -> timedelta:
        """Return the lateness that makes no instant missed: never beyond the window."""
        return timedelta(seconds=min(self.grace_seconds, self.window_seconds))
