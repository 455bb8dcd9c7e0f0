"""What answers about long work look like."""

from typing import Annotated

from pydantic import Field, RootModel

from api.contracts.fields import Instant
from api.openapi.answers import JOB_ID, Answer, Job
from api.openapi.problem_answers import FieldProblem
from timegate.domain.jobs.definition import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.operations.backfill import Fate
from timegate.domain.operations.operation import OperationKind, OperationStatus, Reprocess, WaitsFor
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.runs.run import Reason

OPERATION_ID = "^[a-z2-7]{26}$"
_Count = Annotated[int, Field(ge=0)]


class Selection(Answer):
    """Which jobs a bulk change means; nothing but nulls: every job."""

    tags: dict[str, str]
    status: JobStatus | None
    kind: ScheduleKind | None
    priority: Priority | None


class BulkParameters(Answer):
    """What a bulk change was asked to do."""

    filter: Selection
    catch_up: bool


class BackfillParameters(Answer):
    """What a backfill was asked to do."""

    job_id: Annotated[str, Field(pattern=JOB_ID)]
    start: Instant = Field(alias="from")
    end: Instant = Field(alias="to")
    reprocess: Reprocess
    max_concurrent: int


class LetterFilter(Answer):
    """Which dead letters an operation means; nothing but nulls: every one."""

    job_id: str | None
    reason: Reason | None
    error_code: str | None
    start: Instant | None = Field(alias="from")
    end: Instant | None = Field(alias="to")
    run_ids: list[str]


class LetterParameters(Answer):
    """What an operation on dead letters was asked to do."""

    filter: LetterFilter
    payload_corrected: bool
    fresh: bool
    note: str | None


class Counts(Answer):
    """Jobs of a bulk change, instants of a backfill, or dead letters."""

    matched: _Count = Field(description="Found so far; of a backfill, all there are.")
    done: _Count = Field(description="Changed, run with success, or settled.")
    unchanged: _Count = Field(description="There was nothing to do.")
    failed: _Count
    in_progress: _Count = Field(
        description="Runs of a backfill that have not ended, or dead letters that are next."
    )


class OperationError(Answer):
    """What went wrong."""

    item: str = Field(description="The job's id, the run's id, or the instant.")
    code: str = Field(description="Stable: programs may depend on it.")
    detail: str


class Operation(Answer):
    """Long work, and how far it came."""

    operation_id: Annotated[str, Field(pattern=OPERATION_ID)]
    kind: OperationKind
    status: OperationStatus = Field(
        description="failed: it has ended, and something was not done: see failed and failure."
    )
    parameters: BulkParameters | BackfillParameters | LetterParameters
    counts: Counts
    errors: list[OperationError] = Field(description="The first 20; all of them are counted.")
    failure: OperationError | None = Field(description="Why it gave up as a whole.")
    waits_for: WaitsFor | None = Field(
        description="runs: for the end of runs it began. job: its job is paused."
    )
    stalled: bool = Field(description="It made no step for five minutes, and waits for nothing.")
    cancel_requested: bool
    created_by: str
    created_at: Instant
    updated_at: Instant = Field(description="When it made its last step.")
    ended_at: Instant | None


class OperationPage(Answer):
    """Operations, newest first."""

    items: list[Operation]
    next_cursor: str | None = Field(description="Null on the last page.")


class PlannedInstant(Answer):
    """What a backfill would make of an instant."""

    instant: Instant
    fate: Fate


class BackfillPreview(Answer):
    """What a backfill would do, as things are now."""

    dry_run: bool
    instants: _Count
    new: _Count = Field(description="Have no run, and would get one.")
    reopened: _Count = Field(description="Have a run that has ended and would be tried again.")
    unchanged: _Count
    first: list[PlannedInstant] = Field(description="The first that would run.")


class ItemProblem(Answer):
    """Why one job of many was not created."""

    code: str = Field(description="As of a request for it alone.")
    detail: str
    errors: list[FieldProblem] = Field(description="Fields begin with jobs and the index.")


class BulkItem(Answer):
    """What became of one job of many: it, or why there is none."""

    index: _Count
    status: int = Field(description="As a request for it alone would be answered.")
    job: Job | None
    error: ItemProblem | None


class BulkCreation(Answer):
    """What became of each job, in the order of the request."""

    items: list[BulkItem]
    created: _Count
    replayed: _Count = Field(description="An earlier request with the same key had created them.")
    failed: _Count


class BackfillAnswer(RootModel[Operation | BackfillPreview]):
    """A dry run's answer, or the operation of a replay."""
