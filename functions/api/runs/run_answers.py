"""Answers about runs, their attempts, and records that runs leave behind."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.runs.cause_answers import MatchedEvent, Triggered, TriggeredBy
from api.runs.collapse_answers import CollapsedTriggers
from api.values.ids import JOB_ID, RUN_ID, TraceId
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.jobs.demands import Priority
from timegate.domain.runs.finishing import FinishOutlook
from timegate.domain.runs.resolution import Settled
from timegate.domain.runs.run import Reason, RunState

_JobId = Annotated[str, Field(pattern=JOB_ID)]
_RunId = Annotated[str, Field(pattern=RUN_ID)]


_Milliseconds = Annotated[int, Field(ge=0)]


class RunFailure(TypedDict):
    """The error of an attempt."""

    code: Annotated[str, Field(description="Stable: programs may depend on it.")]
    type: str
    message: str


class Reported(TypedDict):
    """Progress of an attempt, as its worker or target reports it."""

    percent: Annotated[float | None, Field(ge=0, le=100)]
    message: str | None
    at: WrittenInstant


class CheckpointMark(TypedDict):
    """The place where an interrupted run goes on; its worker knows the content."""

    sequence: Annotated[int, Field(ge=1, description="Counts the run's checkpoints.")]
    size_bytes: Annotated[int, Field(ge=0)]
    fence: Annotated[int, Field(ge=0, description="Of the lease under which it was written.")]
    at: WrittenInstant


class SlicesEnded(TypedDict):
    """The slices of a long run, those of earlier attempts included."""

    ended: Annotated[int, Field(ge=1, description="So many ended with the order to go on.")]
    begun_at: Annotated[WrittenInstant, Field(description="max_duration_seconds counts from here.")]
    last_started_at: WrittenInstant
    last_ended_at: WrittenInstant


class RateLimited(TypedDict):
    """The last delay of an attempt by a rate limit."""

    key: Annotated[str, Field(description="What its calls are counted with.")]
    since: Annotated[WrittenInstant, Field(description="When it was to begin.")]
    until: Annotated[WrittenInstant, Field(description="Its turn.")]


class RunDeadline(TypedDict):
    """By when a run is to have ended, and how it stands to that."""

    at: WrittenInstant
    outlook: FinishOutlook
    usual_duration_ms: Annotated[
        _Milliseconds | None,
        Field(description="95 of 100 recent runs took no longer; null: too few succeeded."),
    ]
    expected_at: Annotated[
        WrittenInstant | None, Field(description="Its end, as it was forecast last.")
    ]
    margin_ms: Annotated[
        int | None,
        Field(description="at minus the end, or the expected end; negative: it is late."),
    ]


class AttemptProgress(TypedDict):
    """The state of an attempt."""

    attempt: Annotated[int, Field(ge=1, description="Attempts at a run count from 1.")]
    state: RunState
    due_at: Annotated[
        WrittenInstant,
        Field(
            description="The nominal instant, the end of a retry's back-off, its rate limit's "
            "turn, or the instant to which a caller moved it."
        ),
    ]
    rescheduled_from: Annotated[
        WrittenInstant | None,
        Field(description="When it was due before a caller moved it; null: it was not moved."),
    ]
    rate_limited: Annotated[
        RateLimited | None, Field(description="Null: no rate limit held it up.")
    ]
    started_at: WrittenInstant | None
    ended_at: WrittenInstant | None
    lateness_ms: Annotated[int | None, Field(description="started_at minus due_at.")]
    duration_ms: Annotated[_Milliseconds | None, Field(description="ended_at minus started_at.")]
    error: RunFailure | None
    reason: Annotated[
        Reason | None, Field(description="Why it ended so, where the state does not say.")
    ]
    explanation: Annotated[str, Field(description="For people; it may change.")]
    cancel_requested: Annotated[bool, Field(description="Its worker stops at the next heartbeat.")]
    replaced_by: Annotated[
        _RunId | None,
        Field(description="The run that asked it to stop, to take its slot; null: no run did."),
    ]
    dag_run_id: Annotated[
        str | None, Field(description="It is left to this one, and ends as that does.")
    ]
    finish_by: Annotated[
        RunDeadline | None,
        Field(
            description="Null until a worker or the sweeper has looked at a run with a deadline."
        ),
    ]
    progress: Annotated[
        Reported | None, Field(description="What was said last; null: nothing was.")
    ]
    checkpoint: CheckpointMark | None
    slices: Annotated[SlicesEnded | None, Field(description="Null until a slice has ended.")]
    trace_id: TraceId


class Resolution(TypedDict):
    """The settlement of a dead letter."""

    settled: Settled
    by: str
    at: WrittenInstant
    note: str | None
    operation_id: Annotated[
        str | None, Field(description="The operation that did it; null: none did.")
    ]
    job_version: Annotated[
        int | None,
        Field(description="Of a redrive: the version of the job under which its run goes on."),
    ]
    payload_corrected: Annotated[bool, Field(description="The run was given another payload.")]
    fresh: Annotated[bool, Field(description="It began anew, whatever its last checkpoint.")]


class Timeline(TypedDict):
    """Instants of an attempt, in the order in which they pass; null until then."""

    planned_at: Annotated[WrittenInstant, Field(description="Its record was written.")]
    published_at: Annotated[
        WrittenInstant | None,
        Field(description="Its queue took its message; null in a pool, which has none."),
    ]
    received_at: Annotated[
        WrittenInstant | None,
        Field(description="An executor received it, the last time; null in a pool."),
    ]
    claimed_at: Annotated[WrittenInstant | None, Field(description="Its last lease was taken.")]
    started_at: Annotated[WrittenInstant | None, Field(description="Its target was called.")]
    ended_at: WrittenInstant | None


class Attempt(AttemptProgress):
    """One try at a run."""

    timeline: Timeline
    worker: Annotated[str | None, Field(description="Who holds, or last held, the lease.")]
    fence: Annotated[int, Field(ge=0, description="Grows with every lease; targets receive it.")]
    handed_over_at: Annotated[
        WrittenInstant | None, Field(description="From then on its target held it itself.")
    ]
    result: Annotated[str | None, Field(description="What the target answered, cut to an excerpt.")]
    releases: Annotated[
        int, Field(ge=0, description="How often a worker that had to stop handed it back.")
    ]
    duplicates_prevented: Annotated[
        int,
        Field(
            ge=0, description="Of exactly_once: executions that were duplicates and did not happen."
        ),
    ]
    payload_corrected: Annotated[
        bool, Field(description="It has a payload of its own, not the job's.")
    ]
    resolution: Annotated[
        Resolution | None,
        Field(description="What was done about its failure; null: it was not settled."),
    ]


class RunRow(AttemptProgress):
    """A run, with the progress of its last attempt."""

    run_id: _RunId
    job_id: _JobId
    scheduled_at: Annotated[
        WrittenInstant, Field(description="The nominal instant; part of the run's identity.")
    ]
    origin: Literal["schedule", "trigger", "notification", "follow_up", "task"]
    priority: Annotated[Priority, Field(description="That of its trigger, or of its job.")]
    tags: Annotated[dict[str, str], Field(description="Those of its trigger.")]
    expires_at: Annotated[
        WrittenInstant | None,
        Field(description="It is skipped unless it has started by then; null: it waits."),
    ]
    concurrency_key: Annotated[
        str | None,
        Field(description="Key that its trigger named, whose slots it takes among its job's."),
    ]
    operation_id: Annotated[
        str | None,
        Field(description="The backfill that made it, or opened it again; null: none did."),
    ]
    triggered_by: Annotated[
        TriggeredBy | None, Field(description="Of a follow-up: whose end began it.")
    ]
    matched_event: Annotated[
        MatchedEvent | None, Field(description="Null: no event trigger started it.")
    ]
    collapse: Annotated[
        CollapsedTriggers | None, Field(description="Null: it collapses with no other trigger.")
    ]


class Run(RunRow):
    """A run with every attempt at it."""

    payload_from: Annotated[
        Literal["job", "run"],
        Field(description="run: of its own, from its trigger, redrive or parent; job: its job's."),
    ]
    payload: Annotated[
        Any,
        Field(description="Its own; beyond 1 KB, only getRun has it. filled: as it is sent."),
    ]
    payload_size_bytes: Annotated[
        int | None, Field(ge=0, description="Of its own; null: its job's.")
    ]
    duplicates_prevented: Annotated[int, Field(ge=0, description="In all attempts together.")]
    attempts: Annotated[list[Attempt], Field(min_length=1, description="First to last.")]
    triggered: Annotated[list[Triggered], Field(description="What its ends triggered so far.")]
    message: Annotated[
        Any, Field(description="Of a notification: what it tells; null: the run tells nothing.")
    ]


class DamagedRuns(TypedDict):
    """Runs whose records cannot be read until an operator has repaired them."""

    count: Annotated[int, Field(ge=0)]
    run_ids: list[_RunId]


class RunPage(TypedDict):
    """Runs of a job, latest instant first."""

    items: list[RunRow]
    damaged: Annotated[DamagedRuns, Field(description="Those of the page.")]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class NamedRun(RunRow):
    """A run of a tenant, with the progress of its last attempt."""

    job_name: Annotated[str | None, Field(description="Null: its job is gone.")]


class TenantRunPage(TypedDict):
    """Runs of all jobs: failures, the latest end first; all of them, the latest instant first."""

    items: list[NamedRun]
    next_cursor: Annotated[
        str | None,
        Field(
            description="Null on the last page. A page may be short, or empty, and not the last."
        ),
    ]
    complete: Annotated[
        bool, Field(description="False: runs may match that this listing does not have.")
    ]
    left_out: Annotated[
        str | None, Field(description="Those runs, for people; null: the listing has all.")
    ]
