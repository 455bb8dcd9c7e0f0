"""Skipping a task that can no longer start, for what became of the tasks before it."""

from dataclasses import replace

from timegate.domain.dag_runs.progress import TaskProgress, TaskReason, TaskState
from timegate.usecases.dag_runs.dag_run_services import DagWorks, change_task


def skip_upstream(task: TaskProgress, works: DagWorks) -> TaskProgress | None:
    """End a pending task as skipped; ``None``: it changed meanwhile. Raises ``Throttled``."""
    skipped = replace(
        task,
        state=TaskState.SKIPPED,
        reason=TaskReason.UPSTREAM,
        ended_at=works.clock.now(),
    )
    return change_task(task, skipped, works.dag_runs)
