"""Queries of lists of runs, operations and calendars."""

from typing import Annotated

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from timegate.contracts.values.fields import PRINTABLE, Instant, Name
from timegate.contracts.values.queries import MAX_PAGE, JobReference, PageQuery, TagFilter, pairs_of
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.dag_runs.run_filter import DagRunFilter
from timegate.domain.operations.dead_letter import MAX_CODE, FailureFilter
from timegate.domain.operations.operation import OperationKind, OperationStatus
from timegate.domain.operations.operation_filter import OperationFilter
from timegate.domain.runs.run import FAILURES, Reason, RunState
from timegate.domain.runs.run_filter import RunFilter
from timegate.domain.values.identity import DagRunId, JobId
from timegate.domain.values.instant_range import InstantRange


def _is_failure(state: RunState) -> RunState:
    if state not in FAILURES:
        message = "Runs of this state are listed by their jobs: GET /v1/jobs/{job_id}/runs."
        raise PydanticCustomError("invalid_choice", message)
    return state


Failure = Annotated[RunState, AfterValidator(_is_failure)]
_Code = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CODE, pattern=PRINTABLE)]
_DagRunId = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=PRINTABLE)]


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


class FailedRunsQuery(PageQuery):
    """Filter of a tenant's failed runs; every criterion that is given must hold."""

    state: list[Failure] = Field(
        default_factory=list,
        max_length=len(FAILURES),
        description="Given several times: one of them.",
    )
    reason: Reason | None = Field(None, description="Why they ended so.")
    error_code: _Code | None = Field(None, description="Of the last attempt.")
    job_id: JobReference | None = Field(
        None, description="Whose runs they are: an id, or key:<key>."
    )
    name: Name | None = Field(
        None, description="Of their jobs; nightly* means every name that begins so."
    )
    tag: TagFilter = Field(
        default_factory=list,
        max_length=20,
        description="key:value, of the run or its job; given several times, each must be there.",
    )
    dag_run_id: _DagRunId | None = Field(None, description="Whose tasks they are.")
    start: Instant | None = Field(None, alias="from", description="Ended then, or later.")
    end: Instant | None = Field(None, alias="to", description="Ended then, or earlier.")

    def to_filter(self) -> FailureFilter:
        """Return the use case's argument; may raise ``InvalidInput``."""
        return FailureFilter(
            states=tuple(map(RunState, self.state)),
            reason=self.reason,
            error_code=self.error_code,
            job_id=JobId(self.job_id) if self.job_id is not None else None,
            dag_run_id=DagRunId(self.dag_run_id) if self.dag_run_id is not None else None,
            name=self.name,
            tags=pairs_of(self.tag),
            within=InstantRange(start=self.start, end=self.end),
        )


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
