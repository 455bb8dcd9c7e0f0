"""Announcements: runs that a job's record names before they are stored one by one."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Announcement:
    """Runs that are being stored, and the job's next instant once they are.

    Whoever meets one stores all of its runs before anything else is decided about the job.
    """

    instants: tuple[datetime, ...]
    #: When each is due; nothing where that is its instant.
    due: tuple[datetime, ...] = ()
    following: datetime

    @property
    def runs(self) -> tuple[tuple[datetime, datetime], ...]:
        """Pair each instant with the moment at which its run is due."""
        return tuple(zip(self.instants, self.due or self.instants, strict=True))
