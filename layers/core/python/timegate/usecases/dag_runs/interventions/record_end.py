"""The record of a DAG run's end among the runs of its DAG's own job."""

from datetime import datetime
from typing import Protocol

from timegate.domain.dag_runs.its_run import ended_record
from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.execution.notices import heard_of
from timegate.domain.jobs.hook import occasions_heard
from timegate.domain.jobs.job import Job
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.domain.values.identity import own_job_id
from timegate.ports.dag_runs import DagDefinitions
from timegate.ports.stores import JobStore, RunStore
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import Telemetry, of_dag_run


class RecordsEnds(Protocol):
    """Stores and telemetry that the record of an end needs."""

    @property
    def dags(self) -> DagDefinitions:
        """Definitions of DAGs."""

    @property
    def jobs(self) -> JobStore:
        """Jobs of DAGs."""

    @property
    def runs(self) -> RunStore:
        """Their runs."""

    @property
    def telemetry(self) -> Telemetry:
        """Told of an end that cannot be recorded."""


def record_end(run: DagRun, services: RecordsEnds, *, now: datetime) -> None:
    """Store the end as a run of the DAG's own job: the stream shows it as any end.

    Its id is computed from the DAG run and its round: a repeated call meets it. Outcomes does this
    for each end, and a caller who opens the DAG run anew does it first: no later look finds an end
    that another round has replaced.
    """
    if not may_be_recorded(run):
        return
    try:
        job = services.jobs.get(run.tenant, own_job_id(run.tenant, run.dag_id))
    except JobNotFound as error:
        tell_unrecorded(run, None, str(error), services)
    except JobDamaged as error:
        tell_unrecorded(run, error, str(error), services)
    else:
        record_of_own_job(run, job, services, now=now)


def may_be_recorded(run: DagRun) -> bool:
    """Tell if the DAG's own job, as it is now, decides about a record of this end.

    Channels and followers that the DAG got while it ran count as those that it had before. An end
    that is done with is none that they are told of, and runs that the own job started are heard of
    themselves.
    """
    if run.started_by is not None and run.started_by.run.job_id == own_job_id(
        run.tenant, run.dag_id
    ):
        return False
    return run.is_heard or run.watch_at is not None


def record_of_own_job(run: DagRun, job: Job, services: RecordsEnds, *, now: datetime) -> None:
    """Store the record of an end under the own job, if something follows ends of the DAG."""
    if not run.is_heard and not (occasions_heard(job.notifications) or job.then):
        return
    dag = services.dags.version(run.tenant, run.dag_id, run.dag_version)
    failed = [dag.tasks[place].key for place in sorted(run.failed)]
    services.runs.insert_all([ended_record(run, failed, job, heard_of(job), now=now)])


def tell_unrecorded(run: DagRun, damage: object | None, detail: str, services: RecordsEnds) -> None:
    """Log an end that is told of to no channel; a DAG without a job has none that listens."""
    if run.is_heard or damage is not None:
        services.telemetry.event(
            service_events.DAG_RUN_NOT_TOLD, **of_dag_run(run), started_by=None, detail=detail
        )
