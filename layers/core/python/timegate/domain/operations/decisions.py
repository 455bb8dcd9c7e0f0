"""Decisions that wait for a person: failed runs and paused jobs, grouped by cause."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from enum import StrEnum

from timegate.domain.jobs.job import Job
from timegate.domain.operations.dead_letter import NamedRun, code_of
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.value_classes import dataclass

#: Runs of a group that are shown.
SHOWN = 5
#: Ends that no caller asked for; a run that was skipped or cancelled needs no decision.
_UNDECIDED = frozenset({RunState.FAILED, RunState.TIMED_OUT, RunState.DEAD_LETTERED})


class DecisionKind(StrEnum):
    """Kinds of what waits; each is settled in its own way."""

    #: Failures in a row paused the job; nothing of it runs until it is resumed.
    PAUSED_JOB = "paused_job"
    #: A run was given up after its attempts: redrive or discard it.
    DEAD_LETTER = "dead_letter"
    #: A task of a DAG run failed for good: retry, complete or skip it.
    DAG_TASK = "dag_task"
    #: A run failed permanently: redrive it, or mend its job.
    FAILED_RUN = "failed_run"


@dataclass(frozen=True, kw_only=True, slots=True)
class DecisionCause:
    """The kind of a decision, and why its runs failed."""

    kind: DecisionKind
    reason: Reason | None
    error_code: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Decision:
    """Runs that failed for one cause, or the last failures of jobs that paused for one."""

    cause: DecisionCause
    #: Runs; of paused jobs: jobs.
    count: int
    jobs: int
    #: Ends of the first and the last of them.
    first_at: datetime
    last_at: datetime
    #: Up to ``SHOWN``, the latest end first.
    latest: tuple[NamedRun, ...]


def decisions(latest_first: Iterable[NamedRun]) -> tuple[Decision, ...]:
    """Group what waits for a decision, the largest group first.

    A run that is settled, was skipped or was cancelled is left out. The runs of a job that paused
    are shown in their own groups as well.
    """
    groups: dict[DecisionCause, list[NamedRun]] = {}
    for each in latest_first:
        kind = _kind_of(each.last)
        if kind is not None:
            groups.setdefault(_cause(kind, each.last), []).append(each)
        if _paused_its_job(each):
            groups.setdefault(_cause(DecisionKind.PAUSED_JOB, each.last), []).append(each)
    found = [_decision(cause, rows) for cause, rows in groups.items()]
    kinds = list(DecisionKind)
    return tuple(sorted(found, key=lambda each: (kinds.index(each.cause.kind), -each.count)))


def paused_jobs(failed: Iterable[NamedRun]) -> tuple[Job, ...]:
    """Return the jobs that failures paused, by their deciding runs."""
    return tuple(each.job for each in failed if each.job is not None and _paused_its_job(each))


def _paused_its_job(failed: NamedRun) -> bool:
    """Tell if this run's end paused its job, which has not been resumed."""
    job = failed.job
    if job is None or not job.timing.paused_itself:
        return False
    pause = job.timing.failure_pause
    return pause is not None and pause.attempt.run == failed.last.id.run


def _kind_of(last: Attempt) -> DecisionKind | None:
    if not last.is_failure or last.state not in _UNDECIDED or last.resolution is not None:
        return None
    if last.is_task:
        return DecisionKind.DAG_TASK
    return DecisionKind.DEAD_LETTER if last.is_dead_letter else DecisionKind.FAILED_RUN


def _cause(kind: DecisionKind, last: Attempt) -> DecisionCause:
    return DecisionCause(kind=kind, reason=last.reason, error_code=code_of(last))


def _decision(cause: DecisionCause, rows: Sequence[NamedRun]) -> Decision:
    ends = [row.last.ended_at for row in rows if row.last.ended_at is not None]
    return Decision(
        cause=cause,
        count=len(rows),
        jobs=len({row.last.id.run.job_id for row in rows}),
        first_at=min(ends),
        last_at=max(ends),
        latest=tuple(rows[:SHOWN]),
    )
