"""The end of a task's run is the end of the task, or of one member of its fan-out."""

from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.dag_runs.fan_out import joined, joined_width
from timegate.domain.dag_runs.progress import (
    DagRunStatus,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag_runs.readiness import Readiness
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.dag_runs.run_identity import TaskRunMark, task_run_mark
from timegate.domain.dags.definition import FanOut
from timegate.domain.runs.run import Attempt, RunError, RunState
from timegate.domain.values.identity import RunId
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks
from timegate.usecases.dag_runs.members.joined_results import with_joined_result
from timegate.usecases.dag_runs.members.make_members import complete_members
from timegate.usecases.dag_runs.tasks.advance import answer_run, answer_task, follow_up, propagate
from timegate.usecases.dag_runs.tasks.is_triggered import is_triggered
from timegate.usecases.dag_runs.tasks.turns import for_a_look


def end_tasks(ended: Sequence[Attempt], works: DagWorks) -> None:
    """Move the DAG runs on whose tasks' runs have ended; raises ``Throttled``.

    A record that comes twice, late or out of order changes nothing. Members of one fan-out are
    counted together: of a wide one hundreds may end at once.
    """
    own: dict[tuple[object, ...], dict[RunId, tuple[TaskRunMark, Attempt]]] = {}
    for attempt in ended:
        mark = task_run_mark(attempt.id.run) if attempt.is_task and attempt.ends_run else None
        if mark is not None:
            task = (attempt.tenant, mark.dag_run_id, mark.key, mark.round)
            own.setdefault(task, {})[attempt.id.run] = (mark, attempt)
    for together in own.values():
        _end(list(together.values()), works)


def _end(ended: Sequence[tuple[TaskRunMark, Attempt]], works: DagWorks) -> None:
    mark, attempt = ended[0]
    works = for_a_look(works)
    try:
        run = works.dag_runs.get(attempt.tenant, mark.dag_run_id)
    except DagRunNotFound:
        # It has outlived its DAG run's record.
        return
    task = works.dag_runs.task(attempt.tenant, mark.dag_run_id, mark.key)
    if run.has_ended:
        # An executor that ended the last task told no execution.
        if task is not None and task.has_ended:
            answer_task(task, works)
        answer_run(run, works)
        return
    course = Course.of(run, works)
    ended = [each for each in ended if task is not None and task.is_run_by(each[0])]
    if task is None or not ended:
        return
    if task.state is TaskState.RUNNING:
        after = _ended(course, task, ended, works)
        task = after or works.dag_runs.task(attempt.tenant, mark.dag_run_id, mark.key)
    if task is None or not task.has_ended:
        return
    if course.places[task.key] not in run.ended:
        propagate(course, [task], works)
        return
    answer_task(task, works)
    # The process that counted it last may have died before it closed the DAG run.
    follow_up(course, works)


def _ended(
    course: Course,
    task: TaskProgress,
    ended: Sequence[tuple[TaskRunMark, Attempt]],
    works: DagWorks,
) -> TaskProgress | None:
    if course.task(task.key).fan_out is not None:
        return _end_members(course, task, ended, works)
    return works.dag_runs.change_task(task, as_its_run(course, task, ended[0][1], works))


def _is_stopped(course: Course, task: TaskProgress, works: DagWorks) -> bool:
    """Its DAG run stops, and no failure triggered the task."""
    stopping = course.run.status is DagRunStatus.STOPPING
    return stopping and not is_triggered(course, task.key, works)


def as_its_run(
    course: Course, task: TaskProgress, attempt: Attempt, works: DagWorks
) -> TaskProgress:
    """Return the task as its run ended."""
    cancelled = attempt.state is RunState.CANCELLED
    stopped = cancelled and _is_stopped(course, task, works)
    return replace(
        task,
        state=TaskState(attempt.state.value),
        started_at=attempt.started_at or task.started_at,
        ended_at=attempt.ended_at,
        attempts=attempt.id.number,
        reason=course.run.reason if stopped else attempt.reason,
        error=attempt.error,
        result=attempt.result,
        stored_result=attempt.stored_result,
    )


def _end_members(
    course: Course,
    task: TaskProgress,
    ended: Sequence[tuple[TaskRunMark, Attempt]],
    works: DagWorks,
) -> TaskProgress | None:
    after: TaskProgress | None = None
    for succeeded in (True, False):
        places = [m.index for m, a in ended if (a.state is RunState.SUCCEEDED) is succeeded]
        if places:
            after = works.dag_runs.record_member(task, places, succeeded=succeeded)
            if after is None:
                return None
    if after is None:
        return None
    complete_members(course, after, works)
    return join(course, after, works) if _is_decided(course, after) else after


def _is_decided(course: Course, task: TaskProgress) -> bool:
    fan_out, members = course.task(task.key).fan_out, task.members
    if fan_out is None or members is None:
        return False
    return joined(fan_out.join, members) is not Readiness.UNDECIDED


def join(course: Course, task: TaskProgress, works: DagWorks) -> TaskProgress | None:
    """End a fan-out whose members decide it; ``None`` while they do not."""
    fan_out, members = course.task(task.key).fan_out, task.members
    if fan_out is None or members is None:
        return None
    match joined(fan_out.join, members):
        case Readiness.UNDECIDED:
            return None
        case Readiness.READY:
            after = _succeeded(course, task, works)
        case Readiness.IMPOSSIBLE:
            after = _failed(course, task, fan_out, works)
    return works.dag_runs.change_task(task, after)


def _succeeded(course: Course, task: TaskProgress, works: DagWorks) -> TaskProgress:
    has_earlier = task.members is not None and bool(task.members.earlier)
    in_round = None if has_earlier else task.round
    attempts = [
        attempt
        for attempt in works.dag_runs.attempts(course.run, key=task.key, in_round=in_round)
        if (mark := task_run_mark(attempt.id.run)) is not None and task.is_run_by(mark)
    ]
    tried = max((attempt.id.number for attempt in attempts), default=0)
    ended = replace(task, state=TaskState.SUCCEEDED, ended_at=works.clock.now(), attempts=tried)
    return with_joined_result(ended, attempts, works.blobs)


def _failed(course: Course, task: TaskProgress, fan_out: FanOut, works: DagWorks) -> TaskProgress:
    members = task.members
    width = joined_width(members) if members is not None else 0
    failed = len(members.failed - members.skipped) if members is not None else 0
    needed = fan_out.join.needed(width)
    stopped = _is_stopped(course, task, works)
    message = f"{failed} of {width} members failed; {needed} had to succeed."
    return replace(
        task,
        state=TaskState.CANCELLED if stopped else TaskState.FAILED,
        reason=course.run.reason if stopped else TaskReason.JOIN_FAILED,
        ended_at=works.clock.now(),
        error=RunError(code="join_failed", type="JoinFailed", message=message),
    )
