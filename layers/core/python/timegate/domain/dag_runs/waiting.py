"""Ends of wait tasks: their time comes, or a person decides."""

import json
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.progress import (
    Intervention,
    InterventionKind,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag_runs.run_errors import (
    ApprovalExpired,
    NotAnApproval,
    NotAnApprover,
    TaskHasEnded,
    TaskNotStarted,
)
from timegate.domain.dags.definition import Task
from timegate.domain.dags.waits import Expiry, WaitKind, WaitTask

_EXPIRED = {
    Expiry.SUCCEED: TaskState.SUCCEEDED,
    Expiry.FAIL: TaskState.FAILED,
    Expiry.SKIP: TaskState.SKIPPED,
}


def waited(task: TaskProgress, wait: WaitTask, *, now: datetime) -> TaskProgress | None:
    """Return a wait as its time ends it; ``None``: that has not come."""
    if task.waits_until is None or now < task.waits_until:
        return None
    if wait.kind is WaitKind.SLEEP:
        return replace(task, state=TaskState.SUCCEEDED, ended_at=now)
    state = _EXPIRED[wait.on_expiry]
    return replace(task, state=state, reason=TaskReason.EXPIRED, ended_at=now)


def refuse_others(task: Task, caller: str) -> None:
    """Refuse a caller whom an approval does not name; raises ``NotAnApprover``."""
    if isinstance(task.spec, WaitTask) and not task.spec.lets_decide(caller):
        raise NotAnApprover(task.key, caller)


def decided(
    task: TaskProgress, defined: Task, intervention: Intervention, *, now: datetime
) -> TaskProgress:
    """Return an approval as a person decides it.

    Raises ``NotAnApproval``, ``TaskNotStarted``, ``TaskHasEnded``, and ``ApprovalExpired`` from
    the instant of its end.
    """
    wait = defined.spec
    if not isinstance(wait, WaitTask) or wait.kind is not WaitKind.APPROVAL:
        raise NotAnApproval(task.key)
    if task.state is TaskState.PENDING:
        raise TaskNotStarted(task.key)
    if task.has_ended:
        raise TaskHasEnded(task.key, task.state)
    if task.waits_until is not None and task.waits_until <= now:
        raise ApprovalExpired(task.key)
    approved = intervention.kind is InterventionKind.APPROVE
    said = {"approved": approved, "by": intervention.by}
    return replace(
        task,
        state=TaskState.SUCCEEDED if approved else TaskState.FAILED,
        reason=TaskReason.APPROVED if approved else TaskReason.REJECTED,
        ended_at=now,
        result=json.dumps(said, separators=(",", ":"), ensure_ascii=False),
        intervention=intervention,
    )
