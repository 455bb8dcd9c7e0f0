"""Plans whose runs are stored apart from their jobs' moves; planners alone store some so."""

from collections.abc import Sequence
from typing import Protocol

from timegate.domain.jobs.job import Timing
from timegate.domain.runs.run import Attempt
from timegate.ports.stores import Advance


class AnnouncedPlans(Protocol):
    """Three steps, each of conditional writes that are no transaction."""

    def announce_all(self, jobs: Sequence[tuple[Timing, Timing]]) -> list[bool]:
        """Store what jobs announce, as read and after; ``False``: the job has changed since."""

    def store_runs(self, attempts: Sequence[Attempt]) -> list[bool]:
        """Store runs, each unless it exists; ``False`` marks those."""

    def move_all(self, advances: Sequence[Advance]) -> list[bool]:
        """Move jobs past what they announced; ``False``: another process did."""
