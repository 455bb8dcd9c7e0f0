"""Catching up: the missed instants of a job that run after all."""

from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum


class CatchUpPolicy(StrEnum):
    """Which of the instants that passed while nothing was planned run after all."""

    SKIP = "skip"
    #: The last one.
    LATEST = "latest"
    ALL = "all"


@dataclass(frozen=True, kw_only=True, slots=True)
class CatchUp:
    """What a job does about missed instants; whatever does not run is a gap in its ledger."""

    policy: CatchUpPolicy = CatchUpPolicy.ALL
    #: Of ``all``: at most so many, the latest.
    limit: int = 1_000
    #: None that are older.
    window_seconds: int = 86_400
    #: An instant that is planned at most so late was not missed, and runs under every policy.
    grace_seconds: int = 60

    @property
    def grace(self) -> timedelta:
        """How late an instant may be planned without being missed: never beyond the window."""
        return timedelta(seconds=min(self.grace_seconds, self.window_seconds))
