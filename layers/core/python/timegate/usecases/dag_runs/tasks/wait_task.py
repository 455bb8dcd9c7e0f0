"""Wait tasks: begun without a run, and ended when their time has come."""

from collections.abc import Iterable
from dataclasses import replace

from timegate.domain.dag_runs.progress import TaskProgress, TaskState
from timegate.domain.dag_runs.waiting import waited
from timegate.domain.dags.waits import WaitTask
from timegate.ports.telemetry import service_events
from timegate.usecases.dag_runs.dag_run_services import LOOK_AFTER, Course, DagWorks


def start_wait(
    course: Course, task: TaskProgress, wait: WaitTask, works: DagWorks
) -> TaskProgress | None:
    """Start a wait by one write; as it is then, or ``None`` where it changed meanwhile.

    One whose end has passed already ends by the same write. Raises ``Throttled``.
    """
    now = works.clock.now()
    until = wait.ends_at(now, deadline_at=course.run.deadline_at)
    started = replace(task, state=TaskState.RUNNING, started_at=now, waits_until=until)
    after = works.dag_runs.change_task(task, waited(started, wait, now=now) or started)
    if after is None:
        return None
    works.telemetry.event(
        service_events.TASK_WAITS,
        tenant_id=task.tenant,
        dag_run_id=task.dag_run_id,
        task=task.key,
        kind=wait.kind,
        until=until.isoformat(),
        round=task.round,
    )
    watch_waits(course, [after], works)
    return after


def end_wait(course: Course, task: TaskProgress, works: DagWorks) -> TaskProgress | None:
    """End a wait whose time has come; the task as it is then, ``None`` where nothing changed.

    A person may decide at this moment: one of the two writes is refused. Raises ``Throttled``.
    """
    wait = course.task(task.key).spec
    if not task.is_waiting or not isinstance(wait, WaitTask):
        return None
    after = waited(task, wait, now=works.clock.now())
    return works.dag_runs.change_task(task, after) if after is not None else None


def watch_waits(course: Course, tasks: Iterable[TaskProgress], works: DagWorks) -> None:
    """Have the DAG run looked at when the first of these waits ends; raises ``Throttled``.

    A wait that outlasts the sweeper's regular look is left to that look.
    """
    ends = [task.waits_until for task in tasks if task.is_waiting and task.waits_until is not None]
    first, now = min(ends, default=None), works.clock.now()
    if first is not None and first < now + LOOK_AFTER:
        works.dag_runs.look_by(course.run, max(first, now))
