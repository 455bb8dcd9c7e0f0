"""Runs that a job's own runs cause take over the fields of its definition that are listed."""

from dataclasses import replace

from hypothesis import given

from tests.support.factories import NOW, attempt_factory
from tests.unit.adapters.dynamo.job_strategies import jobs
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.dag_runs import task_governor
from timegate.domain.dag_runs.progress import DagRun, DagRunStatus
from timegate.domain.dag_runs.run_identity import DagTrigger
from timegate.domain.dags.definition import JobTask, Task
from timegate.domain.execution import notices
from timegate.domain.jobs.definition import DEFINED, defaults
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.limits.overlap import Overlap
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.identity import DagId, DagRunId, TaskKey
from timegate.domain.values.payload import Payload, PayloadMarks

HOOK = Subscription(channel=WebhookChannel(url="https://alerts.example.com"), on=(Occasion.FAILED,))


def said(job: Job) -> dict[str, object]:
    """All that a job's definition says, by field."""
    return {name: job.defined(name) for name in DEFINED}


def kept(job: Job, names: frozenset[str]) -> dict[str, object]:
    """The default of every field, but for those that are taken over."""
    return {**defaults(), "payload": Payload()} | {name: job.defined(name) for name in names}


def in_zone(job: Job) -> PayloadMarks | None:
    """Its marks, with the zone that its schedule says where they say none."""
    marks, schedule = job.payload_marks, job.timing.schedule
    return PayloadMarks(timezone=schedule.zone_of_days) if marks == PayloadMarks() else marks


def test_only_fields_of_a_definition_are_taken_over() -> None:
    """A name that no definition has would be taken over silently once it has it."""
    assert notices.TAKEN_OVER <= DEFINED
    assert task_governor.TAKEN_OVER <= DEFINED


@given(job=jobs)
def test_a_notice_takes_over_what_is_listed(job: Job) -> None:
    """It calls its hook as every notice does, whatever the job says of its own runs."""
    job = replace(job, notifications=(HOOK,))
    told = notices.notices(job, attempt_factory(), Occasion.FAILED, at=NOW, now=NOW)[0]

    governed = notices.as_governed(job, told)

    assert governed is not None
    text = told.notice or ""
    assert said(governed) == kept(job, notices.TAKEN_OVER) | {
        "action": HOOK.channel.action,
        "payload": Payload(inline=text, size_bytes=len(text.encode())),
        "timeout_seconds": notices.TIMEOUT_SECONDS,
        "retry": notices.RETRY,
    }
    assert governed.timing.offer is None


@given(job=jobs)
def test_a_task_takes_over_what_is_listed(job: Job) -> None:
    """It runs when its DAG says so, in the slots of its job."""
    run = DagRun(
        tenant=job.tenant,
        dag_run_id=DagRunId("r"),
        dag_id=DagId("d"),
        dag_version=1,
        scheduled_at=NOW,
        created_at=NOW,
        deadline_at=NOW,
        status=DagRunStatus.RUNNING,
        trigger=DagTrigger.MANUAL,
        watch_at=None,
        tasks=1,
        parameters=Payload(),
        request_hash="",
    )
    task = Task(key=TaskKey("t"), spec=JobTask(job_id=job.job_id))
    key = job.slot_key

    governed = task_governor.governs_job(run, task, job, now=NOW)

    assert said(governed) == kept(job, task_governor.TAKEN_OVER) | {
        "schedule": Schedule(kind=ScheduleKind.IMMEDIATE),
        "payload_marks": in_zone(job),
        "priority": job.timing.priority,
        "overlap": replace(job.overlap, concurrency_key=key.name if key is not None else None),
    }
    assert isinstance(governed.overlap, Overlap)
