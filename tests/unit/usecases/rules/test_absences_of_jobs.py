"""Jobs that say within which span they are to succeed: their own channels are told, once."""

from datetime import timedelta
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.overlapping import Script, crash, interrupted_stores
from tests.support.execution.telling import documents, hook, notices, run_all
from tests.support.factories import JOB_ID, NOW, TENANT, after, attempt_factory, attempt_id
from tests.support.ruling import look, looking, put_rule, told
from tests.support.world import World
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.rules.rule import Absence, When
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import AbsenceRef
from timegate.usecases.jobs.cancel_job import cancel_job
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.rules.make_looks import make_looks
from timegate.usecases.sweeping.wake_overdue import wake_rules

HOUR = 3_600
DAILY = Schedule(kind=ScheduleKind.RATE, every_seconds=86_400)
REF = AbsenceRef(tenant=TENANT, job_id=JOB_ID)
SILENT = "send the report: no run has succeeded for 1 hour."


def a_world(**fields: Any) -> World:  # noqa: ANN401 - a job's
    """A job that is to succeed within an hour, and tells a channel if it does not."""
    world = World()
    defaults: dict[str, Any] = {
        "schedule": DAILY,
        "created_at": NOW,
        "updated_at": NOW,
        "next_run_at": after(86_400),
        "absent_after_seconds": HOUR,
        "notifications": (hook(Occasion.ABSENT),),
    }
    world.add_job(**(defaults | fields))
    return world


def succeed(world: World, seconds: float, state: RunState = RunState.SUCCEEDED) -> None:
    """A run that ended so many seconds after the beginning."""
    run = attempt_factory(
        id=attempt_id(scheduled_at=after(seconds - 1)),
        state=state,
        started_at=after(seconds - 1),
        ended_at=after(seconds),
        watch_at=None,
    )
    world.runs.insert_all([run])


def pass_until(world: World, seconds: float) -> int:
    """Let the sweeper find watches until then, and count the looks that follow."""
    until, looks = after(seconds), 0
    while world.clock.now() < until:
        world.clock.advance(min(60, (until - world.clock.now()).total_seconds()))
        due = list(world.rules.overdue_rules(until=world.clock.now()))
        wake_rules(world.rules, world.telemetry, now=world.clock.now())
        assert make_looks(due, looking(world)) == [True] * len(due)
        looks += len(due)
    return looks


def told_of(world: World) -> list[str]:
    """Return the words of all that the channel was told."""
    run_all(world)
    return [each["text"] for each in documents(world)]


def test_a_success_behind_many_runs_is_enough() -> None:
    """More runs have ended since than a look reads: skipped ones, while another one worked."""
    world = a_world(absent_after_seconds=24 * HOUR)
    succeed(world, 9 * HOUR)
    for minute in range(600):
        succeed(world, 9 * HOUR + 60 * (minute + 1), RunState.SKIPPED)
    world.clock.advance(24 * HOUR)
    looks = make_looks([REF], looking(world))

    assert (looks, told_of(world)) == ([True], [])

    world.clock.advance(9 * HOUR)
    make_looks([REF], looking(world))

    assert told_of(world) == ["send the report: no run has succeeded for 1 day."]


def test_a_job_without_a_success_is_told_of_once() -> None:
    """An hour after it was created, to the minute; not before, nor again."""
    world = a_world()

    assert pass_until(world, HOUR - 60) == 0
    assert told_of(world) == []
    pass_until(world, HOUR)
    assert told_of(world) == [SILENT]
    pass_until(world, 5 * HOUR)
    assert told_of(world) == [SILENT]


def test_the_document_says_since_when() -> None:
    """Programs read the span and the success that it counts from."""
    world = a_world()
    succeed(world, 600)
    pass_until(world, 2 * HOUR)
    run_all(world)
    (document,) = documents(world)

    assert (document["type"], document["job"]["job_id"]) == ("job.absent", JOB_ID)
    assert document["absence"] == {"since": "2026-11-21T07:10:00.000Z", "for_seconds": HOUR}
    assert document["notification_id"] == str(notices(world)[0].id.run)


def test_a_success_begins_the_span_anew() -> None:
    """A look finds it, and the next one comes when the span after it is over."""
    world = a_world()
    succeed(world, 1_000)

    assert pass_until(world, HOUR + 940) == 1
    assert told_of(world) == []
    assert pass_until(world, HOUR + 1_020) == 1
    assert told_of(world) == [SILENT]


@pytest.mark.parametrize("state", [RunState.FAILED, RunState.SKIPPED, RunState.CANCELLED])
def test_no_other_end_is_a_success(state: RunState) -> None:
    """Runs end, and none of them well."""
    world = a_world()
    succeed(world, 1_000, state)
    pass_until(world, HOUR)

    assert told_of(world) == [SILENT]


def test_an_absence_after_a_success_is_told_of_again() -> None:
    """It has a message of its own."""
    world = a_world()
    pass_until(world, HOUR)
    succeed(world, HOUR + 600)
    pass_until(world, 2 * HOUR + 540)
    assert told_of(world) == [SILENT]
    pass_until(world, 2 * HOUR + 660)

    assert told_of(world) == [SILENT, SILENT]
    assert len({each.id for each in notices(world)}) == 2


def test_a_span_of_days_is_looked_at_daily() -> None:
    """The success that it counts from is still on record then."""
    world = a_world(absent_after_seconds=10 * 86_400)

    assert pass_until(world, 3 * 86_400) == 3
    assert told_of(world) == []


def test_a_job_that_is_not_to_run_is_not_awaited() -> None:
    """A caller paused it, or it ended; the span begins anew when it goes on."""
    paused = a_world(status=JobStatus.PAUSED)
    cancelled = a_world()
    services = api_services(cancelled)
    ref = JobRef(tenant=TENANT, job_id=JOB_ID)
    cancel_job(ref, services, now=after(60))

    assert pass_until(paused, 2 * HOUR) == 0
    assert pass_until(cancelled, 2 * HOUR) == 0
    assert told_of(paused) + told_of(cancelled) == []


def test_a_job_that_completed_is_looked_at_once_more() -> None:
    """No write of its completion knows the watch."""
    world = a_world(next_run_at=None)
    assert world.jobs.complete(TENANT, JOB_ID, now=after(60))

    assert pass_until(world, 3 * HOUR) == 1
    assert told_of(world) == []


def test_a_change_of_the_span_begins_it_anew() -> None:
    """From the change on; without a span no look follows."""
    world = a_world()
    services, ref = api_services(world), JobRef(tenant=TENANT, job_id=JOB_ID)
    update_job(ref, JobChanges(absent_after_seconds=2 * HOUR), services, now=after(600))
    assert pass_until(world, 2 * HOUR) == 0
    assert pass_until(world, 2 * HOUR + 600) == 1
    update_job(
        ref, JobChanges(absent_after_seconds=None, notifications=()), services, now=after(8_000)
    )

    assert pass_until(world, 9 * HOUR) == 0


def test_a_look_that_a_change_overtakes_stores_nothing() -> None:
    """It is made again, and finds the new span."""
    world = a_world()
    world.clock.advance(HOUR)
    before = world.absences.watch(REF)
    assert before is not None
    services, ref = api_services(world), JobRef(tenant=TENANT, job_id=JOB_ID)
    update_job(ref, JobChanges(absent_after_seconds=2 * HOUR), services, now=after(HOUR))

    assert not world.absences.looked(before, before, (), next_look=after(2 * HOUR))
    assert not world.absences.rest(before)


def test_a_job_that_runs_once_is_not_awaited() -> None:
    """A manual one is: others trigger it."""
    once = Schedule(kind=ScheduleKind.AT, at=after(60))
    services = api_services(a_world())
    ref = JobRef(tenant=TENANT, job_id=JOB_ID)
    with pytest.raises(InvalidInput) as refused:
        update_job(ref, JobChanges(schedule=once), services, now=after(1))
    by_hand = a_world(schedule=Schedule(kind=ScheduleKind.MANUAL), next_run_at=None)
    pass_until(by_hand, HOUR)

    assert refused.value.field == "absent_after_seconds"
    assert refused.value.code == "not_for_this_schedule"
    assert told_of(by_hand) == [SILENT]


def test_rules_tell_of_jobs_by_their_own_spans() -> None:
    """A rule without a span of its own asks each job for its own, and no other job."""
    world = a_world(notifications=())
    other = attempt_id().run.job_id[:-1] + "a"
    world.add_job(
        job_id=other, name="free", schedule=DAILY, created_at=NOW, next_run_at=after(86_400)
    )
    put_rule(world, when=When(absent=Absence(), recovered=True))
    world.clock.advance(HOUR - 60)
    look(world)
    assert told(world) == []
    world.clock.advance(360)
    look(world)

    assert told(world) == [[SILENT]]
    assert notices(world)[0].id.run.job_id != JOB_ID


def moments() -> int:
    """Count the calls of the stores while a look tells of an absence."""
    script = Script(10_000, crash)
    _look(a_world(), script)
    return script.moments


def _look(world: World, script: Script) -> None:
    world.clock.advance(HOUR)
    with interrupted_stores(world, script, "absences"):
        make_looks([REF], looking(world))


@pytest.mark.parametrize("moment", range(moments()))
def test_an_absence_is_told_of_once_whenever_a_look_dies(moment: int) -> None:
    """Before and after each call to the store."""
    world = a_world()
    _look(world, Script(moment, crash))
    pass_until(world, 3 * HOUR)

    assert told_of(world) == [SILENT]
    assert world.clock.now() == NOW + timedelta(hours=3)
