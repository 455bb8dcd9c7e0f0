"""Long work, as it is asked for: bulk changes, backfills, and many jobs at once."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from timegate.contracts.jobs.catch_up import PauseReason
from timegate.contracts.jobs.job import NewJob
from timegate.contracts.jobs.triggers import Reschedule
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract, Instant, Labels, Name
from timegate.contracts.values.queries import JobReference
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.job_filter import JobFilter
from timegate.domain.operations.backfill import MAX_CONCURRENT
from timegate.domain.operations.operation import (
    Backfill,
    BulkChange,
    Cancellation,
    OperationKind,
    PendingRuns,
    Reprocess,
    Rescheduling,
)
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId
from timegate.domain.values.instant_range import InstantRange

#: A day: longer spans are for schedules.
MAX_SPREAD_SECONDS = 86_400
_Spread = Annotated[int, Field(ge=0, le=MAX_SPREAD_SECONDS), Duration()]
#: Jobs of one request.
MAX_JOBS = 100
_IdempotencyKey = Annotated[str, StringConstraints(pattern=r"^[\x21-\x7e]{1,255}$")]


class JobSelection(Contract):
    """Filter of jobs; every criterion that is given must hold."""

    tags: Labels = Field(default_factory=dict, description="A job must have each.")
    status: JobStatus | None = None
    kind: ScheduleKind | None = None
    priority: Priority | None = None
    name: Name | None = Field(None, description="nightly* means every name that begins so.")
    all: bool = Field(default=False, description="Every job of the tenant; without criteria.")

    def to_domain(self) -> JobFilter:
        """Return the use case's filter; raise ``InvalidInput`` where no criterion is named."""
        wanted = JobFilter(
            status=self.status,
            kind=self.kind,
            priority=self.priority,
            name=self.name,
            tags=tuple(sorted(self.tags.items())),
        )
        is_empty = wanted == JobFilter()
        if is_empty and not self.all:
            detail = "It names no criterion; say all: true to mean every job."
            raise InvalidInput("filter", "empty_filter", detail)
        if self.all and not is_empty:
            detail = "It goes without other criteria."
            raise InvalidInput("filter.all", "contradicts_filter", detail)
        return wanted


class PendingSelection(Contract):
    """Filter of runs that have not begun; every criterion that is given must hold."""

    job_id: JobReference | None = Field(None, description="An id, or key:<key>.")
    name: Name | None = Field(
        None, description="Of their jobs; nightly* means every name that begins so."
    )
    tags: Labels = Field(default_factory=dict, description="Their jobs must have each.")
    start: Instant | None = Field(
        None,
        alias="from",
        description="Of that instant, or later; without it, of the seven days before.",
    )
    end: Instant | None = Field(None, alias="to", description="Of that instant, or earlier.")
    all: bool = Field(default=False, description="Of every job; without criteria of jobs.")

    def to_domain(self) -> PendingRuns:
        """Return the runs that are meant; raise ``InvalidInput`` where no job is named."""
        jobs = JobFilter(name=self.name, tags=tuple(sorted(self.tags.items())))
        criteria = int(jobs != JobFilter()) + int(self.job_id is not None) + int(self.all)
        if criteria == 0:
            detail = "It names no job; say all: true to mean the runs of every job."
            raise InvalidInput("filter", "empty_filter", detail)
        if criteria > 1:
            field = "filter.all" if self.all else "filter.job_id"
            raise InvalidInput(field, "contradicts_filter", "It goes without name and tags.")
        return PendingRuns(
            jobs=jobs,
            job_id=JobId(self.job_id) if self.job_id is not None else None,
            within=InstantRange(start=self.start, end=self.end),
        )


class CancelRuns(Contract):
    """Runs that have not begun, to cancel."""

    filter: PendingSelection

    def to_domain(self) -> Cancellation:
        """Return the use case's task; may raise ``InvalidInput``."""
        meant = self.filter.to_domain()
        return Cancellation(jobs=meant.jobs, job_id=meant.job_id, within=meant.within)


class RescheduleRuns(Reschedule):
    """Runs that have not begun, to be due at another instant."""

    filter: PendingSelection
    spread_seconds: _Spread = Field(
        default=0,
        description="Each is due at an instant of its own, within so many seconds from then on.",
    )

    def to_domain(self, now: datetime) -> Rescheduling:
        """Return the use case's task; may raise ``InvalidInput``."""
        meant = self.filter.to_domain()
        return Rescheduling(
            jobs=meant.jobs,
            job_id=meant.job_id,
            within=meant.within,
            at=self.due_at(now),
            spread_seconds=self.spread_seconds,
        )


class NewOperation(Contract):
    """A change of many jobs."""

    kind: Literal[OperationKind.PAUSE, OperationKind.RESUME, OperationKind.CANCEL]
    filter: JobSelection
    catch_up: bool = Field(
        default=False,
        description="Of resume: settle what passed as each job's catch-up policy says.",
    )
    reason: PauseReason | None = Field(
        default=None,
        description="Of pause, for people: shown with each job until it goes on.",
    )

    def to_domain(self) -> BulkChange:
        """Return the use case's argument; may raise ``InvalidInput``."""
        if self.catch_up and self.kind is not OperationKind.RESUME:
            detail = f"There is nothing to catch up on when jobs {self.kind}."
            raise InvalidInput("catch_up", "not_for_this_kind", detail)
        if self.reason is not None and self.kind is not OperationKind.PAUSE:
            detail = "Only a pause has a reason."
            raise InvalidInput("reason", "not_for_this_kind", detail)
        jobs = self.filter.to_domain()
        return BulkChange(jobs=jobs, catch_up=self.catch_up, reason=self.reason)


class BackfillRequest(Contract):
    """Runs for the instants of a range of the past."""

    start: Instant = Field(alias="from", description="The first instant of the range.")
    end: Instant = Field(alias="to", description="The last; not in the future.")
    reprocess: Reprocess = Field(
        Reprocess.NONE, description="Which instants that have run already run again."
    )
    max_concurrent: int = Field(
        1, ge=1, le=MAX_CONCURRENT, description="No more of its runs are unfinished at once."
    )
    dry_run: bool = Field(default=False, description="Say what would be done, and do nothing.")

    def to_domain(self, job_id: JobId) -> Backfill:
        """Return the use case's argument; the use case reads the schedule."""
        return Backfill(
            job_id=job_id,
            start=self.start,
            end=self.end,
            reprocess=self.reprocess,
            max_concurrent=self.max_concurrent,
            anchored_at=self.start,
        )


class KeyedJob(NewJob):
    """A job to create, and the key under which it is recognised."""

    idempotency_key: _IdempotencyKey | None = Field(
        None, description="As the header of a request for this job alone would be."
    )


class NewJobs(Contract):
    """Jobs to create, each by itself: one that is refused stops no other."""

    jobs: list[KeyedJob | Any] = Field(min_length=1, max_length=MAX_JOBS)


class JobList(Contract):
    """The same before any of them is looked at."""

    jobs: list[Any] = Field(min_length=1, max_length=MAX_JOBS)
