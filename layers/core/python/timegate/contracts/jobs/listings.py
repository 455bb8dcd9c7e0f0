"""Queries of lists of runs, operations and calendars."""

from pydantic import Field

from timegate.contracts.values.fields import Instant
from timegate.contracts.values.queries import MAX_PAGE, PageQuery
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.dag_runs.run_filter import DagRunFilter
from timegate.domain.operations.operation import OperationKind, OperationStatus
from timegate.domain.operations.operation_filter import OperationFilter
from timegate.domain.runs.run import RunState
from timegate.domain.runs.run_filter import RunFilter
from timegate.domain.values.instant_range import InstantRange


class RangeQuery(PageQuery):
    """A page of what belongs to instants."""

    start: Instant | None = Field(None, alias="from", description="That instant, or later.")
    end: Instant | None = Field(None, alias="to", description="That instant, or earlier.")

    @property
    def within(self) -> InstantRange:
        """Return the use case's argument; may raise ``InvalidInput``."""
        return InstantRange(start=self.start, end=self.end)


class RunsQuery(RangeQuery):
    """Filter of a job's runs, by their nominal instants."""

    state: RunState | None = Field(None, description="Only runs whose last attempt stands so.")

    def to_filter(self) -> RunFilter:
        """Return the use case's argument; may raise ``InvalidInput``."""
        return RunFilter(state=self.state, within=self.within)


class DagRunsQuery(RangeQuery):
    """Filter of a DAG's runs, by the time of their start."""

    status: DagRunStatus | None = Field(None, description="Only DAG runs that stand so.")

    def to_filter(self) -> DagRunFilter:
        """Return the use case's argument; may raise ``InvalidInput``."""
        return DagRunFilter(status=self.status, within=self.within)


class OperationsQuery(PageQuery):
    """Filter of operations."""

    kind: OperationKind | None = Field(None, description="Only operations that do this.")
    status: OperationStatus | None = Field(None, description="Only operations that stand so.")

    def to_filter(self) -> OperationFilter:
        """Return the use case's argument."""
        return OperationFilter(kind=self.kind, status=self.status)


class CalendarsQuery(PageQuery):
    """A list of calendars; a tenant has no more than a page of them."""

    limit: int = Field(
        MAX_PAGE, ge=1, le=MAX_PAGE, description="At most so many; fewer are the last page."
    )
