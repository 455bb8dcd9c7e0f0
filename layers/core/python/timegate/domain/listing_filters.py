"""Which rows of a listing are meant."""

from dataclasses import dataclass
from datetime import datetime

from timegate.domain.dag.progress import DagRun, DagRunStatus
from timegate.domain.errors import InvalidInput
from timegate.domain.operation import Operation, OperationKind, OperationStatus
from timegate.domain.run import Attempt, RunState


@dataclass(frozen=True, kw_only=True, slots=True)
class InstantRange:
    """From one instant to another, both included; ``None``: as far as there is any."""

    start: datetime | None = None
    end: datetime | None = None

    def __post_init__(self) -> None:
        """Raise ``InvalidInput`` for a range that ends before it starts."""
        if self.start is not None and self.end is not None and self.end < self.start:
            raise InvalidInput("to", "range_reversed", "It is earlier than from.")

    def covers(self, instant: datetime) -> bool:
        """Whether it is within."""
        return (self.start is None or self.start <= instant) and (
            self.end is None or instant <= self.end
        )


#: Everything.
EVER = InstantRange()


@dataclass(frozen=True, kw_only=True, slots=True)
class RunFilter:
    """What runs of a job have in common; ``None``: anything."""

    state: RunState | None = None
    #: Of their nominal instants.
    within: InstantRange = EVER

    def matches(self, last: Attempt) -> bool:
        """Whether the run with this last attempt is one of them; its instant is the store's."""
        return self.state in {None, last.state}


@dataclass(frozen=True, kw_only=True, slots=True)
class OperationFilter:
    """What operations have in common; ``None``: anything."""

    kind: OperationKind | None = None
    status: OperationStatus | None = None

    def matches(self, operation: Operation) -> bool:
        """Whether the operation is one of them."""
        return self.kind in {None, operation.kind} and self.status in {None, operation.status}


@dataclass(frozen=True, kw_only=True, slots=True)
class DagRunFilter:
    """What runs of a DAG have in common; ``None``: anything."""

    status: DagRunStatus | None = None
    #: Of the instants at which they were created.
    within: InstantRange = EVER

    def matches(self, run: DagRun) -> bool:
        """Whether the run is one of them; its instant is the store's."""
        return self.status in {None, run.status}
