"""Starting a task: what governs its runs, what they are given, and the runs, in one write."""

from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.dag_runs.progress import Members, TaskProgress, TaskState
from timegate.domain.dags.references import InputError
from timegate.domain.dags.waits import WaitTask
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import InvalidInput
from timegate.ports.telemetry import service_events, service_metrics
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks, change_task
from timegate.usecases.dag_runs.members.make_members import first_attempts, make_members
from timegate.usecases.dag_runs.tasks.task_governor import governor_of, refused
from timegate.usecases.dag_runs.tasks.task_inputs import payloads
from timegate.usecases.dag_runs.tasks.wait_task import start_wait


def start_task(course: Course, task: TaskProgress, works: DagWorks) -> TaskProgress | None:
    """Start a pending task; as it is then, or ``None`` where another actor changed it.

    One whose input cannot be made ends as failed, and a fan-out over nothing has succeeded.
    Raises ``Throttled``.
    """
    definition, now = course.task(task.key), works.clock.now()
    spec, is_one = definition.spec, definition.fan_out is None
    if isinstance(spec, WaitTask):
        return start_wait(course, task, spec, works)
    try:
        governor = governor_of(course, task, works)
        given = dict(enumerate(payloads(course, task, governor, works)))
        direct = is_one and works.takes(governor)
        attempts = first_attempts(course, task, governor, given, now=now, direct=direct)
    except (InputError, InvalidInput) as error:
        return change_task(task, refused(task, error, works), works.dag_runs)
    started = replace(task, state=TaskState.RUNNING, started_at=now)
    if is_one:
        done = works.dag_runs.start_task(course.run, task, started, governor, attempts)
        return _published(course, started, attempts, works) if done else None
    members = Members(width=len(attempts), is_complete=False)
    started = replace(started, members=members)
    if not attempts:
        empty = replace(started, state=TaskState.SUCCEEDED, ended_at=now, result="[]")
        return change_task(task, empty, works.dag_runs)
    if not works.dag_runs.start_task(course.run, task, started, governor, []):
        return None
    _reported(course, started, works, runs=len(attempts))
    return make_members(started, attempts, works)


def _published(
    course: Course, task: TaskProgress, attempts: Sequence[Attempt], works: DagWorks
) -> TaskProgress:
    """Publish or execute the run of a task that has started; the sweeper publishes what is left."""
    if works.in_place is not None:
        works.in_place.started.extend(each for each in attempts if each.direct)
    elif works.scheduling is not None:
        # Imported here: the steps of executions publish nothing.
        from timegate.usecases.dispatch.publish_created import publish_created  # noqa: PLC0415

        publish_created(attempts, works.scheduling)
    return _reported(course, task, works, runs=len(attempts))


def _reported(course: Course, task: TaskProgress, works: DagWorks, *, runs: int) -> TaskProgress:
    works.telemetry.event(
        service_events.TASK_STARTED,
        **of_dag_run(course.run),
        dag_id=course.dag.dag_id,
        task=task.key,
        round=task.round,
        runs=runs,
    )
    works.telemetry.count(service_metrics.TASKS_STARTED)
    return task
