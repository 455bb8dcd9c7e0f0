"""Ends of jobs' runs that a DAG run works for: they end as the DAG run did."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.conclusion import Conclusion, end, fail, succeed
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.watch import watched_end
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId, TaskKey, job_id_from

_MARK_LENGTH = 16
#: So many failed tasks are named.
_NAMED = 5
#: Error of failed DAG runs, for a job's ``retry``.
FAILED = "dag_run_failed"
TIMED_OUT = "dag_run_timed_out"


def concluded(
    run: DagRun,
    failed: Sequence[TaskKey],
    attempt: Attempt,
    policy: RetryPolicy,
    *,
    now: datetime,
) -> Conclusion:
    """The end of the attempt, and the attempt that follows if its job asks for one by name.

    A DAG has a policy of its own for failures: unless the job says otherwise, what it came to
    stands. ``failed``: the tasks that failed, without another that deals with it.
    """
    match run.status:
        case DagRunStatus.SUCCEEDED:
            text = json.dumps({"dag_run_id": run.dag_run_id, "status": run.status})
            ended = succeed(attempt, started_at=run.created_at, now=now, result=text)
            return Conclusion(ended=ended, retry=None, explanation="done")
        case DagRunStatus.CANCELLED:
            ended = end(attempt, RunState.CANCELLED, now=now, reason=Reason.CANCEL_REQUESTED)
            explanation = f"its DAG run {run.dag_run_id} was cancelled"
            ended = replace(ended, started_at=run.created_at, explanation=explanation)
            return Conclusion(ended=ended, retry=None, explanation=explanation)
        case DagRunStatus.TIMED_OUT:
            failure = _failure(TIMED_OUT, f"DAG run {run.dag_run_id} took longer than it may.")
            given_up = fail(attempt, failure, policy, started_at=run.created_at, now=now)
            return _as_timed_out(given_up)
        case _:
            failure = _failure(FAILED, _what_failed(run, failed))
            return fail(attempt, failure, policy, started_at=run.created_at, now=now)


def ended_record_id(run: DagRun, own_job_id: JobId) -> AttemptId:
    """Name the record of a round's end among the runs of the DAG's own job."""
    mark = job_id_from(f"dag-run\n{run.dag_run_id}\n{run.round}".encode())[:_MARK_LENGTH]
    own = RunId(
        job_id=own_job_id, origin=Origin.FOLLOW_UP, scheduled_at=run.scheduled_at, about=mark
    )
    return AttemptId(run=own, number=1)


def ended_record(
    run: DagRun, failed: Sequence[TaskKey], job: Job, notify: tuple[Occasion, ...], *, now: datetime
) -> Attempt:
    """The run of the DAG's own job that stands for a DAG run which the job did not start.

    It begins and ends with this record. ``notify``: the ends that are told of.
    """
    timing = job.timing
    running = Attempt(
        tenant=run.tenant,
        id=ended_record_id(run, timing.job_id),
        state=RunState.RUNNING,
        job_version=timing.version,
        priority=timing.priority,
        resource_class=timing.resource_class,
        precision=timing.precision,
        due_at=run.scheduled_at,
        created_at=run.created_at,
        watch_at=None,
        started_at=run.created_at,
        dag_run=run.dag_run_id,
        payload=run.parameters,
        notify=notify,
        listed=timing.lists_runs,
        trace=run.any_trace,
    )
    # It ends as it is written, as every record does: meter and archive look for ends that are new.
    return concluded(run, failed, running, RetryPolicy(max_attempts=1), now=now).ended


def _as_timed_out(conclusion: Conclusion) -> Conclusion:
    if conclusion.ended.state is not RunState.FAILED:
        return conclusion
    timed_out = replace(conclusion.ended, state=RunState.TIMED_OUT)
    return replace(conclusion, ended=watched_end(timed_out))


def _failure(code: str, message: str) -> Failure:
    kind = FailureKind.PERMANENT
    return Failure(kind=kind, code=code, type="DagRunFailed", message=message)


def _what_failed(run: DagRun, failed: Sequence[TaskKey]) -> str:
    if not failed:
        return f"DAG run {run.dag_run_id} failed ({run.reason})."
    named = ", ".join(failed[:_NAMED])
    more = f" and {len(failed) - _NAMED} more" if len(failed) > _NAMED else ""
    return f"DAG run {run.dag_run_id} failed: {named}{more}."
