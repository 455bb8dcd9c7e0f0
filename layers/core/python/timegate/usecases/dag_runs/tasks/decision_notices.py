"""Notices of approvals that wait: made with the wait, and signed when they are told."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime

from timegate.domain.dag_runs.progress import DagRun, TaskProgress
from timegate.domain.dags.definition import Dag, Task
from timegate.domain.dags.waits import WaitTask
from timegate.domain.execution.notices import (
    mark_without_run,
    notice_id,
    notice_run,
    notice_text,
)
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import DECISION_TOLD, Occasion
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import RunId, own_job_id
from timegate.domain.values.instants import compact, rfc3339

#: The job's version that governs it is the one with which it is told.
_ANY_VERSION = 1


def decision_notices(
    dag: Dag,
    run: DagRun,
    defined: Task,
    task: TaskProgress,
    hooks: Sequence[Subscription],
    *,
    now: datetime,
) -> tuple[Attempt, ...]:
    """Return the runs that tell of an approval which waits, one for each channel that wants it.

    Their ids come from DAG run, task, round and channel. The DAG's own job governs them.
    """
    return tuple(_notice(dag, run, defined, task, hook, now=now) for hook in hooks)


def _notice(
    dag: Dag, run: DagRun, defined: Task, task: TaskProgress, hook: Subscription, *, now: datetime
) -> Attempt:
    about = f"dag-run\n{run.dag_run_id}\n{task.key}\n{task.round}"
    mark = mark_without_run(about, Occasion.NEEDS_DECISION, hook=hook.id)
    notice = notice_id(own_job_id(run.tenant, run.dag_id), mark, scheduled_at=run.scheduled_at)
    return notice_run(
        run.tenant,
        notice,
        _document(dag, run, defined, task, hook, notice, now=now),
        job_version=_ANY_VERSION,
        at=now,
        now=now,
        trace=run.any_trace,
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
    told = {
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
    return notice_text(DECISION_TOLD, notice, told, at=now)
