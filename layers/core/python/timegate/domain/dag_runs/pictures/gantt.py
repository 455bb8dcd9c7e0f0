"""A run of a DAG over time: a row per task, of what it waited and worked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum

from timegate.domain.dag_runs.progress import DagRun, Members, TaskProgress, TaskState
from timegate.domain.dag_runs.run_identity import TaskRunMark, task_run_mark
from timegate.domain.dags.definition import Dag, Task
from timegate.domain.dags.waits import WaitTask
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass


class SpanKind(StrEnum):
    """Kinds of stretches of time."""

    #: In a queue, or between two attempts.
    QUEUED = "queued"
    RUNNING = "running"


@dataclass(frozen=True, kw_only=True, slots=True)
class BarSpan:
    """A stretch of time in the life of a task: of one attempt, or of all members of a fan-out."""

    kind: SpanKind
    round: int
    #: From 1; of a fan-out: of the member that was tried most.
    attempt: int
    begins_at: datetime
    #: ``None``: it goes on.
    ends_at: datetime | None
    #: End of its attempt; ``None`` while it goes on, and for a fan-out.
    state: str | None
    #: How many runs it stands for.
    runs: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A task."""

    key: TaskKey
    title: str
    state: TaskState
    reason: str | None
    round: int
    members: Members | None
    spans: tuple[BarSpan, ...]
    #: All its attempts were read; else its span is from its beginning to its end.
    is_complete: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class Gantt:
    """Rows of a chart: tasks in the order in which they began, then those that have not."""

    name: str
    run: DagRun
    begins_at: datetime
    #: Its end, or now.
    ends_at: datetime
    rows: tuple[Row, ...]
    #: IANA name of the zone of the DAG's schedule; UTC where it has none, or several.
    timezone: str = "UTC"

    @property
    def goes_on(self) -> bool:
        """It has not ended: its right edge is now."""
        return not self.run.has_ended

    def share(self, instant: datetime) -> float:
        """Return the instant's position between beginning and end: 0 to 1."""
        whole = (self.ends_at - self.begins_at).total_seconds()
        part = (instant - self.begins_at).total_seconds()
        return min(1.0, max(0.0, part / whole)) if whole > 0 else 0.0


def gantt_of(
    dag: Dag,
    run: DagRun,
    tasks: Mapping[TaskKey, TaskProgress],
    attempts: Iterable[Attempt],
    *,
    now: datetime,
    is_cut: bool = False,
) -> Gantt:
    """The rows of a DAG run, of its tasks and the attempts at their runs, of every round.

    ``is_cut``: there are more of these, and the given ones are the first by round, key and number.
    """
    attempts = list(attempts)
    last = max((f"{a.id.run}" for a in attempts), default="") if is_cut else None
    own: dict[TaskKey, list[tuple[TaskRunMark, Attempt]]] = {task.key: [] for task in dag.tasks}
    for attempt in attempts:
        mark = task_run_mark(attempt.id.run)
        if mark is not None and mark.key in own:
            own[mark.key].append((mark, attempt))
    rows = [
        _row(run, task, tasks.get(task.key), own[task.key])
        if last is None or _is_read(run, task, tasks.get(task.key), last)
        else _from_record(task, tasks[task.key])
        for task in dag.tasks
    ]
    begun = sorted((row for row in rows if row.spans), key=lambda row: row.spans[0].begins_at)
    return Gantt(
        name=dag.name,
        run=run,
        begins_at=run.created_at,
        ends_at=max(run.ended_at or now, run.created_at),
        rows=(*begun, *(row for row in rows if not row.spans)),
        timezone=(dag.schedule.wall_timezone if dag.schedule else None) or "UTC",
    )


def _is_read(run: DagRun, task: Task, done: TaskProgress | None, last: str) -> bool:
    """Tell if the attempts read include all of the task's."""
    rounds = range(1, done.round + 1) if done is not None else ()
    marks = (
        TaskRunMark(dag_run_id=run.dag_run_id, key=task.key, round=number, index=9_999)
        for number in rounds
    )
    return all(str(mark.run_id(run.scheduled_at)) < last for mark in marks)


def _from_record(task: Task, done: TaskProgress) -> Row:
    """A row of what the task's own record says: when it began, and when it ended."""
    spans: tuple[BarSpan, ...] = ()
    if done.started_at is not None:
        span = BarSpan(
            kind=SpanKind.RUNNING,
            round=done.round,
            attempt=max(1, done.attempts),
            begins_at=done.started_at,
            ends_at=done.ended_at,
            state=None,
            runs=done.members.width if done.members is not None else 1,
        )
        spans = (span,)
    return Row(
        key=task.key,
        title=task.name or task.key,
        state=done.state,
        reason=done.reason,
        round=done.round,
        members=done.members,
        spans=spans,
        is_complete=False,
    )


def _row(
    run: DagRun,
    task: Task,
    done: TaskProgress | None,
    tried: Sequence[tuple[TaskRunMark, Attempt]],
) -> Row:
    if done is None:
        done = TaskProgress(tenant=run.tenant, dag_run_id=run.dag_run_id, key=task.key)
    if isinstance(task.spec, WaitTask):
        return replace(_from_record(task, done), is_complete=True)
    rounds = sorted({mark.round for mark, _ in tried})
    spans = [
        span
        for number in rounds
        for span in _spans(number, task, [a for m, a in tried if m.round == number])
    ]
    return Row(
        key=task.key,
        title=task.name or task.key,
        state=done.state,
        reason=done.reason,
        round=done.round,
        members=done.members,
        spans=tuple(spans),
    )


def _spans(number: int, task: Task, tried: Sequence[Attempt]) -> Iterable[BarSpan]:
    if task.fan_out is None:
        ordered = sorted(tried, key=lambda attempt: attempt.id.number)
        return [span for attempt in ordered for span in _of_attempt(number, attempt)]
    return _of_members(number, tried)


def _of_attempt(number: int, attempt: Attempt) -> Iterable[BarSpan]:
    ended, started = attempt.ended_at, attempt.started_at
    state = attempt.state.value if ended is not None else None
    yield BarSpan(
        kind=SpanKind.QUEUED,
        round=number,
        attempt=attempt.id.number,
        begins_at=attempt.created_at,
        ends_at=started or ended,
        state=state if started is None else None,
    )
    if started is not None:
        yield BarSpan(
            kind=SpanKind.RUNNING,
            round=number,
            attempt=attempt.id.number,
            begins_at=started,
            ends_at=ended,
            state=state,
        )


def _of_members(number: int, tried: Sequence[Attempt]) -> Iterable[BarSpan]:
    """Collapsed: from the first to the last of all its members."""
    runs = len({attempt.id.run for attempt in tried})
    most = max(attempt.id.number for attempt in tried)
    begun = [attempt.started_at for attempt in tried if attempt.started_at is not None]
    ends = [attempt.ended_at for attempt in tried]
    last = max((end for end in ends if end is not None), default=None)
    over = (
        last if None not in ends and all(a.state is not RunState.RUNNING for a in tried) else None
    )
    first = min(begun, default=None)
    yield BarSpan(
        kind=SpanKind.QUEUED,
        round=number,
        attempt=most,
        begins_at=min(attempt.created_at for attempt in tried),
        ends_at=first or over,
        state=None,
        runs=runs,
    )
    if first is not None:
        yield BarSpan(
            kind=SpanKind.RUNNING,
            round=number,
            attempt=most,
            begins_at=first,
            ends_at=over,
            state=None,
            runs=runs,
        )
