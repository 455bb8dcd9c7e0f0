"""Rules tell of jobs that have not succeeded for long, whether or not a run exists."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.failing import DAILY, REF
from tests.support.factories import NOW, after, attempt_factory, attempt_id
from tests.support.ruling import look, put_rule, told
from tests.support.world import World
from timegate.domain.jobs.job import FailurePause, JobStatus
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.rules.absence import asked_at, next_walk
from timegate.domain.rules.rule import Absence, When
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.values.identity import job_id_from
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job

HOUR = 3_600
SILENT = "send the report: no run has succeeded for 1 hour."
ABSENT = When(absent=Absence(for_seconds=HOUR), recovered=True)
AT_SEVEN = Absence(for_seconds=HOUR, at="07:00", timezone="Europe/Berlin")


def a_silent_world(when: When = ABSENT, **fields: Any) -> World:  # noqa: ANN401 - a job's
    """A job that recurs and of which no run is on record, under a rule."""
    world = World()
    world.add_job(**({"schedule": DAILY, "created_at": NOW} | fields))
    put_rule(world, when=when)
    return world


def succeed(world: World, seconds: float) -> None:
    """A run that ended in success so many seconds after the beginning."""
    run = attempt_factory(
        id=attempt_id(scheduled_at=after(seconds - 1)),
        state=RunState.SUCCEEDED,
        started_at=after(seconds - 1),
        ended_at=after(seconds),
        watch_at=None,
    )
    world.runs.insert_all([run])


def fail_each_minute(world: World, *, since: int, until: int) -> None:
    """A run of each minute that failed at once."""
    for seconds in range(since, until, 60):
        run = attempt_factory(
            id=attempt_id(scheduled_at=after(seconds)),
            state=RunState.FAILED,
            reason=Reason.PERMANENT,
            started_at=after(seconds),
            ended_at=after(seconds),
            watch_at=None,
        )
        world.runs.insert_all([run])


def looked_at(world: World, seconds: float) -> list[list[str]]:
    """Return the messages told after a look ``seconds`` after the beginning."""
    world.clock.advance((after(seconds) - world.clock.now()).total_seconds())
    look(world)
    return told(world)


def test_a_job_without_a_success_is_told_of_once() -> None:
    """An hour after it was created, with the next round; not with the one before, nor again."""
    world = a_silent_world()

    assert looked_at(world, HOUR - 60) == []
    assert looked_at(world, HOUR + 300) == [[SILENT]]
    assert looked_at(world, 2 * HOUR) == [[SILENT]]


def test_a_success_within_the_span_is_enough() -> None:
    """A second later its time is over."""
    world = a_silent_world()
    succeed(world, 1_000)

    assert looked_at(world, HOUR + 999) == []
    assert looked_at(world, HOUR + 1_301) == [[SILENT]]


def test_a_success_behind_many_runs_is_enough() -> None:
    """A look reads the last 500 runs; a job of each minute has more of them within a day."""
    world = a_silent_world(When(absent=Absence(for_seconds=12 * HOUR)))
    succeed(world, 3 * HOUR)
    fail_each_minute(world, since=3 * HOUR, until=12 * HOUR)

    assert looked_at(world, 15 * HOUR - 60) == []
    assert looked_at(world, 15 * HOUR + 900) == [
        ["send the report: no run has succeeded for 12 hours."]
    ]


def test_a_success_ends_an_absence() -> None:
    """It is told of as recovery, and the next absence is one of its own."""
    world = a_silent_world()
    looked_at(world, HOUR + 300)
    succeed(world, HOUR + 400)

    assert looked_at(world, HOUR + 401)[1:] == [["send the report: a run has succeeded again."]]
    assert looked_at(world, 3 * HOUR)[2:] == [[SILENT]]


@pytest.mark.parametrize(
    "fields",
    [
        pytest.param({"status": JobStatus.PAUSED}, id="paused by a caller"),
        pytest.param({"schedule": Schedule(kind=ScheduleKind.IMMEDIATE)}, id="runs once"),
    ],
)
def test_jobs_that_are_not_to_run_are_never_absent(fields: dict[str, Any]) -> None:
    """A person decided so."""
    assert looked_at(a_silent_world(**fields), 3 * HOUR) == []


@pytest.mark.parametrize(
    ("absence", "fields"),
    [
        pytest.param(Absence(for_seconds=HOUR), {}, id="span of the rule"),
        pytest.param(Absence(), {"absent_after_seconds": HOUR}, id="span of the job"),
    ],
)
def test_a_job_is_awaited_anew_from_its_resumption_on(
    absence: Absence, fields: dict[str, Any]
) -> None:
    """A caller had paused it: it was not to succeed meanwhile."""
    world = a_silent_world(When(absent=absence), **fields)
    pause_job(REF, api_services(world), now=after(60))
    resume_job(REF, api_services(world), now=after(3 * HOUR))

    assert looked_at(world, 4 * HOUR - 1) == []
    assert looked_at(world, 4 * HOUR + 300) == [[SILENT]]


def test_a_job_that_failures_paused_is_awaited_all_the_time() -> None:
    """Its resumption begins no span: its owner never meant it to be silent."""
    pause = FailurePause(at=after(60), attempt=attempt_id(), failures=3)
    world = a_silent_world(status=JobStatus.PAUSED, failure_pause=pause)
    resume_job(REF, api_services(world), now=after(HOUR - 1))

    assert looked_at(world, HOUR + 300) == [[SILENT]]


def test_a_time_of_day_is_judged_once_a_day() -> None:
    """07:00 in Berlin is 06:00; a success after it is too late, and ends the streak."""
    world = a_silent_world(When(absent=AT_SEVEN))
    day = 23 * HOUR  # 06:00 on the next day

    assert looked_at(world, day - 60) == []

    succeed(world, day + 1)

    assert looked_at(world, day + 60) == [[SILENT]]
    assert looked_at(world, day + 24 * HOUR - 60) == [[SILENT]]
    assert looked_at(world, day + 24 * HOUR) == [[SILENT]] * 2


@pytest.mark.parametrize(
    ("absence", "judged"),
    [
        pytest.param(AT_SEVEN, True, id="another description"),
        pytest.param(replace(AT_SEVEN, for_seconds=2 * HOUR), False, id="another span"),
    ],
)
def test_a_rule_that_is_edited_at_the_time_of_day_is_judged(
    absence: Absence, *, judged: bool
) -> None:
    """By what it asked then: what it asks for since the edit begins with the next day."""
    world = a_silent_world(When(absent=AT_SEVEN))
    day = 23 * HOUR  # 07:00 in Berlin
    looked_at(world, day - 60)
    world.clock.set(after(day + 20))
    put_rule(world, when=When(absent=absence), description="edited")

    assert looked_at(world, day + 60) == [[SILENT]] * judged


def test_a_success_before_the_time_of_day_is_in_time() -> None:
    """Also when it is judged late."""
    world = a_silent_world(When(absent=AT_SEVEN))
    succeed(world, 23 * HOUR)

    assert looked_at(world, 23 * HOUR + 600) == []


def test_every_job_of_a_large_tenant_is_looked_at() -> None:
    """A round goes on from look to look; each is told of once."""
    world = World()
    for number in range(230):
        job_id = job_id_from(f"{number}".encode())
        world.add_job(job_id=job_id, schedule=DAILY, created_at=NOW)
    put_rule(world, when=ABSENT)

    assert sum(map(len, looked_at(world, HOUR + 300))) == 230


def test_rounds_come_as_often_as_the_span_needs() -> None:
    """A twenty-fourth of it, from five minutes to fifteen; or at the time of day."""
    walks = [
        next_walk([Absence(for_seconds=seconds)], last=NOW)
        for seconds in (600, 24 * 600, 24 * HOUR)
    ]

    assert walks == [NOW + timedelta(minutes=each) for each in (5, 10, 15)]
    assert next_walk([AT_SEVEN], last=NOW) == after(23 * HOUR)
    assert next_walk([], last=NOW) is None


@pytest.mark.parametrize(
    ("now", "last", "asked"),
    [
        pytest.param(23 * HOUR - 1, 0, None, id="before"),
        pytest.param(23 * HOUR, 0, 23 * HOUR, id="at"),
        pytest.param(24 * HOUR, 23 * HOUR, None, id="judged"),
        pytest.param(100 * HOUR, 0, 95 * HOUR, id="after an outage"),
    ],
)
def test_a_time_of_day_between_two_rounds_is_judged(now: int, last: int, asked: int | None) -> None:
    """The last one, if there were several."""
    found = asked_at(AT_SEVEN, now=after(now), last=after(last))

    assert found == (after(asked) if asked is not None else None)


def test_a_weekday_that_is_left_out_is_not_judged() -> None:
    """22 November is a Sunday."""
    workdays = Absence(for_seconds=HOUR, at="07:00", weekdays=frozenset(range(5)))

    assert next_walk([workdays], last=NOW) == after(48 * HOUR)
