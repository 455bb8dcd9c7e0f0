"""The job that governs the runs of a task: no listing shows it, and one DAG run alone has it."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.dag_runs.progress import DagRun
from timegate.domain.dag_runs.run_identity import TaskRunMark
from timegate.domain.dags.definition import Dag, InlineTask, Task
from timegate.domain.dags.task_job import task_job
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.gate import first_state
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import first_watch
from timegate.domain.values.identity import AttemptId, JobId
from timegate.domain.values.payload import Payload

#: Fields of a job's definition that a task takes over; it says or defaults the others.
TAKEN_OVER = frozenset(
    {
        *("action", "timeout_seconds", "retry", "delivery", "long_run", "overlap"),
        *("name", "description", "metadata", "tags", "payload", "resource_class", "precision"),
        *("catch_up", "rate_limit", "before", "payload_marks", "payload_schema"),
    }
)


def governs_inline(
    run: DagRun, dag: Dag, task: Task, spec: InlineTask, payload: Payload, *, now: datetime
) -> Job:
    """The job that a task is which says itself what runs; it was held to the rules as this."""
    job = task_job(dag, task, spec, JobId(run.dag_run_id))
    return replace(
        job,
        timing=replace(job.timing, created_at=now, anchored_at=now),
        name=f"{dag.name} / {job.name}",
        payload=payload,
        updated_at=now,
        request_hash="",
    )


def governs_job(run: DagRun, task: Task, job: Job, *, now: datetime) -> Job:
    """The job that a task names, as it governs the task: its schedule and its hooks stay behind.

    It holds the slots that it holds anywhere, and a freeze of it holds the task back.
    """
    key, marks = job.slot_key, job.payload_marks
    if marks is not None and marks.timezone is None:
        # Its schedule stays behind, and with it the zone whose days it names.
        marks = replace(marks, timezone=job.timing.schedule.zone_of_days)
    reduced = job.reduced(
        TAKEN_OVER,
        {
            "schedule": Schedule(kind=ScheduleKind.IMMEDIATE),
            "priority": task.priority or job.timing.priority,
            "payload_marks": marks,
            "overlap": replace(job.overlap, concurrency_key=key.name if key is not None else None),
        },
    )
    timing = replace(
        reduced.timing,
        job_id=JobId(run.dag_run_id),
        named_job=job.job_id,
        status=JobStatus.ACTIVE,
        created_at=now,
        anchored_at=now,
        next_run_at=None,
        decided_until=None,
        held_at=None,
        paused_at=None,
        reopens_from=None,
    )
    return replace(reduced, timing=timing, last_operation=None)


def task_attempt(
    run: DagRun,
    mark: TaskRunMark,
    governor: Job,
    payload: Payload | None,
    *,
    now: datetime,
    direct: bool = False,
) -> Attempt:
    """The first attempt at the run of a task, or of a member of one: due at once.

    ``direct``: its creator publishes it.
    """
    timing = governor.timing
    state = first_state(now, now)
    return Attempt(
        tenant=run.tenant,
        id=AttemptId(run=mark.run_id(run.scheduled_at), number=1),
        state=state,
        job_version=timing.version,
        priority=timing.priority,
        resource_class=timing.resource_class,
        precision=timing.precision,
        due_at=now,
        created_at=now,
        watch_at=first_watch(state, now, now=now, direct=direct and timing.offer is None),
        direct=direct,
        # Tries count from here, and not from when the DAG run was scheduled.
        opened_at=now,
        offer=timing.offer,
        payload=payload,
        trace=run.any_trace,
    )
