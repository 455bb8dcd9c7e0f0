"""What pictures of DAG runs look like."""

from typing import Annotated, Literal

from pydantic import Field

from api.contracts.dags import EdgeContract
from api.contracts.fields import Instant
from api.openapi.answers import JOB_ID, Answer
from api.openapi.dag_answers import DagNode
from api.openapi.dag_run_answers import DagTaskMembers
from timegate.domain.dag_runs.pictures.gantt import SpanKind
from timegate.domain.dag_runs.progress import DagRunStatus, TaskState

_Id = Annotated[str, Field(pattern=JOB_ID)]


class _DagRunPicture(Answer):
    dag_run_id: _Id
    dag_id: _Id
    dag_version: int = Field(ge=1)
    name: str
    status: DagRunStatus


class DagRunGraph(_DagRunPicture):
    """A run of a DAG as a graph."""

    format: Literal["json", "mermaid", "dot"]
    text: str | None = Field(description="In the language asked for; null for json.")
    nodes: list[DagNode]
    edges: list[EdgeContract]


class DagRunSpan(Answer):
    """A stretch of time of one attempt, or of all members of a fan-out."""

    kind: SpanKind
    round: int = Field(ge=1)
    attempt: int = Field(ge=1, description="Of a fan-out: of the member that was tried most.")
    begins_at: Instant
    ends_at: Instant | None = Field(description="Null: it goes on.")
    state: str | None = Field(description="What its attempt came to; null of a fan-out.")
    runs: int = Field(ge=1, description="How many runs it stands for.")


class DagRunBar(Answer):
    """A task over time."""

    key: str
    title: str
    state: TaskState
    reason: str | None
    round: int = Field(ge=1)
    members: DagTaskMembers | None
    is_complete: bool = Field(
        description="False: it has too many attempts to be drawn; its span is the task's."
    )
    spans: list[DagRunSpan] = Field(description="Empty: nothing of it was run.")


class DagRunGantt(_DagRunPicture):
    """A run of a DAG over time."""

    begins_at: Instant
    ends_at: Instant = Field(description="Its end, or now.")
    rows: list[DagRunBar] = Field(description="In the order in which they began.")
    format: Literal["json", "text", "svg"]
    text: str | None = Field(description="The chart as text or SVG; null for json.")
