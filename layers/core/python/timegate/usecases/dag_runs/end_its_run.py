"""The end of a DAG run is the end of the job's run whose work it does."""

from dataclasses import replace

from timegate.domain.dag_runs.its_run import concluded, ended_record_id
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.execution.notices import as_governed
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.runs.run import TERMINAL, Attempt, RunState
from timegate.domain.values.errors import JobNotFound
from timegate.domain.values.identity import own_job_id
from timegate.ports.stores import AttemptRef, Loaded
from timegate.ports.telemetry import run_events, run_metrics, service_events
from timegate.ports.telemetry.telemetry import lines_of_ends, of_dag_run
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks
from timegate.usecases.dag_runs.interventions.record_end import (
    may_be_recorded,
    record_end,
    record_of_own_job,
    tell_unrecorded,
)
from timegate.usecases.limits.overlap_releases import free_slot
from timegate.usecases.limits.tallied_ends import counted_as
from timegate.usecases.runs.store_conclusion import store_conclusion

_METRICS = {
    RunState.SUCCEEDED: run_metrics.RUNS_SUCCEEDED,
    RunState.FAILED: run_metrics.RUNS_FAILED,
    RunState.TIMED_OUT: run_metrics.RUNS_TIMED_OUT,
    RunState.CANCELLED: run_metrics.RUNS_CANCELLED,
    RunState.DEAD_LETTERED: run_metrics.RUNS_DEAD_LETTERED,
}


def is_called_off(run: DagRun, works: DagWorks) -> bool:
    """Tell if the job's run has ended or was asked to end; costs a read. Costs a read.

    The stream says so at once; this is for what it did not say.
    """
    if not run.is_awaited:
        return False
    attempt = _its_attempt(run, works).attempt
    return attempt is not None and (attempt.state in TERMINAL or attempt.cancel_requested)


def end_its_run(run: DagRun, works: DagWorks) -> None:
    """End the attempt that waits for a DAG run which has ended; raises ``Throttled``.

    The DAG run leaves the ``watch`` index last: a process that dies on the way leaves a DAG run
    that is looked at again. So is one whose attempt waits to be claimed anew, by a worker that then
    meets this DAG run.
    """
    if not run.is_awaited:
        record_end(run, works, now=works.clock.now())
        if run.watch_at is not None:
            works.dag_runs.change(run, replace(run, watch_at=None, follow=False))
        return
    loaded = _recorded(run, works)
    if loaded.unreadable is not None or not _has_ended(run, loaded, works):
        works.telemetry.event(
            service_events.DAG_RUN_NOT_TOLD,
            **of_dag_run(run),
            started_by=str(run.started_by),
            detail=loaded.unreadable,
        )
        return
    works.dag_runs.change(run, replace(run, is_told=True, watch_at=None, follow=False))


def _recorded(run: DagRun, works: DagWorks) -> Loaded:
    """Record the end under the DAG's own job; returns the job's run that waits, read with it."""
    own = own_job_id(run.tenant, run.dag_id)
    if not may_be_recorded(run) or run.started_by is None:
        return _its_attempt(run, works)
    awaited = AttemptRef(tenant=run.tenant, id=run.started_by)
    record = AttemptRef(tenant=run.tenant, id=ended_record_id(run, own))
    its, of_own = works.runs.load_all([awaited, record])
    if of_own.job is None:
        detail = of_own.unreadable or str(JobNotFound(own))
        tell_unrecorded(run, of_own.unreadable, detail, works)
    elif of_own.attempt is None:
        record_of_own_job(run, of_own.job, works, now=works.clock.now())
    return its


def _its_attempt(run: DagRun, works: DagWorks) -> Loaded:
    if run.started_by is None:
        return Loaded(attempt=None, job=None)
    (loaded,) = works.runs.load_all([AttemptRef(tenant=run.tenant, id=run.started_by)])
    return loaded


def _has_ended(run: DagRun, loaded: Loaded, works: DagWorks) -> bool:
    """Now, or before; also one that is forgotten already."""
    attempt = loaded.attempt
    if attempt is None:
        return True
    running = attempt.state is RunState.RUNNING
    if attempt.state not in TERMINAL and not (running and _end(run, attempt, loaded, works)):
        return False
    if attempt.lease is not None:
        # Its slot is as long as its lease: after a crash before this write it would block others.
        job, now = as_governed(loaded.job, attempt), works.clock.now()
        free_slot(attempt, attempt.lease, job, works, now=now)
    return True


def _end(run: DagRun, attempt: Attempt, loaded: Loaded, works: DagWorks) -> bool:
    """Under the fence that is stored; who takes it over meanwhile is met by the next look."""
    now = works.clock.now()
    job = as_governed(loaded.job, attempt)
    policy = job.retry if job is not None else RetryPolicy(max_attempts=1)
    failed = [Course.of(run, works).dag.tasks[place].key for place in sorted(run.failed)]
    left = replace(attempt, dag_run=run.dag_run_id)
    conclusion = concluded(run, failed, left, policy, now=now)
    stored = store_conclusion(conclusion, works.runs)
    if stored is None:
        return False
    ended = stored.ended
    works.telemetry.count(counted_as(ended, _METRICS[ended.state]))
    works.telemetry.count(
        counted_as(ended, run_metrics.RUNS_RETRIED), int(stored.retry is not None)
    )
    for fields in lines_of_ends([ended]):
        works.telemetry.event(run_events.RUN_ENDED, **of_dag_run(run), **fields)
    return True
