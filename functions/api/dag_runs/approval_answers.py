"""Answers about approvals and their links."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from api.values.damaged_answers import NamedPage
from api.values.ids import JOB_ID
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.dag_runs.progress import InterventionKind, TaskReason, TaskState

_Id = Annotated[str, Field(pattern=JOB_ID)]
_DagName = Annotated[str | None, Field(description="Null: the DAG is gone.")]


class NewApprovalLink(TypedDict):
    """A link that decides an approval, in the hands of its holder."""

    path: Annotated[str, Field(description="Its address, below the URL of the API. A secret.")]
    receiver: Annotated[str, Field(description="The audit trail has link/ and this name.")]
    expires_at: Annotated[WrittenInstant, Field(description="The end of the wait.")]


class ApprovalDecision(TypedDict):
    """The decision about an approval."""

    kind: InterventionKind
    by: Annotated[str, Field(description="A caller; or link/ and the receiver of the link.")]
    at: WrittenInstant
    note: str | None


class Approval(TypedDict):
    """An approval, as the holder of its link sees it."""

    dag: Annotated[str, Field(description="The name of the DAG that asks.")]
    description: str
    task: Annotated[str, Field(description="The name of the task that waits.")]
    task_key: str
    dag_run_id: str
    tenant: str
    receiver: Annotated[str, Field(description="The name that the link was made for.")]
    asked_at: WrittenInstant | None
    until: Annotated[WrittenInstant, Field(description="The end of the wait.")]
    state: Annotated[TaskState, Field(description="running: it waits for a decision.")]
    reason: TaskReason | None
    decision: Annotated[ApprovalDecision | None, Field(description="Null before it is decided.")]
    decided_now: Annotated[bool, Field(description="This request decided it.")]


class WaitingApproval(TypedDict):
    """A task that waits for a person."""

    dag_run_id: _Id
    dag_id: _Id
    dag_name: _DagName
    task_key: str
    round: Annotated[int, Field(ge=1, description="A task that is run again asks in another one.")]
    since: WrittenInstant
    until: Annotated[WrittenInstant, Field(description="It ends by itself then.")]


class ApprovalPage(NamedPage):
    """Approvals that wait, the latest begin first."""

    items: list[WaitingApproval]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class ApprovalGroup(TypedDict):
    """Approvals that wait, of one task of one DAG."""

    dag_id: _Id
    dag_name: _DagName
    task_key: str
    count: Annotated[int, Field(ge=1)]
    first_at: Annotated[WrittenInstant, Field(description="Begin of the first of them.")]
    last_at: Annotated[WrittenInstant, Field(description="Begin of the last of them.")]
    until: Annotated[WrittenInstant, Field(description="The first of them ends by itself then.")]
    latest: Annotated[
        list[WaitingApproval], Field(description="Up to five, the latest begin first.")
    ]
