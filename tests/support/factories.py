"""Jobs, attempts and their parts with sensible defaults: a test names only what it is about."""

from dataclasses import fields as dataclass_fields
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.calendars.calendar import Calendar, CalendarName
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.job import Job, JobStatus, Timing
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.ledger.ledger import Gap
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import (
    Freeze,
    FreezeId,
    FreezeKind,
    FreezeScope,
    freeze_id_for,
)
from timegate.domain.runs.gate import first_state
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.watch import first_watch
from timegate.domain.values.identity import AttemptId, JobId, Origin, RunId, job_id_from
from timegate.domain.values.payload import Payload
from timegate.domain.values.tenant import ADMINISTRATION, TenantId

#: The moment at which tests begin.
NOW = datetime(2026, 11, 21, 7, tzinfo=UTC)
TENANT = TenantId("acme")
OTHER_TENANT = TenantId("globex")
JOB_ID = job_id_from(b"the job of the tests")
EVERY_MINUTE = Schedule(kind=ScheduleKind.RATE, every_seconds=60)


_TIMING_FIELDS = {field.name for field in dataclass_fields(Timing)}


def gap_factory(**fields: Any) -> Gap:  # noqa: ANN401 - the dataclass checks them
    """Ten instants of the hour before ``NOW`` that were missed."""
    defaults: dict[str, Any] = {
        "tenant": TENANT,
        "job_id": JOB_ID,
        "first": after(-3600),
        "last": after(-3060),
        "count": 10,
        "reason": Reason.MISSED_WINDOW,
        "job_version": 1,
        "recorded_at": NOW,
    }
    return Gap(**(defaults | fields))


def after(seconds: float) -> datetime:
    """An instant so many seconds after ``NOW``; before it when negative."""
    return NOW + timedelta(seconds=seconds)


def job_id(name: str) -> JobId:
    """The id of a job known to the test by a name."""
    return job_id_from(name.encode())


def run_id(
    *, job: JobId = JOB_ID, origin: Origin = Origin.SCHEDULE, scheduled_at: datetime = NOW
) -> RunId:
    """A run of the tests' job, due now."""
    return RunId(job_id=job, origin=origin, scheduled_at=scheduled_at)


def attempt_id(
    number: int = 1,
    *,
    job: JobId = JOB_ID,
    origin: Origin = Origin.SCHEDULE,
    scheduled_at: datetime = NOW,
) -> AttemptId:
    """An attempt, the first unless said otherwise, at such a run."""
    return AttemptId(run=run_id(job=job, origin=origin, scheduled_at=scheduled_at), number=number)


def timing_factory(**fields: Any) -> Timing:  # noqa: ANN401 - the dataclass checks them
    """An active job that fires every minute, next at ``NOW``."""
    timing = Timing(
        tenant=TENANT,
        job_id=JOB_ID,
        version=1,
        status=JobStatus.ACTIVE,
        schedule=EVERY_MINUTE,
        priority=Priority.NORMAL,
        resource_class=ResourceClass.SHORT,
        precision=Precision.SECOND,
        created_at=after(-3600),
        anchored_at=after(-3600),
        next_run_at=NOW,
    )
    return replace(timing, **fields)


def job_factory(**fields: Any) -> Job:  # noqa: ANN401 - the dataclass checks them
    """An active job that calls a web hook every minute; takes its timing's fields directly."""
    timing_fields = {name: fields.pop(name) for name in _TIMING_FIELDS & fields.keys()}
    timing = replace(fields.pop("timing", timing_factory()), **timing_fields)
    return replace(_job(timing), **fields)


def attempt_factory(**fields: Any) -> Attempt:  # noqa: ANN401 - the dataclass checks them
    """A first attempt, due now and queued; state and watch follow from a given ``due_at``."""
    due_at = fields.get("due_at", NOW)
    state = fields.get("state", first_state(due_at, NOW))
    attempt = Attempt(
        tenant=TENANT,
        id=attempt_id(scheduled_at=due_at),
        state=state,
        job_version=1,
        priority=Priority.NORMAL,
        resource_class=ResourceClass.SHORT,
        precision=Precision.SECOND,
        due_at=due_at,
        created_at=NOW,
        watch_at=first_watch(state, due_at, now=NOW),
    )
    return replace(attempt, **fields)


def lease_factory(
    *,
    owner: str = "worker-1",
    fence: int = 1,
    expires_at: datetime | None = None,
    deadline_at: datetime | None = None,
    length: timedelta | None = timedelta(seconds=60),
) -> Lease:
    """A worker's first lease: a minute long, on a run that may take half a minute."""
    return Lease(
        owner=owner,
        fence=fence,
        expires_at=expires_at or after(60),
        deadline_at=deadline_at or after(30),
        length=length,
    )


def running(attempt: Attempt | None = None, *, lease: Lease | None = None) -> Attempt:
    """The attempt, held by a worker under its first lease or the one given."""
    lease = lease or lease_factory()
    return replace(
        attempt or attempt_factory(), state=RunState.RUNNING, lease=lease, fence=lease.fence
    )


def _job(timing: Timing) -> Job:
    return Job(
        timing=timing,
        name="send the report",
        action=WebhookAction(url="https://hooks.example.com/report"),
        payload=Payload(),
        timeout_seconds=30,
        retry=RetryPolicy(),
        updated_at=timing.created_at,
        request_hash="a1b2c3",
    )


def calendar_factory(**fields: Any) -> Calendar:  # noqa: ANN401 - the dataclass checks them
    """The weekends of Berlin."""
    calendar = Calendar(
        tenant=TENANT,
        name=CalendarName("weekends"),
        timezone="Europe/Berlin",
        weekdays=frozenset({5, 6}),
        version=1,
        updated_at=NOW,
    )
    return replace(calendar, **fields)


def stage_freeze_factory(**fields: Any) -> Freeze:  # noqa: ANN401 - the dataclass checks them
    """Every tenant, for an hour from ``NOW``."""
    scope = FreezeScope(kind=FreezeKind.STAGE)
    return freeze_factory(**{"tenant": ADMINISTRATION, "scope": scope, **fields})


def freeze_factory(**fields: Any) -> Freeze:  # noqa: ANN401 - the dataclass checks them
    """The whole tenant, for an hour from ``NOW``; its id follows from the rest."""
    freeze = Freeze(
        tenant=TENANT,
        freeze_id=FreezeId(""),
        scope=FreezeScope(kind=FreezeKind.TENANT),
        starts_at=NOW,
        ends_at=after(3600),
        created_at=after(-60),
    )
    freeze = replace(freeze, **fields)
    freeze_id = freeze_id_for(
        freeze.tenant,
        freeze.scope,
        starts_at=freeze.starts_at,
        ends_at=freeze.ends_at,
        thaw=freeze.thaw,
        spared_tenants=freeze.spared_tenants,
    )
    return replace(freeze, freeze_id=freeze_id)
