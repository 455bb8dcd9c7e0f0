"""Calling a DAG run off: nothing more of it starts, and what is under way is cancelled."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskReason
from timegate.domain.dag_runs.run_errors import DagRunNotFound
from timegate.domain.runs.conclusion import calls_off
from timegate.domain.runs.run import Attempt
from timegate.ports.dag_runs import DagRunStore
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import Telemetry, of_dag_run
from timegate.usecases.dag_runs.dag_run_services import LOOK_SOON, DagWorks

#: Its status changes a few times in its life.
_TRIES = 5


def stopping(run: DagRun, *, now: datetime) -> DagRun:
    """A DAG run that is cancelled."""
    return replace(
        run,
        status=DagRunStatus.STOPPING,
        stops_as=DagRunStatus.CANCELLED,
        reason=TaskReason.DAG_CANCELLED,
        watch_at=now + LOOK_SOON,
        follow=True,
    )


def call_off(run: DagRun, dag_runs: DagRunStore, telemetry: Telemetry, *, now: datetime) -> None:
    """Stop a DAG run, unless it has ended or is being stopped; raises ``Throttled``.

    Should it change all the time, the next look at it does it.
    """
    for _ in range(_TRIES):
        if run.has_ended or run.stops_all:
            return
        if dag_runs.change(run, stopping(run, now=now)):
            telemetry.event(
                service_events.DAG_RUN_CALLED_OFF,
                **of_dag_run(run),
                started_by=str(run.started_by),
            )
            return
        run = dag_runs.get(run.tenant, run.dag_run_id)


def call_off_with_runs(shown: Sequence[Attempt], works: DagWorks) -> None:
    """Stop the DAG runs of runs that a caller asked to cancel; raises ``Throttled``.

    One that is shown twice, or late, changes nothing.
    """
    for attempt in shown:
        if not calls_off(attempt) or attempt.dag_run is None:
            continue
        try:
            run = works.dag_runs.get(attempt.tenant, attempt.dag_run)
        except DagRunNotFound:
            continue
        if run.started_by == attempt.id and run.is_awaited:
            call_off(run, works.dag_runs, works.telemetry, now=works.clock.now())
