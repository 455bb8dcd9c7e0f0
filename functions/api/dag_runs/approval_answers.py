"""Answers about approvals and their links."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.dag_runs.progress import InterventionKind, TaskReason, TaskState


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
