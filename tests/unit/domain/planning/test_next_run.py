"""The instant at which a job runs next, for those who ask."""

from datetime import datetime

import pytest

from tests.support.factories import NOW, after, timing_factory
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.planning.next_run import next_run
from timegate.domain.planning.plan import first_fire
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind

EVERY_FIVE = Schedule(kind=ScheduleKind.CRON, cron="*/5 * * * * *")


def planned_ahead(**fields: object) -> Timing:
    """A job of every five seconds whose runs of ten minutes are stored."""
    return timing_factory(**{"schedule": EVERY_FIVE, "next_run_at": after(605)} | fields)


@pytest.mark.parametrize(
    ("at", "following"),
    [(NOW, after(5)), (after(4.999), after(5)), (after(5), after(10)), (after(600), after(605))],
)
def test_the_next_run_of_a_frequent_job_is_stored_ahead(at: datetime, following: datetime) -> None:
    """It is the schedule's next instant, not the first that has no record yet."""
    assert next_run(planned_ahead(), now=at) == following


def test_an_instant_that_passed_without_a_record_comes_first() -> None:
    """A planner decides it before any later one."""
    overdue = planned_ahead(next_run_at=after(-30))

    assert next_run(overdue, now=NOW) == after(-30)
    assert next_run(planned_ahead(next_run_at=NOW), now=NOW) == NOW


@pytest.mark.parametrize(("seconds", "following"), [(299, after(300)), (300, None)])
def test_the_only_run_of_a_job_is_its_next_until_it_is_due(
    seconds: float, following: datetime | None
) -> None:
    """It is stored, so that nothing is left to plan."""
    once = Schedule(kind=ScheduleKind.AT, at=after(300))

    assert (
        next_run(timing_factory(schedule=once, next_run_at=None), now=after(seconds)) == following
    )


@pytest.mark.parametrize("status", [JobStatus.PAUSED, JobStatus.CANCELLED, JobStatus.COMPLETED])
def test_a_job_that_is_not_active_has_no_next_run(status: JobStatus) -> None:
    """Its schedule names instants all the same."""
    assert next_run(planned_ahead(status=status, next_run_at=None), now=NOW) is None


def test_a_job_that_runs_when_asked_has_no_next_run() -> None:
    """Its schedule names nothing."""
    manual = timing_factory(schedule=Schedule(kind=ScheduleKind.MANUAL), next_run_at=None)

    assert next_run(manual, now=NOW) is None


def test_the_end_of_a_schedule_ends_what_comes() -> None:
    """Its last runs are stored ahead as well."""
    ending = Schedule(kind=ScheduleKind.CRON, cron="*/5 * * * * *", ends_at=after(10))
    timing = timing_factory(schedule=ending, next_run_at=None)

    assert next_run(timing, now=after(9)) == after(10)
    assert next_run(timing, now=after(10)) is None


def test_one_instant_is_computed_for_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A list of a hundred jobs costs a hundred instants, however often they run."""
    asked: list[datetime] = []

    def counted(timing: Timing, *, after: datetime) -> datetime | None:
        asked.append(after)
        return first_fire(timing, after=after)

    monkeypatch.setattr("timegate.domain.planning.next_run.first_fire", counted)
    next_run(planned_ahead(), now=NOW)

    assert asked == [NOW]
