"""Opening a DAG run: its tasks are put on record, and those start that wait for nothing."""

from dataclasses import replace

from timegate.domain.dag_runs.progress import DagRun, DagRunStatus, TaskProgress
from timegate.domain.dags.definition import JobTask
from timegate.domain.values.errors import JobDamaged, JobNotFound
from timegate.domain.values.identity import JobId
from timegate.domain.values.tenant import TenantId
from timegate.ports.telemetry import service_events
from timegate.ports.telemetry.telemetry import of_dag_run
from timegate.usecases.dag_runs.dag_run_services import Course, DagWorks, next_look
from timegate.usecases.dag_runs.tasks.advance import consider_all, follow_up
from timegate.usecases.dag_runs.tasks.wait_task import watch_waits


def open_dag_run(run: DagRun, works: DagWorks) -> None:
    """Open a DAG run, unless it is open; raises ``Throttled``.

    All records before its execution, which leaves tokens on them, and before the first start: what
    a task decides finds them there. A crash on the way leaves a DAG run that is still to be opened,
    and the next one meets what it did.
    """
    if run.status is not DagRunStatus.OPENING:
        return
    course = Course.of(run, works)
    versions = _job_versions(course, works)
    works.dag_runs.open_tasks(
        run,
        [
            TaskProgress(
                tenant=run.tenant,
                dag_run_id=run.dag_run_id,
                key=task.key,
                round=run.round,
                job_version=(
                    versions.get(task.spec.job_id) if isinstance(task.spec, JobTask) else None
                ),
            )
            for task in course.dag.tasks
        ],
    )
    works.executions.begin(run, [task.key for task in course.dag.tasks])
    _set_going(course, works)


def _set_going(course: Course, works: DagWorks) -> None:
    """Start whatever can start of a DAG run whose tasks are all on record, and call it running."""
    run = course.run
    consider_all(course, works.dag_runs.tasks(run.tenant, run.dag_run_id), works)
    going = replace(
        run,
        status=DagRunStatus.RUNNING,
        watch_at=next_look(run, works.clock.now()),
        follow=False,
    )
    if works.dag_runs.change(run, going):
        works.telemetry.event(
            service_events.DAG_RUN_GOING,
            **of_dag_run(run),
            round=run.round,
        )
    if course.has_waits:
        watch_waits(course, works.dag_runs.tasks(run.tenant, run.dag_run_id), works)
    # Its tasks may all have ended before it was called running.
    follow_up(course.at(works.dag_runs.get(run.tenant, run.dag_run_id)), works)


def _job_versions(course: Course, works: DagWorks) -> dict[JobId, int]:
    """Read the current versions of jobs that tasks name; deleted jobs are missing."""
    named = {task.spec.job_id for task in course.dag.tasks if isinstance(task.spec, JobTask)}
    found = ((job_id, _version(course.run.tenant, job_id, works)) for job_id in sorted(named))
    return {job_id: version for job_id, version in found if version is not None}


def _version(tenant: TenantId, job_id: JobId, works: DagWorks) -> int | None:
    try:
        return works.jobs.get(tenant, job_id).timing.version
    except (JobDamaged, JobNotFound):
        return None
