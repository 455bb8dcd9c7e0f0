"""Ends of wait tasks: their time or an event comes, or a person decides."""

import json
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.progress import (
    EndingEvent,
    Intervention,
    InterventionKind,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag_runs.run_errors import (
    ApprovalExpired,
    EventExpired,
    NotAnApproval,
    NotAnApprover,
    NotAnEventTask,
    TaskHasEnded,
    TaskNotStarted,
)
from timegate.domain.dags.definition import Task
from timegate.domain.dags.waits import Expiry, WaitKind, WaitTask
from timegate.domain.events.event import ReceivedEvent
from timegate.domain.values.errors import Conflict

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
    result = wait.default if state is TaskState.SUCCEEDED else None
    return replace(task, state=state, reason=TaskReason.EXPIRED, ended_at=now, result=result)


def received(task: TaskProgress, event: ReceivedEvent, *, now: datetime) -> TaskProgress:
    """Return a wait as an event ends it, its result left out."""
    ending = EndingEvent(
        source=event.event.source, id=event.event.id, received_at=event.received_at
    )
    return replace(
        task, state=TaskState.SUCCEEDED, reason=TaskReason.RECEIVED, ended_at=now, event=ending
    )


def signalled(
    task: TaskProgress, defined: Task, intervention: Intervention, *, now: datetime
) -> TaskProgress:
    """Return a wait for an event as a caller ends it, its result left out.

    Raises ``NotAnEventTask``, ``TaskNotStarted``, ``TaskHasEnded``, and ``EventExpired`` from the
    instant of its end.
    """
    if not isinstance(defined.spec, WaitTask) or defined.spec.kind is not WaitKind.EVENT:
        raise NotAnEventTask(task.key)
    _refuse_unless_waiting(task, EventExpired(task.key), now=now)
    return replace(
        task,
        state=TaskState.SUCCEEDED,
        reason=TaskReason.SIGNALLED,
        ended_at=now,
        intervention=intervention,
    )


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
    _refuse_unless_waiting(task, ApprovalExpired(task.key), now=now)
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


def _refuse_unless_waiting(task: TaskProgress, expired: Conflict, *, now: datetime) -> None:
    """Refuse to end a wait that has not begun, has ended, or ends by itself at this instant."""
    if task.state is TaskState.PENDING:
        raise TaskNotStarted(task.key)
    if task.has_ended:
        raise TaskHasEnded(task.key, task.state)
    if task.waits_until is not None and task.waits_until <= now:
        raise expired
