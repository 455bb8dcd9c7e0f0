"""Answers about definitions of DAGs."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.http.field_problems import FieldProblem
from api.values.ids import JOB_ID
from timegate.contracts.dags.dag import EdgeContract, FailureContract
from timegate.contracts.dags.dag_tasks import TaskContract
from timegate.contracts.jobs.finish_by import FinishByContract
from timegate.contracts.jobs.follow_ups import FollowUpContract
from timegate.contracts.jobs.notifications import HookContract
from timegate.contracts.recurrence import ScheduleContract
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.dags.definition import DagStatus

#: Same form as a job's.
DAG_ID = JOB_ID


_DagId = Annotated[str, Field(pattern=DAG_ID)]


class DagRow(TypedDict):
    """A version of a DAG in a listing."""

    dag_id: _DagId
    version: Annotated[int, Field(ge=1, description="Grows with every change; also the ETag.")]
    status: DagStatus
    created_at: WrittenInstant
    updated_at: Annotated[WrittenInstant, Field(description="When this version was made.")]
    name: str
    description: str
    tags: dict[str, str]
    task_count: Annotated[int, Field(ge=1)]
    edge_count: Annotated[int, Field(ge=0)]


class Dag(DagRow):
    """A version of a DAG."""

    metadata: dict[str, str]
    failure_policy: FailureContract
    timeout_seconds: int
    tasks: list[TaskContract]
    edges: list[EdgeContract]
    schedule: ScheduleContract | None
    notifications: list[HookContract]
    then: list[FollowUpContract]
    late_after_seconds: int | None
    absent_after_seconds: int | None
    finish_by: FinishByContract | None
    job_id: Annotated[
        str | None,
        Field(
            pattern=JOB_ID,
            description="Its own job, which starts it; null: it never had a schedule or follower.",
        ),
    ]


class DamagedDags(TypedDict):
    """DAGs whose records cannot be read until an operator has repaired them."""

    count: Annotated[int, Field(ge=0)]
    dag_ids: list[_DagId]


class DagPage(TypedDict):
    """DAGs, newest first."""

    items: list[DagRow]
    damaged: DamagedDags
    next_cursor: Annotated[
        str | None,
        Field(description="Null on the last page. A page may be short and not the last."),
    ]


class DagVersionPage(TypedDict):
    """Versions of a DAG, the latest first."""

    items: list[DagRow]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class DefinedDag(TypedDict):
    """Everything that a DAG's owner says of it; nothing is left unsaid."""

    name: str
    description: str
    tags: dict[str, str]
    metadata: dict[str, str]
    failure_policy: FailureContract
    timeout_seconds: int
    tasks: list[TaskContract]
    edges: list[EdgeContract]
    schedule: ScheduleContract | None
    notifications: list[HookContract]
    then: list[FollowUpContract]
    late_after_seconds: int | None
    absent_after_seconds: int | None
    finish_by: FinishByContract | None


class DagValidation(TypedDict):
    """The outcome that creating or updating a DAG would have."""

    valid: bool
    task_count: Annotated[int, Field(ge=0)]
    edge_count: Annotated[int, Field(ge=0)]
    levels: Annotated[
        list[list[str]],
        Field(
            description="Tasks that can begin together, were all to succeed; empty if it "
            "is not valid."
        ),
    ]
    definition: Annotated[
        DefinedDag, Field(description="The DAG, with the default of what was left out.")
    ]
    errors: Annotated[list[FieldProblem], Field(description="At most 50.")]


class DagNode(TypedDict):
    """A task in a picture."""

    key: str
    title: str
    runs: Annotated[str, Field(description="job, the type of its action, or the kind of its wait.")]
    rule: Annotated[str, Field(description="all, or how many of its edges must hold.")]
    fan_out: bool
    state: Annotated[str | None, Field(description="In a run; null in a definition.")]


class DagGraph(TypedDict):
    """A DAG as a picture."""

    dag_id: _DagId
    version: int
    name: str
    format: Literal["json", "mermaid", "dot"]
    text: Annotated[str | None, Field(description="In the language asked for; null for json.")]
    nodes: list[DagNode]
    edges: list[EdgeContract]
