"""The steps of an execution: each may be repeated, and finds what it did."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self

from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskReason
from timegate.domain.values.identity import DagRunId, TaskKey
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_SOON, Course, DagWorks
from timegate.usecases.dag_runs.open_dag_run import open_dag_run
from timegate.usecases.dag_runs.tasks.advance import answer_run, answer_task
from timegate.value_classes import dataclass

#: Tasks end meanwhile, and a DAG run changes only so often.
_TRIES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Executed:
    """The DAG run that an execution stands for."""

    tenant: TenantId
    dag_run_id: DagRunId
    #: With which it began.
    round: int

    @classmethod
    def of(cls, told: Mapping[str, Any]) -> Self:
        """Read the execution's input; raises ``KeyError``."""
        return cls(
            tenant=TenantId(told["tenant"]),
            dag_run_id=DagRunId(told["dag_run_id"]),
            round=int(told["round"]),
        )

    def is_over(self, run: DagRun) -> bool:
        """Its round failed, and the run was repeated under another execution meanwhile.

        A step that comes so late must not wait for what that one waits for.
        """
        return run.opened_as != self.round


def open_step(executed: Executed, works: DagWorks) -> list[TaskKey]:
    """Open the DAG run, and return its tasks in the order of the definition.

    Asked by executions that an earlier release began; those of this one begin with their tasks.
    """
    run = works.dag_runs.get(executed.tenant, executed.dag_run_id)
    open_dag_run(run, works)
    return [task.key for task in Course.of(run, works).dag.tasks]


def task_step(executed: Executed, key: TaskKey, token: str, works: DagWorks) -> None:
    """Wait for the end of a task."""
    run = works.dag_runs.get(executed.tenant, executed.dag_run_id)
    if executed.is_over(run):
        works.executions.answer(token, json.dumps({"key": key, "round": executed.round}))
        return
    wait_for_task(executed.tenant, executed.dag_run_id, key, token, works)


def wait_for_task(
    tenant: TenantId, dag_run_id: DagRunId, key: TaskKey, token: str, works: DagWorks
) -> None:
    """Keep a token for the end of a task; answered at once where it has ended.

    The process that ends the task sees the token, or this sees the end: both are one record.
    """
    task = works.dag_runs.keep_task_token(tenant, dag_run_id, key, token)
    if task is not None and task.has_ended:
        answer_task(task, works)


def close_step(executed: Executed, token: str, works: DagWorks) -> None:
    """Wait for the end of the DAG run.

    It may be repeated between the read and the token, which is then answered for the round that
    failed: its execution must not end as the later one does.
    """
    run = works.dag_runs.get(executed.tenant, executed.dag_run_id)
    if not executed.is_over(run):
        run = works.dag_runs.keep_token(run, token)
    if executed.is_over(run):
        ended = {"status": DagRunStatus.FAILED, "dag_run_id": run.dag_run_id}
        works.executions.fail(token, json.dumps(ended))
        return
    answer_run(run, works)


def cleanup_step(executed: Executed, works: DagWorks) -> DagRun:
    """Stop a DAG run whose execution failed; its records say what became of it."""
    for _ in range(_TRIES):
        run = works.dag_runs.get(executed.tenant, executed.dag_run_id)
        if run.has_ended or run.status is DagRunStatus.STOPPING or executed.is_over(run):
            return run
        stopping = replace(
            run,
            status=DagRunStatus.STOPPING,
            stops_as=DagRunStatus.FAILED,
            reason=TaskReason.EXECUTION_FAILED,
            watch_at=works.clock.now() + LOOK_SOON,
            follow=True,
        )
        if works.dag_runs.change(run, stopping):
            works.telemetry.event(
                service_events.DAG_RUN_EXECUTION_FAILED,
                **of_dag_run(run),
            )
    return works.dag_runs.get(executed.tenant, executed.dag_run_id)
