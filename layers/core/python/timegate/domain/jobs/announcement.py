"""Announcements: runs of a job that are about to be stored."""

from datetime import datetime

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Announcement:
    """Runs that are being stored, and the job's next instant once they are.

    A process that meets one stores all of its runs before it decides anything about the job.
    """

    instants: tuple[datetime, ...]
    #: When each is due; nothing where that is its instant.
    due: tuple[datetime, ...] = ()
    following: datetime

    @property
    def runs(self) -> tuple[tuple[datetime, datetime], ...]:
        """Pair each instant with the moment at which its run is due."""
        return tuple(zip(self.instants, self.due or self.instants, strict=True))
