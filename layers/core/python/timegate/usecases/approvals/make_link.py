"""Making the link of an approval that waits."""

from datetime import datetime

from timegate.domain.approvals.errors import LinksNotAllowed
from timegate.domain.approvals.link import ApprovalLink
from timegate.domain.dag_runs.progress import TaskProgress
from timegate.domain.dag_runs.run_errors import (
    ApprovalExpired,
    DagRunIsBusy,
    NotAnApproval,
    TaskHasEnded,
    TaskNotFound,
    TaskNotStarted,
)
from timegate.domain.dags.definition import Dag
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.domain.values.identity import DagRunId, TaskKey
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.approvals.approval_links import signed_link, task_named
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkRequest:
    """A caller's request for a link."""

    tenant: TenantId
    dag_run_id: DagRunId
    key: TaskKey
    #: Name of the person it is for; the audit trail has it.
    receiver: str


@dataclass(frozen=True, kw_only=True, slots=True)
class MadeLink:
    """A link, and the claims that it was made of."""

    link: ApprovalLink
    text: str


def make_link(request: LinkRequest, services: ApiServices, *, now: datetime) -> MadeLink:
    """Make the link of a task that waits; nothing is written.

    Raises ``DagRunNotFound``, ``TaskNotFound``, ``NotAnApproval``, ``LinksNotAllowed``,
    ``TaskNotStarted``, ``TaskHasEnded``, ``ApprovalExpired``, ``DagRunIsBusy`` and
    ``LinkUnavailable``.
    """
    run = services.dag_runs.get(request.tenant, request.dag_run_id)
    dag = services.dags.version(run.tenant, run.dag_id, run.dag_version)
    secret = _secret_of(dag, request)
    progress = services.dag_runs.task(request.tenant, request.dag_run_id, request.key)
    if progress is None:
        raise DagRunIsBusy(request.dag_run_id, run.status)
    link = ApprovalLink(
        tenant=request.tenant,
        dag_run_id=request.dag_run_id,
        task=request.key,
        round=progress.round,
        until=_end_of(progress, now=now),
        receiver=request.receiver,
    )
    made = MadeLink(link=link, text=signed_link(link, secret, services))
    services.telemetry.event(
        service_events.APPROVAL_LINK_MADE,
        **of_dag_run(run),
        task=request.key,
        round=progress.round,
        receiver=request.receiver,
    )
    return made


def _secret_of(dag: Dag, request: LinkRequest) -> SecretRef:
    """Return the secret that signs links of the task; raises for a task without links."""
    task = task_named(dag, request.key)
    if task is None:
        raise TaskNotFound(request.dag_run_id, request.key)
    wait = task.spec
    if not isinstance(wait, WaitTask) or wait.kind is not WaitKind.APPROVAL:
        raise NotAnApproval(request.key)
    if wait.link_secret is None:
        raise LinksNotAllowed(request.key)
    return wait.link_secret


def _end_of(progress: TaskProgress, *, now: datetime) -> datetime:
    """Return the end of a wait; raises for a task that does not wait."""
    if progress.has_ended:
        raise TaskHasEnded(progress.key, progress.state)
    if progress.waits_until is None:
        raise TaskNotStarted(progress.key)
    if progress.waits_until <= now:
        raise ApprovalExpired(progress.key)
    return progress.waits_until
