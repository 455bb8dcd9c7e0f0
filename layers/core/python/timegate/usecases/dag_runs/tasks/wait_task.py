"""Wait tasks: begun without a run, and ended when their event or their time has come."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.progress import TaskProgress, TaskState
from timegate.domain.dag_runs.waiting import waited
from timegate.domain.dags.references import InputError
from timegate.domain.dags.waits import WaitKind, WaitTask
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import Occasion
from timegate.domain.values.errors import InvalidInput
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_AFTER, Course, DagWorks, change_task
from timegate.usecases.dag_runs.tasks.event_wait import announce, ended_by_event
from timegate.usecases.dag_runs.tasks.task_governor import refused
from timegate.usecases.dag_runs.tasks.task_inputs import correlation


def start_wait(
    course: Course, task: TaskProgress, wait: WaitTask, works: DagWorks
) -> TaskProgress | None:
    """Start a wait by one write; as it is then, or ``None`` where it changed meanwhile.

    One whose end has passed already ends by the same write. A wait for an event is announced
    before, and looks for an event that came early after it. One whose end or event cannot be told
    ends as failed. Raises ``Throttled``.
    """
    now = works.clock.now()
    try:
        started = _started(course, task, wait, works, now=now)
    except (InputError, InvalidInput) as error:
        return change_task(task, refused(task, error, works), works.dag_runs)
    if wait.event is not None:
        announce(started, wait.event, works)
        after = change_task(task, started, works.dag_runs)
        after = after and (end_wait(course, after, works) or after)
    else:
        after = _begun(course, task, waited(started, wait, now=now) or started, works)
    if after is None:
        return None
    works.telemetry.event(
        service_events.TASK_WAITS,
        **of_dag_run(course.run),
        task=task.key,
        kind=wait.kind,
        until=started.waits_until.isoformat() if started.waits_until is not None else None,
        round=task.round,
    )
    watch_waits(course, [after], works)
    return after


def _started(
    course: Course, task: TaskProgress, wait: WaitTask, works: DagWorks, *, now: datetime
) -> TaskProgress:
    """The task as it waits; raises ``InvalidInput`` for a zone that the database has no more."""
    until = wait.ends_at(now, deadline_at=course.run.deadline_at)
    asks = wait.kind is WaitKind.APPROVAL
    started = replace(task, state=TaskState.RUNNING, started_at=now, waits_until=until, asks=asks)
    if wait.event is None:
        return started
    return replace(started, correlation=correlation(course, task, wait.event, works))


def _begun(
    course: Course, before: TaskProgress, after: TaskProgress, works: DagWorks
) -> TaskProgress | None:
    """Store the begin of a wait, with what tells of it where its DAG wants that told."""
    hooks = _told_now(course, works) if after.asks and after.is_waiting else ()
    if not hooks:
        return change_task(before, after, works.dag_runs)
    # Imported here: few DAGs tell of approvals.
    from timegate.usecases.dag_runs.tasks.decision_notices import decision_notices  # noqa: PLC0415

    now, task = works.clock.now(), course.task(before.key)
    notices = decision_notices(course.dag, course.run, task, after, hooks, now=now)
    done = works.dag_runs.start_task(course.run, before, after, None, notices)
    return after if done else None


def _told_now(course: Course, works: DagWorks) -> tuple[Subscription, ...]:
    """Return the channels that are told of approvals, as the DAG has them now.

    They are told by its own job, which knows no others, and of the ends of its runs as well. A DAG
    that had no such job when the run began may have one by now.
    """
    job = works.dags.own_job(course.run.tenant, course.run.dag_id)
    hooks = job.notifications if job is not None else course.dag.notifications
    return tuple(hook for hook in hooks if Occasion.NEEDS_DECISION in hook.on)


def end_wait(course: Course, task: TaskProgress, works: DagWorks) -> TaskProgress | None:
    """End a wait whose event or time has come; the task as it is then, ``None``: as it was.

    An event that came in time counts, however late it is found. A person or a sender may decide at
    this moment: one of the two writes is refused. Raises ``Throttled``.
    """
    wait = course.task(task.key).spec
    if not task.is_waiting or not isinstance(wait, WaitTask):
        return None
    after = ended_by_event(course.run, task, wait, works)
    after = after or waited(task, wait, now=works.clock.now())
    return change_task(task, after, works.dag_runs) if after is not None else None


def watch_waits(course: Course, tasks: Iterable[TaskProgress], works: DagWorks) -> None:
    """Have the DAG run looked at when the first of these waits ends; raises ``Throttled``.

    A wait that outlasts the sweeper's regular look is left to that look.
    """
    ends = [task.waits_until for task in tasks if task.is_waiting and task.waits_until is not None]
    first, now = min(ends, default=None), works.clock.now()
    if first is not None and first < now + LOOK_AFTER:
        works.dag_runs.look_by(course.run, max(first, now))
