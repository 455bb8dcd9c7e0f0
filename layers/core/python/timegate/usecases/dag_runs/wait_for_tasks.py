"""Callbacks: the execution leaves a token where the end of a task is known."""

from timegate.domain.values.identity import DagRunId, TaskKey
from timegate.domain.values.tenant import TenantId
from timegate.usecases.dag_runs.dag_run_services import DagWorks
from timegate.usecases.dag_runs.tasks.advance import answer_task


def wait_for_task(
    tenant: TenantId, dag_run_id: DagRunId, key: TaskKey, token: str, works: DagWorks
) -> None:
    """Keep a token for the end of a task; answered at once where it has ended.

    The process that ends the task sees the token, or this sees the end: both are one record.
    """
    task = works.dag_runs.keep_task_token(tenant, dag_run_id, key, token)
    if task is not None and task.has_ended:
        answer_task(task, works)
