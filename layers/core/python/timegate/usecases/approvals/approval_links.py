"""Approval links: what one speaks for, once its signature is checked."""

from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from timegate.domain.approvals.errors import LinkExpired, LinkNotValid
from timegate.domain.approvals.link import ApprovalLink, ShownLink, read_link
from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.run_errors import DagRunNotFound, TaskWasPutBack
from timegate.domain.dags.definition import Dag, Task
from timegate.domain.dags.waits import WaitTask
from timegate.domain.values.identity import TaskKey
from timegate.domain.values.secrets import SecretRef
from timegate.domain.values.tenant import TenantId
from timegate.domain.values.tenant_errors import HookUnavailable, LinkUnavailable
from timegate.ports.telemetry import service_events
from timegate.usecases.services.api_services import ApiServices
from timegate.value_classes import dataclass

Made = TypeVar("Made")


@dataclass(frozen=True, kw_only=True, slots=True)
class LinkedApproval:
    """An approval that a link speaks for."""

    link: ApprovalLink
    run: DagRun
    dag: Dag
    task: Task
    progress: TaskProgress


def check_link(text: str, services: ApiServices, *, now: datetime) -> LinkedApproval:
    """Return the approval of a link; text without the shape of one costs no read, and no old one.

    Raises ``LinkExpired``, ``LinkUnavailable``, and ``LinkNotValid`` alike for a wrong signature
    and for what is not there; ``TaskWasPutBack`` for a link of another round.
    """
    shown = read_link(text)
    if shown is None:
        raise LinkNotValid
    if shown.link.until <= now:
        raise LinkExpired
    link = shown.link
    try:
        run = services.dag_runs.get(link.tenant, link.dag_run_id)
    except DagRunNotFound as error:
        raise LinkNotValid from error
    dag = services.dags.version(run.tenant, run.dag_id, run.dag_version)
    task = task_named(dag, link.task)
    secret = link_secret(task) if task is not None else None
    if task is None or secret is None or not _is_signed(shown, secret, services):
        raise LinkNotValid
    progress = services.dag_runs.task(link.tenant, link.dag_run_id, link.task)
    if progress is None:
        raise LinkNotValid
    if progress.round != link.round:
        raise TaskWasPutBack(link.task)
    return LinkedApproval(link=link, run=run, dag=dag, task=task, progress=progress)


def task_named(dag: Dag, key: TaskKey) -> Task | None:
    """Return the task of a key."""
    return next((task for task in dag.tasks if task.key == key), None)


def link_secret(task: Task) -> SecretRef | None:
    """Return the secret with whose keys links of a task are signed; ``None``: it has none."""
    return task.spec.link_secret if isinstance(task.spec, WaitTask) else None


def signed_link(link: ApprovalLink, secret: SecretRef, services: ApiServices) -> str:
    """Sign a link; raises ``LinkUnavailable``."""
    return _with_secret(link.tenant, secret, services, link.signed)


def _is_signed(shown: ShownLink, secret: SecretRef, services: ApiServices) -> bool:
    return _with_secret(shown.link.tenant, secret, services, shown.holds)


def _with_secret(
    tenant: TenantId, secret: SecretRef, services: ApiServices, make: Callable[[str], Made]
) -> Made:
    try:
        return make(services.event_triggers.secrets.read(tenant, secret))
    except (HookUnavailable, ValueError) as error:
        services.telemetry.event(
            service_events.LINK_UNAVAILABLE,
            tenant_id=tenant,
            reason=str(error.__cause__ or error),
        )
        raise LinkUnavailable from error
