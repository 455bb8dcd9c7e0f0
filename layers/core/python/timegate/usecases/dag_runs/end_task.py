"""The end of a task's run is the end of the task, or of one member of its fan-out."""

import json
from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.dag.definition import FanOut
from timegate.domain.dag.fan_out import joined
from timegate.domain.dag.progress import (
    DagRunStatus,
    TaskProgress,
    TaskReason,
    TaskState,
)
from timegate.domain.dag.readiness import Readiness
from timegate.domain.dag.references import as_value
from timegate.domain.dag.run_errors import DagRunNotFound
from timegate.domain.dag.run_identity import TaskRunMark, task_run_mark
from timegate.domain.redaction import without_credentials
from timegate.domain.run import Attempt, RunError, RunState
from timegate.domain.run_result import MAX_RESULT_BYTES, StoredResult, excerpt
from timegate.usecases.dag_runs.advance import answer_run, answer_task, propagate
from timegate.usecases.dag_runs.start_task import complete_members
from timegate.usecases.dag_runs.works import Course, DagWorks


def end_tasks(ended: Sequence[Attempt], works: DagWorks) -> None:
    """Move the DAG runs on whose tasks' runs have ended; raises ``Throttled``.

    A record that comes twice, late or out of order changes nothing.
    """
    for attempt in ended:
        if attempt.is_task and attempt.ends_run:
            _end(attempt, works)


def _end(attempt: Attempt, works: DagWorks) -> None:
    mark = task_run_mark(attempt.id.run)
    if mark is None:
        return
    try:
        run = works.dag_runs.get(attempt.tenant, mark.dag_run_id)
    except DagRunNotFound:
        # It has outlived its DAG run's record.
        return
    if run.has_ended:
        answer_run(run, works)
        return
    course = Course.of(run, works)
    task = works.dag_runs.task(attempt.tenant, mark.dag_run_id, mark.key)
    if task is None or task.round != mark.round:
        return
    if task.state is TaskState.RUNNING:
        after = _ended(course, task, mark, attempt, works)
        task = after or works.dag_runs.task(attempt.tenant, mark.dag_run_id, mark.key)
    if task is not None and task.has_ended:
        if course.places[task.key] in run.ended:
            answer_task(task, works)
        else:
            propagate(course, [task], works)


def _ended(
    course: Course, task: TaskProgress, mark: TaskRunMark, attempt: Attempt, works: DagWorks
) -> TaskProgress | None:
    fan_out = course.task(task.key).fan_out
    if fan_out is not None:
        return _end_member(course, task, mark, attempt, works)
    return works.dag_runs.change_task(task, _as_its_run(course, task, attempt))


def _as_its_run(course: Course, task: TaskProgress, attempt: Attempt) -> TaskProgress:
    stopped = course.run.status is DagRunStatus.STOPPING
    cancelled = attempt.state is RunState.CANCELLED
    return replace(
        task,
        state=TaskState(attempt.state.value),
        started_at=attempt.started_at or task.started_at,
        ended_at=attempt.ended_at,
        attempts=attempt.id.number,
        reason=course.run.reason if stopped and cancelled else attempt.reason,
        error=attempt.error,
        result=attempt.result,
        stored_result=attempt.stored_result,
    )


def _end_member(
    course: Course, task: TaskProgress, mark: TaskRunMark, attempt: Attempt, works: DagWorks
) -> TaskProgress | None:
    succeeded = attempt.state is RunState.SUCCEEDED
    after = works.dag_runs.record_member(task, [mark.index], succeeded=succeeded)
    if after is None:
        return None
    complete_members(course, after, works)
    return join(course, after, works)


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
    """With what its members answered, in their order; null where one failed."""
    answers: dict[int, object] = {}
    tried = 0
    for attempt in works.dag_runs.attempts(course.run, key=task.key, in_round=task.round):
        mark = task_run_mark(attempt.id.run)
        tried = max(tried, attempt.id.number)
        if mark is not None and attempt.state is RunState.SUCCEEDED:
            stored = attempt.stored_result
            text = works.blobs.get(stored.blob) if stored is not None else attempt.result
            answers[mark.index] = as_value(text)
    width = task.members.width if task.members is not None else 0
    text = json.dumps([answers.get(index) for index in range(width)], separators=(",", ":"))
    ended = replace(task, state=TaskState.SUCCEEDED, ended_at=works.clock.now(), attempts=tried)
    return _with_result(ended, text, works)


def _with_result(task: TaskProgress, text: str, works: DagWorks) -> TaskProgress:
    text = without_credentials(text)
    size = len(text.encode())
    if excerpt(text) == text:
        return replace(task, result=text)
    if size > MAX_RESULT_BYTES:
        # Whoever refers to it fails with what this says.
        return replace(task, result=excerpt(text))
    path = f"results/{task.tenant}/{task.dag_run_id}.{task.round}-{task.key}"
    works.blobs.put(path, text)
    stored = StoredResult(blob=path, size_bytes=size)
    return replace(task, result=excerpt(text), stored_result=stored)


def _failed(course: Course, task: TaskProgress, fan_out: FanOut, works: DagWorks) -> TaskProgress:
    members = task.members
    failed, width = (len(members.failed), members.width) if members is not None else (0, 0)
    needed = fan_out.join.needed(width)
    stopped = course.run.status is DagRunStatus.STOPPING
    message = f"{failed} of {width} members failed; {needed} had to succeed."
    return replace(
        task,
        state=TaskState.CANCELLED if stopped else TaskState.FAILED,
        reason=course.run.reason if stopped else TaskReason.JOIN_FAILED,
        ended_at=works.clock.now(),
        error=RunError(code="join_failed", type="JoinFailed", message=message),
    )
