"""Answers about runs of DAGs, and pictures of them."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.dags.dag_answers import DagNode
from api.runs.cause_answers import MatchedEvent
from api.values.damaged_answers import NamedPage
from api.values.ids import JOB_ID, TraceId
from timegate.contracts.dags.dag import EdgeContract
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.dag_runs.pictures.gantt import SpanKind
from timegate.domain.dag_runs.progress import DagRunStatus, InterventionKind, TaskReason, TaskState
from timegate.domain.dag_runs.run_identity import DagTrigger
from timegate.domain.dags.waits import WaitKind

_Id = Annotated[str, Field(pattern=JOB_ID)]


_Count = Annotated[int, Field(ge=0)]


class DagRunRow(TypedDict):
    """A run of a DAG."""

    dag_run_id: _Id
    dag_id: _Id
    dag_version: Annotated[int, Field(ge=1, description="It keeps to this one.")]
    status: DagRunStatus
    reason: TaskReason | None
    trigger: DagTrigger
    matched_event: Annotated[
        MatchedEvent | None, Field(description="Null: no event trigger started it.")
    ]
    job_id: Annotated[_Id | None, Field(description="Of a job's run that started it: the job's.")]
    run_id: Annotated[str | None, Field(description="And the run's, which ends as it does.")]
    round: Annotated[int, Field(ge=1, description="Grows when what failed is tried again.")]
    task_count: _Count
    ended_count: _Count
    failed_count: Annotated[_Count, Field(description="Failures that no other task deals with.")]
    scheduled_at: WrittenInstant
    created_at: WrittenInstant
    deadline_at: Annotated[WrittenInstant, Field(description="It is stopped then.")]
    ended_at: WrittenInstant | None
    trace_id: TraceId


class DagTaskMembers(TypedDict):
    """Members of a task that fanned out."""

    width: _Count
    succeeded: _Count
    failed: _Count
    skipped: Annotated[_Count, Field(description="An operator has left them out of the join.")]
    failed_numbers: Annotated[list[_Count], Field(description="Which have failed, counted from 0.")]


class DagTaskError(TypedDict):
    """An error: its code, and its message."""

    code: str
    type: str
    message: str


class DagTaskIntervention(TypedDict):
    """An operator's intervention in a task."""

    kind: InterventionKind
    by: Annotated[str, Field(description="The subject of his token.")]
    at: WrittenInstant
    reason: str | None
    members: Annotated[
        list[_Count] | None,
        Field(description="With these members of a fan-out alone; null: with the task."),
    ]


class EndingEvent(TypedDict):
    """The event that ended a task."""

    source: str
    id: str
    received_at: WrittenInstant


class DagTaskWait(TypedDict):
    """A wait of a task: for its time, for a person, or for an event."""

    kind: WaitKind
    until: Annotated[WrittenInstant | None, Field(description="Its end; null before it began.")]
    approvers: Annotated[
        list[str], Field(description="Callers who may decide; empty: all who may operate.")
    ]
    event_type: Annotated[str | None, Field(description="Of an event: its type.")]
    correlation: Annotated[
        str | None, Field(description="Of an event: its key; null before the wait began.")
    ]
    event: Annotated[EndingEvent | None, Field(description="The event that ended it.")]


class DagRunTask(TypedDict):
    """A task of a DAG run."""

    key: str
    name: str
    state: TaskState
    round: Annotated[int, Field(ge=1, description="In which it was run, or is to be.")]
    reason: Annotated[
        str | None, Field(description="Why it ended so: its run's reason, or the DAG run's.")
    ]
    attempts: _Count
    started_at: WrittenInstant | None
    ended_at: WrittenInstant | None
    run_id: Annotated[
        str | None, Field(description="Of its run; null before it, and of a fan-out.")
    ]
    members: Annotated[DagTaskMembers | None, Field(description="Null unless it fanned out.")]
    wait: Annotated[DagTaskWait | None, Field(description="Null unless it waits instead of runs.")]
    error: DagTaskError | None
    result: Annotated[str | None, Field(description="Its first 500 characters.")]
    intervention: Annotated[DagTaskIntervention | None, Field(description="The latest, if any.")]


class DagRun(DagRunRow):
    """A run of a DAG, with its tasks."""

    parameters: Annotated[
        dict[str, Any] | None, Field(description="Null where they are lost, or have expired.")
    ]
    tasks: Annotated[list[DagRunTask], Field(description="In the order of the definition.")]


class DagRunWithTask(DagRunRow):
    """A run of a DAG, and the task of it that an operator changed."""

    task: DagRunTask


class DagRunPage(NamedPage):
    """Runs of a DAG, newest first."""

    items: list[DagRunRow]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class _DagRunPicture(TypedDict):
    dag_run_id: _Id
    dag_id: _Id
    dag_version: Annotated[int, Field(ge=1)]
    name: str
    status: DagRunStatus


class DagRunGraph(_DagRunPicture):
    """A run of a DAG as a graph."""

    format: Literal["json", "mermaid", "dot"]
    text: Annotated[str | None, Field(description="In the language asked for; null for json.")]
    nodes: list[DagNode]
    edges: list[EdgeContract]


class DagRunSpan(TypedDict):
    """A stretch of time of one attempt, or of all members of a fan-out."""

    kind: SpanKind
    round: Annotated[int, Field(ge=1)]
    attempt: Annotated[
        int, Field(ge=1, description="Of a fan-out: of the member that was tried most.")
    ]
    begins_at: WrittenInstant
    ends_at: Annotated[WrittenInstant | None, Field(description="Null: it goes on.")]
    state: Annotated[str | None, Field(description="What its attempt came to; null of a fan-out.")]
    runs: Annotated[int, Field(ge=1, description="How many runs it stands for.")]


class DagRunBar(TypedDict):
    """A task over time."""

    key: str
    title: str
    state: TaskState
    reason: str | None
    round: Annotated[int, Field(ge=1)]
    members: DagTaskMembers | None
    is_complete: Annotated[
        bool,
        Field(description="False: it has too many attempts to be drawn; its span is the task's."),
    ]
    spans: Annotated[list[DagRunSpan], Field(description="Empty: nothing of it was run.")]


class DagRunGantt(_DagRunPicture):
    """A run of a DAG over time."""

    begins_at: WrittenInstant
    ends_at: Annotated[WrittenInstant, Field(description="Its end, or now.")]
    rows: Annotated[list[DagRunBar], Field(description="In the order in which they began.")]
    format: Literal["json", "text"]
    timezone: Annotated[
        str, Field(description="Clock of the text: as asked for, or that of the DAG's schedule.")
    ]
    text: Annotated[str | None, Field(description="The chart as text; null for json.")]
