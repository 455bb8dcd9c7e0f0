"""What answers look like. ``api.views`` builds them; the tests hold every answer against these."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from api.contracts.fields import Instant
from api.contracts.jobs import job_fields
from timegate.domain.jobs.job import JobStatus
from timegate.domain.previews.advice import AdviceCode
from timegate.domain.runs.finishing import FinishOutlook
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Reason, RunState

JOB_ID = "^[a-z2-7]{26}$"
RUN_ID = (
    r"^[a-z2-7]{26}\.([st][0-9]{8}T[0-9]{9}Z"
    r"|f[0-9]{8}T[0-9]{9}Z-[a-z2-7]{16}"
    r"|d[0-9]{8}T[0-9]{9}Z-[1-9][0-9]{0,2}-[a-z][a-z0-9_-]{0,39}-[0-9]{1,4}"
    r"|n[0-9]{8}T[0-9]{9}Z-([st]|f[a-z2-7]{16})[0-9]{1,9}-[a-z_]{1,16}-[a-z2-7]{8})$"
)

_JobId = Annotated[str, Field(pattern=JOB_ID)]
_RunId = Annotated[str, Field(pattern=RUN_ID)]
_Milliseconds = Annotated[int, Field(ge=0)]


class Answer(BaseModel):
    """Every field is always there."""

    model_config = ConfigDict(extra="forbid")


class _DefinedJob(Answer):
    """Everything that a job's owner says of it; nothing is left unsaid."""


#: Fields that are shown in another type than they are taken in; the first two head an answer.
_HEADING: dict[str, Any] = {"name": str, "description": str}
_SHOWN: dict[str, Any] = {
    "payload": Annotated[Any, Field(description="Null for a job without one.")],
    "timeout_seconds": int,
    "tags": dict[str, str],
    "metadata": dict[str, str],
}

if TYPE_CHECKING:
    DefinedJob = _DefinedJob
else:
    #: Derived, so that each field is listed once.
    DefinedJob = create_model(
        "DefinedJob",
        __base__=_DefinedJob,
        __doc__=_DefinedJob.__doc__,
        __module__=__name__,
        **_HEADING | job_fields() | _HEADING | _SHOWN,
    )


class AdviceAnswer(Answer):
    """Something that nothing forbids, and that its owner may want to change."""

    field: str = Field(description="The field to look at.")
    code: AdviceCode = Field(description="Stable: programs may depend on it.")
    detail: str = Field(description="For people; it may change.")


class Job(DefinedJob):
    """A job as it stands."""

    job_id: _JobId
    version: int = Field(ge=1, description="Grows with every change; also the ETag.")
    status: JobStatus
    created_at: Instant
    updated_at: Instant
    next_run_at: Instant | None = Field(
        description="The first instant whose run is not stored yet; runs before it are listed."
    )
    payload: Any = Field(
        description=(
            "Null for a job without one. Beyond 1 KB it is shown by GET /v1/jobs/{job_id} alone, "
            "and is null elsewhere."
        )
    )
    payload_size_bytes: int = Field(ge=0, description="0 for a job without a payload.")
    advice: list[AdviceAnswer] | None = Field(
        description="Why runs may miss their deadlines; null where many jobs are answered."
    )


class DamagedJobs(Answer):
    """Jobs whose records cannot be read until an operator has repaired them."""

    count: int = Field(ge=0)
    job_ids: list[_JobId]


class JobPage(Answer):
    """Jobs, newest first."""

    items: list[Job]
    damaged: DamagedJobs = Field(description="Those of the page, whether or not they match.")
    next_cursor: str | None = Field(
        description="Null on the last page. A page may be short, or empty, and not the last."
    )


class RunFailure(Answer):
    """What went wrong in an attempt."""

    code: str = Field(description="Stable: programs may depend on it.")
    type: str
    message: str


class Reported(Answer):
    """How far a worker, or its target, says an attempt is."""

    percent: float | None = Field(ge=0, le=100)
    message: str | None
    at: Instant


class CheckpointMark(Answer):
    """Where a run goes on if it is interrupted; what is in it, its worker knows."""

    sequence: int = Field(ge=1, description="Counts the run's checkpoints.")
    size_bytes: int = Field(ge=0)
    fence: int = Field(ge=0, description="Of the lease under which it was written.")
    at: Instant


class SlicesEnded(Answer):
    """The slices of a long run, those of earlier attempts included."""

    ended: int = Field(ge=1, description="So many ended with the order to go on.")
    begun_at: Instant = Field(description="max_duration_seconds counts from here.")
    last_started_at: Instant
    last_ended_at: Instant


class RateLimited(Answer):
    """How long a rate limit held an attempt up, the last time."""

    key: str = Field(description="What its calls are counted with.")
    since: Instant = Field(description="When it was to begin.")
    until: Instant = Field(description="Its turn.")


class RunDeadline(Answer):
    """By when a run is to have ended, and how it stands to that."""

    at: Instant
    outlook: FinishOutlook
    usual_duration_ms: _Milliseconds | None = Field(
        description="95 of 100 recent runs took no longer; null: too few succeeded."
    )
    expected_at: Instant | None = Field(description="Its end, as it was forecast last.")
    margin_ms: int | None = Field(
        description="at minus the end, or the expected end; negative: it is late."
    )


class Progress(Answer):
    """How far an attempt came."""

    attempt: int = Field(ge=1, description="Attempts at a run count from 1.")
    state: RunState
    due_at: Instant = Field(
        description="The nominal instant, the end of a retry's back-off, or its rate limit's turn."
    )
    rate_limited: RateLimited | None = Field(description="Null: no rate limit held it up.")
    started_at: Instant | None
    ended_at: Instant | None
    lateness_ms: int | None = Field(description="started_at minus due_at.")
    duration_ms: _Milliseconds | None = Field(description="ended_at minus started_at.")
    error: RunFailure | None
    reason: Reason | None = Field(description="Why it ended so, where the state does not say.")
    explanation: str = Field(description="For people; it may change.")
    cancel_requested: bool = Field(description="Its worker stops at the next heartbeat.")
    replaced_by: _RunId | None = Field(
        description="The run that asked it to stop, to take its slot; null: no run did."
    )
    dag_run_id: str | None = Field(description="It is left to this one, and ends as that does.")
    finish_by: RunDeadline | None = Field(
        description="Null until a worker or the sweeper has looked at a run with a deadline."
    )
    progress: Reported | None = Field(description="What was said last; null: nothing was.")
    checkpoint: CheckpointMark | None
    slices: SlicesEnded | None = Field(description="Null until a slice has ended.")


class Resolution(Answer):
    """Who settled a dead letter, and how."""

    settled: Settled
    by: str
    at: Instant
    note: str | None
    operation_id: str | None = Field(description="The operation that did it; null: none did.")
    job_version: int | None = Field(
        description="Of a redrive: the version of the job under which its run goes on."
    )
    payload_corrected: bool = Field(description="The run was given another payload.")
    fresh: bool = Field(description="It began anew, whatever its last checkpoint.")


class Attempt(Progress):
    """One try at a run."""

    worker: str | None = Field(description="Who holds, or last held, the lease.")
    fence: int = Field(ge=0, description="Grows with every lease; targets receive it.")
    handed_over_at: Instant | None = Field(description="From then on its target held it itself.")
    result: str | None = Field(description="What the target answered, cut to an excerpt.")
    releases: int = Field(ge=0, description="How often a worker that had to stop handed it back.")
    duplicates_prevented: int = Field(
        ge=0, description="Of exactly_once: executions that were duplicates and did not happen."
    )
    payload_corrected: bool = Field(description="It has a payload of its own, not the job's.")
    resolution: Resolution | None = Field(
        description="Of a dead letter: what was done about it; null: it was not settled."
    )


class TriggeredBy(Answer):
    """The run whose end triggered another one."""

    run_id: _RunId
    job_id: _JobId
    attempt: int = Field(ge=1, description="The attempt that ended.")
    state: RunState = Field(description="How it ended.")
    depth: int = Field(ge=1, description="How many runs triggered one another until this one.")


class Triggered(Answer):
    """A run that was triggered."""

    run_id: _RunId
    job_id: _JobId
    by_attempt: int = Field(ge=1, description="Whose end it followed.")
    state: RunState
    reason: Reason | None


class RunRow(Progress):
    """A run, with the progress of its last attempt."""

    run_id: _RunId
    job_id: _JobId
    scheduled_at: Instant = Field(description="The nominal instant; part of the run's identity.")
    origin: Literal["schedule", "trigger", "notification", "follow_up", "task"]
    operation_id: str | None = Field(
        description="The backfill that made it, or opened it again; null: none did."
    )
    triggered_by: TriggeredBy | None = Field(description="Of a follow-up: whose end began it.")


class Run(RunRow):
    """A run with every attempt at it."""

    duplicates_prevented: int = Field(ge=0, description="In all attempts together.")
    attempts: list[Attempt] = Field(min_length=1, description="First to last.")
    triggered: list[Triggered] = Field(description="What its ends triggered so far.")


class DamagedRuns(Answer):
    """Runs whose records cannot be read until an operator has repaired them."""

    count: int = Field(ge=0)
    run_ids: list[_RunId]


class RunPage(Answer):
    """Runs of a job, latest instant first."""

    items: list[RunRow]
    damaged: DamagedRuns = Field(description="Those of the page.")
    next_cursor: str | None = Field(description="Null on the last page.")
