"""The auditor's last word on a share of its walk."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Self


@dataclass(frozen=True, kw_only=True, slots=True)
class AuditVerdict:
    """The last audit of a share, and the last one that found something missing."""

    at: datetime
    #: Instants that the last audit compared with their records.
    instants: int = 0
    #: When an audit found something missing last; ``None``: none did.
    found_at: datetime | None = None
    #: Instants that it found without a record or a rule.
    unaccounted: int = 0
    #: Jobs and runs that it found lost, or lost to an index.
    lost: int = 0

    @classmethod
    def of(cls, *, at: datetime, instants: int, unaccounted: int, lost: int) -> Self:
        """Return the verdict of one audit."""
        found_at = at if unaccounted or lost else None
        return cls(at=at, instants=instants, found_at=found_at, unaccounted=unaccounted, lost=lost)

    def following(self, before: Self | None) -> Self:
        """Return the verdict with what the one before it knew of findings."""
        if self.found_at is not None or before is None:
            return self
        return replace(
            self, found_at=before.found_at, unaccounted=before.unaccounted, lost=before.lost
        )
