"""Filters of runs in listings."""

from dataclasses import dataclass

from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.instant_range import EVER, InstantRange


@dataclass(frozen=True, kw_only=True, slots=True)
class RunFilter:
    """Common properties of runs of a job; ``None``: anything."""

    state: RunState | None = None
    #: Of their nominal instants.
    within: InstantRange = EVER

    def matches(self, last: Attempt) -> bool:
        """Tell if the run with this last attempt is one of them; its instant is the store's."""
        return self.state in {None, last.state}
