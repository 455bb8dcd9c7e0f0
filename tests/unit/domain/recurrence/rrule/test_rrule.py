"""Recurrence rules: the instants that they name, worked out by hand."""

from datetime import timedelta

import pytest

from tests.unit.domain.recurrence.schedules import LONG_AGO, fires, rrule, utc
from timegate.domain.recurrence.clock_notes import next_clock_changes
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.fires import next_fire
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy
from timegate.domain.recurrence.words import describe

#: A rule, and its instants from its beginning on 1 November 2026, 09:00, a Sunday.
NAMED = {
    "FREQ=DAILY;COUNT=2": ["2026-11-01 09:00", "2026-11-02 09:00"],
    "FREQ=DAILY;UNTIL=20261102": ["2026-11-01 09:00", "2026-11-02 09:00"],
    "FREQ=DAILY;UNTIL=20261102T090000Z": ["2026-11-01 09:00", "2026-11-02 09:00"],
    "FREQ=DAILY;UNTIL=20261102T085959Z": ["2026-11-01 09:00"],
    "FREQ=MONTHLY;COUNT=3;BYDAY=-1FR": ["2026-11-27 09:00", "2026-12-25 09:00", "2027-01-29 09:00"],
    "FREQ=WEEKLY;INTERVAL=2;COUNT=3;BYDAY=MO": [
        *("2026-11-09 09:00", "2026-11-23 09:00", "2026-12-07 09:00")
    ],
    "FREQ=WEEKLY;INTERVAL=2;COUNT=3;BYDAY=MO;WKST=SU": [
        *("2026-11-02 09:00", "2026-11-16 09:00", "2026-11-30 09:00")
    ],
    "FREQ=MONTHLY;COUNT=2;BYMONTHDAY=31": ["2026-12-31 09:00", "2027-01-31 09:00"],
    "FREQ=MONTHLY;COUNT=2;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1": [
        *("2026-11-30 09:00", "2026-12-31 09:00")
    ],
    "FREQ=MONTHLY;COUNT=4;BYDAY=1MO,WE": [
        *("2026-11-02 09:00", "2026-11-04 09:00", "2026-11-11 09:00", "2026-11-18 09:00")
    ],
    "FREQ=MONTHLY;COUNT=2;BYDAY=17SU,-17TU,1MO": ["2026-11-02 09:00", "2026-12-07 09:00"],
    "FREQ=YEARLY;COUNT=2;BYMONTH=11,12;BYDAY=6SU,5MO": ["2026-11-30 09:00", "2027-11-29 09:00"],
    "FREQ=YEARLY;COUNT=1;BYDAY=53FR": ["2027-12-31 09:00"],
    "FREQ=YEARLY;COUNT=2": ["2026-11-01 09:00", "2027-11-01 09:00"],
    "FREQ=YEARLY;COUNT=2;BYWEEKNO=1": ["2027-01-10 09:00", "2028-01-09 09:00"],
    "FREQ=YEARLY;COUNT=2;BYWEEKNO=1;BYDAY=MO": ["2027-01-04 09:00", "2028-01-03 09:00"],
    "FREQ=YEARLY;COUNT=2;BYYEARDAY=-1": ["2026-12-31 09:00", "2027-12-31 09:00"],
    "FREQ=YEARLY;COUNT=2;BYMONTH=2;BYMONTHDAY=29": ["2028-02-29 09:00", "2032-02-29 09:00"],
    "FREQ=HOURLY;INTERVAL=20;COUNT=3": ["2026-11-01 09:00", "2026-11-02 05:00", "2026-11-03 01:00"],
    "FREQ=MINUTELY;INTERVAL=90;COUNT=3;BYHOUR=10,12": [
        *("2026-11-01 10:30", "2026-11-01 12:00", "2026-11-02 10:30")
    ],
    "FREQ=SECONDLY;INTERVAL=40000;COUNT=3": [
        *("2026-11-01 09:00", "2026-11-01 20:06:40", "2026-11-02 07:13:20")
    ],
    "FREQ=HOURLY;BYMINUTE=0,20,40;BYSETPOS=-1;COUNT=2": ["2026-11-01 09:40", "2026-11-01 10:40"],
    "FREQ=DAILY;BYHOUR=8,20;BYSETPOS=2;COUNT=2": ["2026-11-01 20:00", "2026-11-02 20:00"],
    "FREQ=MINUTELY;BYSECOND=60;COUNT=1": ["2026-11-01 09:00:59"],
}


@pytest.mark.parametrize(("rule", "expected"), NAMED.items(), ids=NAMED)
def test_a_rule_names_these_instants(rule: str, expected: list[str]) -> None:
    """From its beginning on, which is one only if the rule names it."""
    found = fires(rrule(rule), "2026-10-01 00:00", "2032-03-01 00:00")

    assert found[: len(expected)] == expected
    assert len(found) == len(expected) or "COUNT" not in rule


@pytest.mark.parametrize(("rule", "expected"), NAMED.items(), ids=NAMED)
def test_instants_are_counted_without_walking(rule: str, expected: list[str]) -> None:
    """The first and the last of a range, and their number."""
    first, last = utc(expected[0]), utc(expected[-1])
    span = span_between(rrule(rule), created_at=LONG_AGO, first=LONG_AGO, until=last)

    assert span is not None
    assert (span.first, span.last, span.count) == (first, last, len(expected))


def test_dates_are_added_and_left_out() -> None:
    """A date that is left out wins, however often either is given; 3 November is named twice."""
    twice = (utc("2026-11-03 09:00"), utc("2026-11-03 09:00"), utc("2026-11-03 12:00"))
    schedule = rrule(
        "FREQ=DAILY;UNTIL=20261104",
        rdates=(*twice, utc("2026-11-10 07:30")),
        exdates=(utc("2026-11-02 09:00"), utc("2026-11-03 12:00"), utc("2030-01-01 00:00")),
    )
    expected = ["2026-11-01 09:00", "2026-11-03 09:00", "2026-11-04 09:00", "2026-11-10 07:30"]
    span = span_between(
        schedule, created_at=LONG_AGO, first=LONG_AGO, until=utc("2027-01-01 00:00")
    )

    assert fires(schedule, "2026-10-01 00:00", "2027-01-01 00:00") == expected
    assert span is not None
    assert span.count == len(expected)
    assert span.last == utc(expected[-1])


def test_count_includes_dates_that_are_left_out() -> None:
    """COUNT belongs to the rule (RFC 5545, section 3.8.5.1)."""
    schedule = rrule("FREQ=DAILY;COUNT=3", exdates=(utc("2026-11-02 09:00"),))

    found = fires(schedule, "2026-10-01 00:00", "2027-01-01 00:00")
    assert found == ["2026-11-01 09:00", "2026-11-03 09:00"]


def test_dates_keep_within_the_bounds_of_the_job() -> None:
    """``ends_at`` ends a rule and its dates; UNTIL ends the rule alone."""
    schedule = rrule(
        "FREQ=DAILY;UNTIL=20261101",
        rdates=(utc("2026-11-10 00:00"), utc("2026-11-11 00:00")),
        ends_at=utc("2026-11-10 00:00"),
    )

    found = fires(schedule, "2026-10-01 00:00", "2027-01-01 00:00")
    assert found == ["2026-11-01 09:00", "2026-11-10 00:00"]


@pytest.mark.parametrize(
    ("policies", "spring", "autumn"),
    [
        ({}, ["2027-03-28 01:00"], ["2027-10-31 00:30"]),
        ({"gap": GapPolicy.SKIP}, [], ["2027-10-31 00:30"]),
        (
            {"fold": FoldPolicy.BOTH},
            ["2027-03-28 01:00"],
            ["2027-10-31 00:30", "2027-10-31 01:30"],
        ),
    ],
)
def test_fixed_times_meet_clock_changes_as_those_of_cron(
    policies: dict[str, object], spring: list[str], autumn: list[str]
) -> None:
    """02:30 in Berlin, each day."""
    schedule = rrule("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", "Europe/Berlin", **policies)

    assert fires(schedule, "2027-03-28 00:00", "2027-03-28 12:00") == spring
    assert fires(schedule, "2027-10-31 00:00", "2027-10-31 12:00") == autumn


def test_every_hour_follows_real_time() -> None:
    """All 24 hours are an interval, also in a rule; every second hour is not."""
    hourly, second = (
        rrule("FREQ=HOURLY", "Europe/Berlin"),
        rrule("FREQ=HOURLY;INTERVAL=2", "Europe/Berlin"),
    )
    window = "2027-10-30 23:30", "2027-10-31 03:30"

    assert fires(hourly, *window) == [f"2027-10-31 {hour:02}:00" for hour in range(4)]
    assert fires(second, *window) == ["2027-10-31 00:00", "2027-10-31 03:00"]


def test_the_phase_of_an_interval_is_kept_across_decades() -> None:
    """Every third day from 1900 on."""
    begin = utc("1900-01-01 09:00")
    schedule = rrule("FREQ=DAILY;INTERVAL=3", starts_at=begin)
    found = next_fire(schedule, created_at=begin, after=utc("2026-11-22 09:00"))

    assert found is not None
    assert (found - begin) % timedelta(days=3) == timedelta(0)
    assert found - utc("2026-11-22 09:00") <= timedelta(days=3)


#: A rule in Berlin, and its words.
WORDS = {
    "FREQ=MONTHLY;BYDAY=-1FR": "At 10:00 on the last Friday of every month",
    "FREQ=DAILY": "At 10:00 every day",
    "FREQ=DAILY;INTERVAL=3;BYDAY=MO": "At 10:00 every 3rd day, if that is Monday",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR": "At 10:00 on Monday and Friday of every 2nd week",
    "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR;WKST=SU": (
        "At 10:00 on Monday and Friday of every 2nd week, in weeks that begin on Sunday"
    ),
    "FREQ=WEEKLY;BYDAY=MO,FR;WKST=SU": "At 10:00 on Monday and Friday of every week",
    "FREQ=WEEKLY;BYDAY=MO,SU;BYSETPOS=1;WKST=SU": (
        "At 10:00 on Monday and Sunday of every week, only the 1st of these,"
        " in weeks that begin on Sunday"
    ),
    "FREQ=YEARLY;BYWEEKNO=1;BYDAY=SU;WKST=SU": (
        "At 10:00 on Sunday of week 1 of every year, in weeks that begin on Sunday"
    ),
    "FREQ=DAILY;INTERVAL=2;WKST=SU": "At 10:00 every 2nd day",
    "FREQ=YEARLY": "At 10:00 on day 1 in November of every year",
    "FREQ=YEARLY;BYMONTHDAY=-1": "At 10:00 on the last day of each month of every year",
    "FREQ=YEARLY;BYWEEKNO=20,-1;BYDAY=MO": (
        "At 10:00 on Monday of week 20 and the last week of every year"
    ),
    "FREQ=YEARLY;BYYEARDAY=100,-2": "At 10:00 on day 100 and the 2nd last day of every year",
    "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=FR": "At 10:00 on day 13, if that is Friday, of every month",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=1,-1": (
        "At 10:00 on Monday to Friday of every month, only the last and the 1st of these"
    ),
    # Weekdays are Monday to Friday to most readers: all seven are days.
    "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU": "At 10:00 every day of every week",
    "FREQ=YEARLY;BYMONTH=1;BYDAY=MO,TU,WE,TH,FR,SA,SU": (
        "At 10:00 every day in January of every year"
    ),
    "FREQ=MONTHLY;BYMONTHDAY=13;BYDAY=MO,TU,WE,TH,FR,SA,SU": "At 10:00 on day 13 of every month",
    "FREQ=DAILY;BYSECOND=5": "At 10:00:05 every day",
    "FREQ=HOURLY;INTERVAL=5;BYSECOND=7": "Every 5 hours at minute 0, second 7",
    "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11;BYDAY=MO": (
        "Every 20 minutes of hours 9 to 11 on Monday"
    ),
    "FREQ=SECONDLY;INTERVAL=10;BYMINUTE=0": "Every 10 seconds of minute 0",
    "FREQ=DAILY;BYHOUR=1,2,3,4,5;BYMINUTE=0,30;BYMONTH=1": (
        "At minutes 0 and 30 of hours 1 to 5 every day in January"
    ),
}


@pytest.mark.parametrize(("rule", "words"), WORDS.items(), ids=WORDS)
def test_a_rule_has_words(rule: str, words: str) -> None:
    """Times, days and period, then the zone."""
    assert describe(rrule(rule, "Europe/Berlin")).startswith(f"{words}, Europe/Berlin time")


def test_the_words_name_the_end_and_the_dates() -> None:
    """And tell fixed times from an interval."""
    dates = (utc("2026-11-02 09:00"), utc("2026-11-05 09:00"))
    counted = rrule("FREQ=HOURLY;INTERVAL=5;COUNT=10", "Europe/Berlin", exdates=dates)
    ended = rrule("FREQ=HOURLY;UNTIL=20270101", "Europe/Berlin", rdates=dates[:1])

    assert "as fixed times of the day, 10 times in all, except 2 dates, from" in describe(counted)
    assert "up to 2027-01-01 23:59:59 local time, and on 1 date more" in describe(ended)
    assert "following real time when its clock changes" in describe(ended)


def test_a_preview_names_the_next_clock_changes_of_a_rule() -> None:
    """With the effect on its times."""
    schedule = rrule("FREQ=DAILY;BYHOUR=2;BYMINUTE=30", "Europe/Berlin")
    gap, fold = next_clock_changes(schedule, after=utc("2026-11-22 00:00"))

    assert gap.description.endswith("on Sun 2027-03-28. A time within runs once, at 03:00.")
    assert fold.description.endswith(
        "twice on Sun 2027-10-31. A time within runs once, the first time."
    )
