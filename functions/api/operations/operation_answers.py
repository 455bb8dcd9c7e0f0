"""Answers about operations and many jobs at once."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypeAliasType, TypedDict

from api.http.field_problems import FieldProblem
from api.jobs.job_answers import Job
from api.values.damaged_answers import NamedPage
from api.values.ids import JOB_ID, RUN_ID
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import JobStatus
from timegate.domain.operations.backfill import InstantFate
from timegate.domain.operations.operation import OperationKind, OperationStatus, Reprocess, WaitsFor
from timegate.domain.recurrence.schedule import ScheduleKind
from timegate.domain.runs.run import Reason, RunState

OPERATION_ID = "^[a-z2-7]{26}$"


_Count = Annotated[int, Field(ge=0)]


class Selection(TypedDict):
    """The jobs of a bulk change; nothing but nulls: every job."""

    tags: dict[str, str]
    status: JobStatus | None
    kind: ScheduleKind | None
    priority: Priority | None
    name: Annotated[str | None, Field(description="nightly*: every name that begins so.")]


class BulkParameters(TypedDict):
    """Parameters of a bulk change."""

    filter: Selection
    catch_up: bool
    reason: Annotated[str | None, Field(description="Of pause: why, for people.")]


class BackfillParameters(TypedDict):
    """Parameters of a backfill."""

    job_id: Annotated[str, Field(pattern=JOB_ID)]
    start: Annotated[WrittenInstant, Field(alias="from")]
    end: Annotated[WrittenInstant, Field(alias="to")]
    reprocess: Reprocess
    max_concurrent: int


class LetterFilter(TypedDict):
    """The dead letters of an operation; nothing but nulls: every one."""

    job_id: str | None
    reason: Reason | None
    error_code: str | None
    start: Annotated[WrittenInstant | None, Field(alias="from")]
    end: Annotated[WrittenInstant | None, Field(alias="to")]
    run_ids: list[str]


class LetterParameters(TypedDict):
    """Parameters of an operation on dead letters."""

    filter: LetterFilter
    payload_corrected: bool
    fresh: bool
    note: str | None


class FailureFilter(TypedDict):
    """The failed runs of an operation; nothing but nulls: every one."""

    state: list[RunState]
    reason: Reason | None
    error_code: str | None
    job_id: str | None
    name: str | None
    tags: dict[str, str]
    late_seconds: int | None
    start: Annotated[WrittenInstant | None, Field(alias="from")]
    end: Annotated[WrittenInstant | None, Field(alias="to")]


class FailureParameters(TypedDict):
    """Parameters of an operation on failed runs."""

    filter: FailureFilter
    fresh: bool
    note: str | None


class PendingFilter(TypedDict):
    """The pending runs of an operation; nothing but nulls: those of every job."""

    job_id: str | None
    name: str | None
    tags: dict[str, str]
    start: Annotated[WrittenInstant | None, Field(alias="from")]
    end: Annotated[WrittenInstant | None, Field(alias="to")]


class PendingParameters(TypedDict):
    """Parameters of an operation on pending runs."""

    filter: PendingFilter


class ReschedulingParameters(TypedDict):
    """Parameters of an operation that lets pending runs be due at another instant."""

    filter: PendingFilter
    at: WrittenInstant
    spread_seconds: int


class Counts(TypedDict):
    """Jobs of a bulk change, instants of a backfill, or dead letters."""

    matched: Annotated[_Count, Field(description="Found so far; of a backfill, all there are.")]
    done: Annotated[_Count, Field(description="Changed, run with success, or settled.")]
    unchanged: Annotated[_Count, Field(description="There was nothing to do.")]
    failed: _Count
    in_progress: Annotated[
        _Count,
        Field(description="Runs of a backfill that have not ended, or dead letters that are next."),
    ]


class OperationError(TypedDict):
    """An error: its code, and its message."""

    item: Annotated[str, Field(description="The job's id, the run's id, or the instant.")]
    code: Annotated[str, Field(description="Stable: programs may depend on it.")]
    detail: str


class Operation(TypedDict):
    """Long work, and how far it came."""

    operation_id: Annotated[str, Field(pattern=OPERATION_ID)]
    kind: OperationKind
    status: Annotated[
        OperationStatus,
        Field(
            description="failed: it has ended, and something was not done: see failed and failure."
        ),
    ]
    parameters: (
        BulkParameters
        | BackfillParameters
        | LetterParameters
        | FailureParameters
        | PendingParameters
        | ReschedulingParameters
    )
    counts: Counts
    errors: Annotated[
        list[OperationError], Field(description="The first 20; all of them are counted.")
    ]
    failure: Annotated[OperationError | None, Field(description="Why it gave up as a whole.")]
    waits_for: Annotated[
        WaitsFor | None,
        Field(
            description="runs: for the end of runs it began. job: its job is paused. tenant: its "
            "tenant is suspended."
        ),
    ]
    stalled: Annotated[
        bool, Field(description="It made no step for five minutes, and waits for nothing.")
    ]
    cancel_requested: bool
    created_by: str
    created_at: WrittenInstant
    updated_at: Annotated[WrittenInstant, Field(description="When it made its last step.")]
    ended_at: WrittenInstant | None


class OperationPage(NamedPage):
    """Operations, newest first."""

    items: list[Operation]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class PlannedInstant(TypedDict):
    """An instant, and its fate in a backfill."""

    instant: WrittenInstant
    fate: InstantFate


class BackfillPreview(TypedDict):
    """The effect that a backfill would have now."""

    dry_run: bool
    instants: _Count
    new: Annotated[_Count, Field(description="Have no run, and would get one.")]
    reopened: Annotated[
        _Count, Field(description="Have a run that has ended and would be tried again.")
    ]
    unchanged: _Count
    first: Annotated[list[PlannedInstant], Field(description="The first that would run.")]


class ItemProblem(TypedDict):
    """The refusal of one job of many."""

    code: Annotated[str, Field(description="As of a request for it alone.")]
    detail: str
    errors: Annotated[
        list[FieldProblem], Field(description="Fields begin with jobs and the index.")
    ]


class BulkItem(TypedDict):
    """The outcome for one job of many: the job, or its refusal."""

    index: _Count
    status: Annotated[int, Field(description="As a request for it alone would be answered.")]
    job: Job | None
    error: ItemProblem | None


class TriggerProblem(TypedDict):
    """The refusal of one trigger of many."""

    code: Annotated[str, Field(description="As of a request for it alone.")]
    detail: str
    errors: Annotated[
        list[FieldProblem], Field(description="Fields begin with triggers and the index.")
    ]


class TriggerItem(TypedDict):
    """The outcome of one trigger of many: the run, or its refusal."""

    index: _Count
    status: Annotated[int, Field(description="As a request for it alone would be answered.")]
    run_id: Annotated[str, Field(pattern=RUN_ID)] | None
    collapsed_into: Annotated[
        Annotated[str, Field(pattern=RUN_ID)] | None,
        Field(description="The run that stands for it; null: its own does."),
    ]
    error: TriggerProblem | None


class TriggeredMany(TypedDict):
    """The outcome of each trigger, in the order of the request."""

    items: list[TriggerItem]
    triggered: _Count
    replayed: Annotated[
        _Count, Field(description="An earlier request with the same key had triggered them.")
    ]
    failed: _Count


class BulkCreation(TypedDict):
    """The outcome for each job, in the order of the request."""

    items: list[BulkItem]
    created: _Count
    replayed: Annotated[
        _Count, Field(description="An earlier request with the same key had created them.")
    ]
    failed: _Count


BackfillAnswer = TypeAliasType(
    "BackfillAnswer",
    Annotated[
        Operation | BackfillPreview,
        Field(
            title="BackfillAnswer",
            description="A dry run's answer, or the operation of a replay.",
        ),
    ],
)
