"""Which runs, operations and calendars to list."""

from pydantic import Field

from api.contracts.fields import Instant
from api.contracts.queries import MAX_PAGE, PageQuery
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
        """As the use case takes it; raises ``InvalidInput``."""
        return InstantRange(start=self.start, end=self.end)


class RunsQuery(RangeQuery):
    """Which runs of a job to list, by their nominal instants."""

    state: RunState | None = Field(None, description="Only runs whose last attempt stands so.")

    def to_filter(self) -> RunFilter:
        """As the use case takes it; raises ``InvalidInput``."""
        return RunFilter(state=self.state, within=self.within)


class DagRunsQuery(RangeQuery):
    """Which runs of a DAG to list, by when they were started."""

    status: DagRunStatus | None = Field(None, description="Only DAG runs that stand so.")

    def to_filter(self) -> DagRunFilter:
        """As the use case takes it; raises ``InvalidInput``."""
        return DagRunFilter(status=self.status, within=self.within)


class OperationsQuery(PageQuery):
    """Which operations to list."""

    kind: OperationKind | None = Field(None, description="Only operations that do this.")
    status: OperationStatus | None = Field(None, description="Only operations that stand so.")

    def to_filter(self) -> OperationFilter:
        """As the use case takes it."""
        return OperationFilter(kind=self.kind, status=self.status)


class CalendarsQuery(PageQuery):
    """Which calendars to list; a tenant has no more than a page of them."""

    limit: int = Field(
        MAX_PAGE, ge=1, le=MAX_PAGE, description="At most so many; fewer are the last page."
    )
