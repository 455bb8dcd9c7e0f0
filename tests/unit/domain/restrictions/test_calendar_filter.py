"""Admittance: which instants calendars let run, and when those run that are put off."""

from datetime import UTC, date, datetime, time
from typing import Any

import pytest

from tests.support.factories import NOW, after, calendar_factory, timing_factory
from timegate.domain.calendars.calendar import Calendar, DailyWindow, DayRange, Period
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.calendars.coverage import Coverage
from timegate.domain.jobs.job import Timing
from timegate.domain.recurrence.fires import next_fire
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.calendar_filter import (
    MOST_CHANGES,
    is_admitted,
    runs_at,
    stretches,
)
from timegate.domain.restrictions.restrictions import Restrictions

SKIP, DEFER = CalendarAction.SKIP, CalendarAction.DEFER
EXCLUDE, ONLY = CalendarMode.EXCLUDE, CalendarMode.ONLY
WORKDAYS = frozenset(range(5))


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def job(cron: str, *rules: CalendarRule, zone: str = "UTC") -> Timing:
    schedule = Schedule(kind=ScheduleKind.CRON, cron=cron, timezone=zone)
    return timing_factory(schedule=schedule, calendars=rules)


def rule(
    mode: CalendarMode = EXCLUDE, action: CalendarAction = SKIP, name: str = "c"
) -> CalendarRule:
    return CalendarRule(calendar=name, mode=mode, action=action)


def calendar(**fields: Any) -> Calendar:  # noqa: ANN401 - the dataclass checks them
    return calendar_factory(**({"name": "c", "timezone": "UTC", "weekdays": frozenset()} | fields))


def given(*calendars: Calendar) -> Restrictions:
    return Restrictions(calendars={each.name: each for each in calendars})


def when(timing: Timing, at: str, restrictions: Restrictions) -> str | None:
    """Return the instant at which a run starts, as text."""
    instant = utc(at)
    following = next_fire(timing.schedule, created_at=timing.anchored_at, after=instant)
    moment = runs_at(timing, instant, following, restrictions)
    return None if moment is None else moment.strftime("%Y-%m-%dT%H:%M")


@pytest.mark.parametrize(
    ("mode", "friday", "saturday"),
    [pytest.param(EXCLUDE, True, False, id="exclude"), pytest.param(ONLY, False, True, id="only")],
)
def test_a_calendar_is_left_out_or_kept_to(
    mode: CalendarMode, friday: bool, saturday: bool
) -> None:
    """The same weekend either way; 20 November 2026 is a Friday."""
    timing, weekend = job("0 9 * * *", rule(mode)), given(calendar(weekdays=frozenset({5, 6})))

    assert is_admitted(timing, utc("2026-11-20T09:00"), weekend) is friday
    assert is_admitted(timing, utc("2026-11-21T09:00"), weekend) is saturday


def test_every_calendar_must_let_it_run() -> None:
    """One that leaves it out is enough."""
    timing = job("0 9 * * *", rule(name="c"), rule(ONLY, name="d"))
    both = given(calendar(weekdays=frozenset({5})), calendar(name="d", weekdays=WORKDAYS))

    days = [utc(f"2026-11-{day}T09:00") for day in (20, 21, 22, 23)]
    assert [is_admitted(timing, day, both) for day in days] == [True, False, False, True]


@pytest.mark.parametrize("mode", CalendarMode)
def test_a_calendar_that_is_missing_keeps_no_job_from_running(mode: CalendarMode) -> None:
    """Neither those that leave it out nor those that keep to it."""
    assert is_admitted(job("0 9 * * *", rule(mode)), utc("2026-11-21T09:00"), given())


def test_skipped_is_skipped() -> None:
    """However soon it could run; one of two calendars that skips decides."""
    weekend = calendar(weekdays=frozenset({5, 6}))
    also = calendar(name="d", weekdays=frozenset({6}))

    assert when(job("0 9 * * 0", rule()), "2026-11-22T09:00", given(weekend)) is None
    deferring = job("0 9 * * 0", rule(action=DEFER), rule(name="d"))
    assert when(deferring, "2026-11-22T09:00", given(weekend, also)) is None


@pytest.mark.parametrize(
    ("cron", "fields", "at", "expected"),
    [
        pytest.param("0 9 * * 0", {}, "2026-11-22T09:00", "2026-11-23T09:00", id="sunday"),
        pytest.param("0 9 * * *", {}, "2026-11-21T09:00", None, id="daily-on-saturday"),
        pytest.param("0 9 * * *", {}, "2026-11-22T09:00", None, id="daily-on-sunday"),
        pytest.param("0 9 * * *", {}, "2026-11-20T09:00", "2026-11-20T09:00", id="friday"),
        pytest.param("0 9 * * 6,1", {}, "2026-11-21T09:00", None, id="at-the-next"),
        pytest.param("0 9 * * 6,2", {}, "2026-11-21T09:00", "2026-11-23T09:00", id="before-it"),
        pytest.param(
            "0 9 24 12 *",
            {"days": (DayRange(first=date(2026, 12, 24), last=date(2026, 12, 26)),)},
            "2026-12-24T09:00",
            "2026-12-28T09:00",
            id="christmas-and-a-weekend",
        ),
        pytest.param(
            "0 9 20 11 *",
            {"windows": (DailyWindow(opens=time(8), closes=time(9, 30)),)},
            "2026-11-20T09:00",
            "2026-11-20T09:30",
            id="window",
        ),
        pytest.param(
            "0 9 20 11 *",
            {"periods": (Period(start=utc("2026-11-20T09:00"), end=utc("2026-11-20T09:01")),)},
            "2026-11-20T09:00",
            "2026-11-20T09:01",
            id="period",
        ),
        pytest.param(
            "0 23 20 11 *",
            {"windows": (DailyWindow(opens=time(22), closes=time(6)),)},
            "2026-11-20T23:00",
            "2026-11-23T06:00",
            id="window-into-a-weekend",
        ),
    ],
)
def test_what_is_put_off_runs_at_the_first_moment_it_may(
    cron: str, fields: dict[str, Any], at: str, expected: str | None
) -> None:
    """Past whole days at the same time of day, past hours at their end; not if the next is due."""
    weekend = calendar(**({"weekdays": frozenset({5, 6})} | fields))

    assert when(job(cron, rule(action=DEFER)), at, given(weekend)) == expected


@pytest.mark.parametrize(
    ("fields", "at", "expected"),
    [
        pytest.param({"weekdays": WORKDAYS}, "2026-11-22T09:00", "2026-11-23T09:00", id="days"),
        pytest.param(
            {"windows": (DailyWindow(opens=time(8), closes=time(18)),)},
            "2026-11-22T19:00",
            "2026-11-23T08:00",
            id="hours",
        ),
        pytest.param({}, "2026-11-22T09:00", None, id="never"),
    ],
)
def test_what_keeps_to_a_calendar_waits_for_it(
    fields: dict[str, Any], at: str, expected: str | None
) -> None:
    """A day at the same time of day, hours when they begin."""
    instant = utc(at)
    once = timing_factory(
        schedule=Schedule(kind=ScheduleKind.AT, at=instant), calendars=(rule(ONLY, DEFER),)
    )

    assert when(once, at, given(calendar(**fields))) == expected


def test_the_same_time_of_day_is_a_local_one() -> None:
    """Over the change of the clocks: 02:30 in Berlin does not exist on 29 March 2026."""
    saturdays = calendar(timezone="Europe/Berlin", weekdays=frozenset({5}))
    timing = job("30 2 28 3 *", rule(action=DEFER), zone="Europe/Berlin")

    assert when(timing, "2026-03-28T01:30", given(saturdays)) == "2026-03-29T01:00"


def test_an_instant_is_put_off_by_a_year_at_most() -> None:
    """Further away than that no planner waits for it."""
    last = date(2027, 11, 20)
    once = timing_factory(
        schedule=Schedule(kind=ScheduleKind.AT, at=utc("2026-11-20T09:00")),
        calendars=(rule(action=DEFER),),
    )
    year = calendar(days=(DayRange(first=date(2026, 11, 20), last=last),))
    longer = calendar(days=(DayRange(first=date(2026, 11, 20), last=date(2027, 11, 21)),))

    assert when(once, "2026-11-20T09:00", given(year)) == "2027-11-21T09:00"
    assert when(once, "2026-11-20T09:00", given(longer)) is None


def taking_turns(count: int) -> Restrictions:
    """Two calendars that leave out so many minutes from NOW on, one this and one the next."""
    minutes = [Period(start=after(60 * n), end=after(60 * n + 60)) for n in range(count)]
    return given(
        calendar(name="c", periods=tuple(minutes[::2])),
        calendar(name="d", periods=tuple(minutes[1::2])),
    )


@pytest.mark.parametrize(
    ("changes", "is_found"),
    [(MOST_CHANGES - 1, True), (MOST_CHANGES, True), (MOST_CHANGES + 1, False)],
)
@pytest.mark.parametrize("is_planned", [True, False], ids=["first", "again"])
def test_a_search_ends_after_so_many_changes(
    changes: int, *, is_found: bool, is_planned: bool
) -> None:
    """The check of a due run finds the planner's answer, from any memory."""
    once = timing_factory(
        schedule=Schedule(kind=ScheduleKind.AT, at=NOW),
        calendars=(rule(action=DEFER), rule(action=DEFER, name="d")),
    )
    found = [runs_at(once, NOW, None, taking_turns(changes)) for _ in range(1 + is_planned)]

    assert set(found) == {after(60 * changes) if is_found else None}


@pytest.mark.parametrize(
    ("minutes", "is_found"), [(MOST_CHANGES // 2, True), (MOST_CHANGES // 2 + 1, False)]
)
def test_a_search_for_what_is_kept_to_ends_as_well(minutes: int, *, is_found: bool) -> None:
    """Each change counts: to keep to a minute that is left out as well takes two."""
    rules = (rule(ONLY, DEFER), rule(action=DEFER, name="d"))
    once = timing_factory(schedule=Schedule(kind=ScheduleKind.AT, at=NOW), calendars=rules)
    both = [Period(start=after(120 * n), end=after(120 * n + 60)) for n in range(minutes)]
    free = Period(start=after(120 * minutes), end=after(120 * minutes + 60))
    kept, left_out = calendar(periods=(*both, free)), calendar(name="d", periods=tuple(both))
    found = runs_at(once, NOW, None, given(kept, left_out))

    assert found == (free.start if is_found else None)


def test_a_calendar_that_is_changed_is_not_mistaken_for_what_it_was() -> None:
    """Searches are remembered; a version is known by itself, not by its name."""
    timing = job("0 9 * * *", rule(action=DEFER))
    sat, fri = (calendar(weekdays=frozenset({day})) for day in (5, 4))
    both = calendar(weekdays=frozenset({4, 5}))
    hours = calendar(windows=(DailyWindow(opens=time(8), closes=time(10)),))
    found = [when(timing, "2026-11-20T09:00", given(each)) for each in (sat, fri, both, hours)]

    assert found == ["2026-11-20T09:00", None, None, "2026-11-20T10:00"]


def test_what_changes_between_instants_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three weeks of a daily job: an outage costs it no more than its instants."""
    looked: list[datetime] = []
    next_change = Coverage.next_change

    def counting(self: Coverage, instant: datetime) -> datetime | None:
        looked.append(instant)
        return next_change(self, instant)

    monkeypatch.setattr(Coverage, "next_change", counting)
    quarters = tuple(
        DailyWindow(opens=time(n // 2, n % 2 * 30), closes=time(n // 2, n % 2 * 30 + 15))
        for n in range(48)
    )
    timing, closed = job("5 3 * * *", rule()), given(calendar(windows=quarters))
    (stretch,) = stretches(timing, utc("2026-11-01T00:00"), utc("2026-11-21T23:59"), closed)

    assert (stretch.span.count, stretch.admitted) == (21, False)
    assert len(looked) <= 2 * 21


def test_stretches_are_counted_and_not_walked_through() -> None:
    """A job of every second over a weekend and a working day: three stretches."""
    timing = job("* * * * * *", rule())
    weekend = given(calendar(weekdays=frozenset({5, 6})))
    found = list(stretches(timing, utc("2026-11-20T23:59:59"), utc("2026-11-23T00:00:01"), weekend))

    assert [(each.span.count, each.admitted) for each in found] == [
        *((1, True), (2 * 86_400, False), (2, True))
    ]


def test_only_the_last_of_a_stretch_can_be_put_off() -> None:
    """The others are followed by one that is due before they could run."""
    timing = job("0 10,14 * * 6", rule(action=DEFER))
    weekend = given(calendar(weekdays=frozenset({5, 6})))
    (stretch,) = stretches(timing, utc("2026-11-21T00:00"), utc("2026-11-22T00:00"), weekend)

    assert (stretch.span.count, stretch.admitted) == (2, False)
    assert stretch.last_runs_at == utc("2026-11-23T14:00")
