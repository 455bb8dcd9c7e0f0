"""What answers about runs of DAGs look like."""

from typing import Annotated, Any

from pydantic import Field

from api.contracts.fields import Instant
from api.openapi.answers import JOB_ID, Answer
from timegate.domain.dag_runs.progress import (
    DagRunStatus,
    DagTrigger,
    InterventionKind,
    TaskReason,
    TaskState,
)

_Id = Annotated[str, Field(pattern=JOB_ID)]
_Count = Annotated[int, Field(ge=0)]


class DagRunRow(Answer):
    """A run of a DAG."""

    dag_run_id: _Id
    dag_id: _Id
    dag_version: int = Field(ge=1, description="It keeps to this one.")
    status: DagRunStatus
    reason: TaskReason | None
    trigger: DagTrigger
    job_id: _Id | None = Field(description="Of a job's run that started it: the job's.")
    run_id: str | None = Field(description="And the run's, which ends as it does.")
    round: int = Field(ge=1, description="Grows when what failed is tried again.")
    task_count: _Count
    ended_count: _Count
    failed_count: _Count = Field(description="Failures that no other task deals with.")
    scheduled_at: Instant
    created_at: Instant
    deadline_at: Instant = Field(description="It is stopped then.")
    ended_at: Instant | None


class DagTaskMembers(Answer):
    """Of a task that fanned out."""

    width: _Count
    succeeded: _Count
    failed: _Count
    skipped: _Count = Field(description="Somebody has left them out of the join.")
    failed_numbers: list[_Count] = Field(description="Which have failed, counted from 0.")


class DagTaskError(Answer):
    """What went wrong."""

    code: str
    type: str
    message: str


class DagTaskIntervention(Answer):
    """What somebody did with a task."""

    kind: InterventionKind
    by: str = Field(description="The subject of his token.")
    at: Instant
    reason: str | None
    members: list[_Count] | None = Field(
        description="With these members of a fan-out alone; null: with the task."
    )


class DagRunTask(Answer):
    """A task of a DAG run."""

    key: str
    name: str
    state: TaskState
    round: int = Field(ge=1, description="In which it was run, or is to be.")
    reason: str | None = Field(description="Why it ended so: its run's reason, or the DAG run's.")
    attempts: _Count
    started_at: Instant | None
    ended_at: Instant | None
    run_id: str | None = Field(description="Of its run; null before it, and of a fan-out.")
    members: DagTaskMembers | None = Field(description="Null unless it fanned out.")
    error: DagTaskError | None
    result: str | None = Field(description="Its first 500 characters.")
    intervention: DagTaskIntervention | None = Field(description="The latest, if any.")


class DagRun(DagRunRow):
    """A run of a DAG, with its tasks."""

    parameters: dict[str, Any]
    tasks: list[DagRunTask] = Field(description="In the order of the definition.")


class DagRunWithTask(DagRunRow):
    """A run of a DAG, and the task of it that somebody did something with."""

    task: DagRunTask


class DagRunPage(Answer):
    """Runs of a DAG, newest first."""

    items: list[DagRunRow]
    next_cursor: str | None = Field(description="Null on the last page.")
