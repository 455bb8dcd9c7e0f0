"""A task in the shape of a job: what governs its runs, and what the rules of jobs look at."""

from timegate.domain.dags.definition import Dag, InlineTask, Task
from timegate.domain.jobs.definition import RunDefinition, part_of_definition
from timegate.domain.jobs.demands import Priority
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.identity import JobId
from timegate.domain.values.payload import Payload


def task_job(dag: Dag, task: Task, spec: InlineTask, job_id: JobId) -> Job:
    """The job that a task with an inline spec is: it runs when its DAG says so, and only then."""
    return Job(
        **part_of_definition(RunDefinition, spec),
        timing=Timing(
            tenant=dag.tenant,
            job_id=job_id,
            version=dag.version,
            status=JobStatus.ACTIVE,
            schedule=Schedule(kind=ScheduleKind.IMMEDIATE),
            priority=task.priority or Priority.NORMAL,
            resource_class=spec.resource_class,
            created_at=dag.created_at,
            anchored_at=dag.updated_at,
            next_run_at=None,
            offer=spec.action.offer,
            tags=dag.tags,
        ),
        name=task.name or task.key,
        payload=Payload(inline=spec.payload, size_bytes=len((spec.payload or "").encode())),
        updated_at=dag.updated_at,
        request_hash=dag.request_hash,
    )
