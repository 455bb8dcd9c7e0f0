"""Data of events: references, codes and instants, and nothing that a tenant stored or a target
answered.

A rule of a bus may hand an event to all whom the operator lets subscribe. Payloads, results,
messages of errors, names and tags stay behind the API, where the tenant's token guards them.
Instants are RFC 3339 texts. A field without a value is left out.
"""

from typing import Annotated, NotRequired, TypedDict

from timegate.domain.dag_runs.progress import DagRunStatus, TaskReason
from timegate.domain.dag_runs.run_identity import DagTrigger
from timegate.domain.jobs.demands import Priority, ResourceClass
from timegate.domain.jobs.job import JobStatus
from timegate.domain.runs.run_states import Reason, RunState


class Instant(str):
    """Marks a text that is an instant."""

    __slots__ = ()


class RunData(TypedDict):
    """An attempt at a run, after the transition."""

    run_id: Annotated[str, "The run, as the API names it."]
    attempt: Annotated[int, "Number of the attempt, from 1."]
    state: Annotated[RunState, "State after the transition."]
    origin: Annotated[str, "Origin of the run: schedule, trigger, task or follow_up."]
    job_id: NotRequired[Annotated[str, "The job; a task's run has none."]]
    dag_run_id: NotRequired[Annotated[str, "The DAG run, of a task's run."]]
    task_key: NotRequired[Annotated[str, "Key of the task in its DAG, of a task's run."]]
    job_version: Annotated[int, "Version of the job (or DAG) under which it was planned."]
    priority: Annotated[Priority, "Priority of its queue."]
    resource_class: Annotated[ResourceClass, "Resource class of its queue."]
    scheduled_at: Annotated[Instant, "Nominal instant of the run."]
    due_at: Annotated[Instant, "Instant at which this attempt may start."]
    started_at: NotRequired[Annotated[Instant, "Start of the attempt."]]
    ended_at: NotRequired[Annotated[Instant, "End of the attempt."]]
    fence: Annotated[int, "Number of leases of the run so far."]
    reason: NotRequired[Annotated[Reason, "Reason of the end that the state does not give."]]
    error_code: NotRequired[Annotated[str, "Stable code of the error; never its message."]]


class DagRunData(TypedDict):
    """A DAG run, after the transition."""

    dag_run_id: Annotated[str, "The DAG run."]
    dag_id: Annotated[str, "Its DAG."]
    dag_version: Annotated[int, "Version of the DAG that it keeps to."]
    status: Annotated[DagRunStatus, "Status after the transition."]
    trigger: Annotated[DagTrigger, "Origin of the DAG run."]
    round: Annotated[int, "Round, from 1."]
    tasks: Annotated[int, "Number of its tasks."]
    scheduled_at: Annotated[Instant, "Nominal instant."]
    started_by_run_id: NotRequired[Annotated[str, "The run of a job whose work it does."]]
    ended_at: NotRequired[Annotated[Instant, "End of the DAG run."]]
    reason: NotRequired[Annotated[TaskReason, "Reason of the end."]]


class JobData(TypedDict):
    """A job, after the change."""

    job_id: Annotated[str, "The job."]
    version: Annotated[int, "Version of the job after the change."]
    status: NotRequired[Annotated[JobStatus, "Status, if the change is of it."]]
    changed_fields: NotRequired[
        Annotated[list[str], "Names of the fields that changed; never their values."]
    ]
    operation: NotRequired[
        Annotated[str, "Operation of the API, or bulk operation, that made the change."]
    ]
