"""Jobs whose runs fail, minute by minute, and what becomes of them."""

from dataclasses import replace
from datetime import datetime
from typing import Any

from tests.support.api import api_services
from tests.support.execution.pausing import pause_failing
from tests.support.execution.telling import hook, run_all
from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_factory, attempt_id
from tests.support.world import World
from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt
from timegate.domain.values.identity import Origin
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.resume_job import resume_job

GONE = Failure(kind=FailureKind.PERMANENT, code="http_410", type="HttpStatus", message="gone")
BUSY = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="HttpStatus", message="busy")
SLOW = Failure(kind=FailureKind.TIMEOUT, code="timeout", type="Timeout", message="slow")
DAILY = Schedule(kind=ScheduleKind.RATE, every_seconds=86_400)
ONCE = RetryPolicy(max_attempts=1)
REF = JobRef(tenant=TENANT, job_id=JOB_ID)


def a_world(*, pauses: int | None = 3, **fields: Any) -> World:  # noqa: ANN401 - a job's
    """A job that fails three times before it pauses itself; no tick plans runs of it."""
    world = World()
    told = (hook(Occasion.PAUSED),) if pauses is not None else ()
    given = {"schedule": DAILY, "next_run_at": after(86_400 - 3600)}
    given |= {"retry": ONCE, "notifications": told}
    world.add_job(**(given | {"pause_after_failures": pauses} | fields))
    return world


def planned(world: World, at: datetime | None = None, **fields: Any) -> Attempt:  # noqa: ANN401
    """A run of the schedule, due now."""
    due = at or world.clock.now()
    version = job_of(world).timing.version
    given = {"id": attempt_id(scheduled_at=due), "due_at": due, "job_version": version}
    attempt = attempt_factory(**(given | fields))
    world.runs.insert_all([attempt])
    return attempt


def run(world: World, *outcomes: Failure | None) -> None:
    """A run a minute, each with such an outcome; ``None``: it succeeds."""
    for outcome in outcomes:
        world.clock.advance(60)
        planned(world)
        if outcome is not None:
            world.target.then(outcome)
        run_all(world)


def job_of(world: World) -> Job:
    """The job as it is stored."""
    return world.jobs.get(TENANT, JOB_ID)


def is_paused(world: World) -> bool:
    """Tell if the job is paused."""
    return job_of(world).timing.status is JobStatus.PAUSED


def resume(world: World) -> None:
    """A caller resumes it, a second later."""
    world.clock.advance(1)
    resume_job(REF, api_services(world), now=world.clock.now())


def ends(world: World) -> list[Attempt]:
    """The ends of its runs, as streams may show them again."""
    found = [each for each in world.attempts() if each.id.run.origin is Origin.SCHEDULE]
    return [replace(each, watch_at=NOW) for each in found if each.ends_run]


def show_again(world: World) -> None:
    """All ends, oldest and latest first."""
    for shown in (ends(world), ends(world)[::-1]):
        pause_failing(shown, world)
