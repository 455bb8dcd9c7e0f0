"""Queries of lists of runs, operations and calendars."""

from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from timegate.contracts.values.fields import PRINTABLE, Instant, Name
from timegate.contracts.values.queries import MAX_PAGE, JobReference, PageQuery, TagFilter, pairs_of
from timegate.domain.dag_runs.progress import DagRunStatus
from timegate.domain.dag_runs.run_filter import DagRunFilter
from timegate.domain.event_triggers.event_trigger import EVENT_TRIGGER_NAME
from timegate.domain.operations.dead_letter import MAX_CODE
from timegate.domain.operations.operation import OperationKind, OperationStatus
from timegate.domain.operations.operation_filter import OperationFilter
from timegate.domain.runs.run import FAILURES, Reason, RunState
from timegate.domain.runs.run_filter import FailureFilter, RunCriteria, RunFilter
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import DagRunId, JobId
from timegate.domain.values.instant_range import InstantRange


class RunQuery(BaseModel):
    """Choice of the payload that a run is shown with."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    filled: bool = Field(
        default=False,
        description=(
            "Show as payload what the target of the last attempt gets, by the job as it is now:"
            " the run's or its job's, with marks filled."
        ),
    )


def _is_failure(state: RunState) -> RunState:
    if state not in FAILURES:
        message = "A run in this state is no failure."
        raise PydanticCustomError("invalid_choice", message)
    return state


Failure = Annotated[RunState, AfterValidator(_is_failure)]
#: Bound of a filter: a run that waited for a year is late by any measure.
MOST_LATE_SECONDS = 366 * 86_400
_Code = Annotated[str, StringConstraints(min_length=1, max_length=MAX_CODE, pattern=PRINTABLE)]
_DagRunId = Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=PRINTABLE)]

#: Also of a trigger that is gone: its runs are there.
EventTriggerReference = Annotated[str, StringConstraints(pattern=f"^{EVENT_TRIGGER_NAME.pattern}$")]


class RunListing(StrEnum):
    """Listings of a tenant's runs."""

    FAILURES = "failures"
    ALL = "all"


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


class TenantRunsQuery(PageQuery):
    """Filter of a tenant's runs; every criterion that is given must hold."""

    which: RunListing = Field(
        RunListing.FAILURES,
        description=(
            "failures: of every job, runs that were to happen and did not succeed. all: runs in"
            " every state, of jobs whose list_runs is all; with job_id or dag_run_id, of those."
        ),
    )
    state: list[RunState] = Field(
        default_factory=list,
        max_length=len(RunState),
        description="Given several times: one of them. Failures have ended without success.",
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
    event_trigger: EventTriggerReference | None = Field(
        None, description="An event started them by this event trigger."
    )
    late_seconds: int | None = Field(
        None,
        ge=0,
        le=MOST_LATE_SECONDS,
        description="They began later than so long after they were due, or have not begun by then.",
    )
    start: Instant | None = Field(
        None, alias="from", description="Failures: ended then, or later; all: of such an instant."
    )
    end: Instant | None = Field(
        None, alias="to", description="Failures: ended then, or earlier; all: of such an instant."
    )

    def to_filter(self) -> RunCriteria:
        """Return the use case's argument; may raise ``InvalidInput``."""
        kind = FailureFilter if self.which is RunListing.FAILURES else RunCriteria
        others = [each for each in self.state if each not in FAILURES]
        if others and kind is FailureFilter:
            detail = f"A run that is {others[0]} is no failure: say which=all, or ask for its job."
            raise InvalidInput("state", "invalid_choice", detail)
        return kind(
            states=tuple(map(RunState, self.state)),
            reason=self.reason,
            error_code=self.error_code,
            job_id=JobId(self.job_id) if self.job_id is not None else None,
            dag_run_id=DagRunId(self.dag_run_id) if self.dag_run_id is not None else None,
            event_trigger=self.event_trigger,
            name=self.name,
            tags=pairs_of(self.tag),
            late_seconds=self.late_seconds,
            within=InstantRange(start=self.start, end=self.end),
        )


class DagRunsQuery(RangeQuery):
    """Filter of a DAG's runs, by the time of their start."""

    status: DagRunStatus | None = Field(None, description="Only DAG runs that stand so.")
    event_trigger: EventTriggerReference | None = Field(
        None, description="Only DAG runs that an event started by this event trigger."
    )

    def to_filter(self) -> DagRunFilter:
        """Return the use case's argument; may raise ``InvalidInput``."""
        return DagRunFilter(
            status=self.status, event_trigger=self.event_trigger, within=self.within
        )


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
