"""Notices of approvals that wait: made with the wait, and signed when they are told."""

from dataclasses import asdict
from datetime import datetime

from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dag_runs.run_identity import dag_run_trace
from timegate.domain.dags.definition import Dag, Task
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.domain.execution.notices import VERSION
from timegate.domain.execution.run_document import as_text
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import DECISION_TOLD, NoticeMark, Occasion
from timegate.domain.runs.gate import first_state
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import first_watch
from timegate.domain.values.identity import (
    AttemptId,
    Origin,
    RunId,
    job_id_from,
    own_job_id,
)
from timegate.domain.values.instants import compact, rfc3339

_MARK_LENGTH = 16
#: The job's version that governs it is the one with which it is told.
_ANY_VERSION = 1


def decision_notices(
    dag: Dag, run: DagRun, defined: Task, task: TaskProgress, *, now: datetime
) -> tuple[Attempt, ...]:
    """Return the runs that tell of an approval which waits, one for each channel that wants it.

    Their ids come from DAG run, task, round and channel. The DAG's own job governs them.
    """
    wait = defined.spec
    if not isinstance(wait, WaitTask) or wait.kind is not WaitKind.APPROVAL:
        return ()
    hooks = [hook for hook in dag.notifications if Occasion.NEEDS_DECISION in hook.on]
    return tuple(_notice(dag, run, defined, task, hook, now=now) for hook in hooks)


def _notice(
    dag: Dag, run: DagRun, defined: Task, task: TaskProgress, hook: Subscription, *, now: datetime
) -> Attempt:
    about = f"dag-run\n{run.dag_run_id}\n{task.key}\n{task.round}".encode()
    mark = NoticeMark(
        origin=f"{Origin.FOLLOW_UP}{job_id_from(about)[:_MARK_LENGTH]}",
        attempt=1,
        occasion=Occasion.NEEDS_DECISION,
        hook=hook.id,
    )
    notice = RunId(
        job_id=own_job_id(run.tenant, run.dag_id),
        origin=Origin.NOTIFICATION,
        scheduled_at=run.scheduled_at,
        about=str(mark),
    )
    state = first_state(now, now)
    return Attempt(
        tenant=run.tenant,
        id=AttemptId(run=notice, number=1),
        state=state,
        job_version=_ANY_VERSION,
        priority=Priority.NORMAL,
        resource_class=ResourceClass.SHORT,
        precision=Precision.SECOND,
        due_at=now,
        created_at=now,
        watch_at=first_watch(state, now, now=now),
        opened_at=now,
        notice=_document(dag, run, defined, task, hook, notice, now=now),
        trace=dag_run_trace(run.tenant, run.dag_run_id, run.trace),
    )


def _document(
    dag: Dag,
    run: DagRun,
    defined: Task,
    task: TaskProgress,
    hook: Subscription,
    notice: RunId,
    *,
    now: datetime,
) -> str:
    """Return the notice as it is kept: without a link, and with what one is made of."""
    wait, until = defined.spec, task.waits_until or now
    secret = wait.link_secret if isinstance(wait, WaitTask) else None
    return as_text(
        {
            "version": VERSION,
            "type": DECISION_TOLD,
            "notification_id": str(notice),
            "at": rfc3339(now),
            "job": {"job_id": notice.job_id, "name": dag.name},
            "dag_run": {"dag_run_id": run.dag_run_id, "dag_id": run.dag_id},
            "approval": {
                "task": task.key,
                "name": defined.name or task.key,
                "round": task.round,
                "until": rfc3339(until),
                "ends": compact(until),
                "receiver": f"{hook.channel.type}-{hook.id}",
                "link_secret": asdict(secret) if secret is not None else None,
            },
        }
    )
