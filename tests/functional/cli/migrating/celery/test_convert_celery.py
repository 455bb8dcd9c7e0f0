"""``schedule convert --from celery``: values as ``repr`` writes them, and what they name."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.functional.cli.converting import Converted, converted, entries, warned
from timegate.cli.migrating.celery.patterns import pattern_of_fields
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.errors import InvalidInput

__all__ = ["converted"]

BEGIN = datetime(2026, 1, 31, tzinfo=UTC)
DAYS = 60


def crontab(*fields: str, order: str = "m/h/dM/MY/d") -> str:
    """The ``repr`` of a crontab."""
    return f"<crontab: {' '.join(fields)} ({order})>"


def one(converted: Converted, schedule: object, *options: str) -> dict[str, Any]:
    """The one entry of a schedule."""
    text = json.dumps({"nightly": {"task": "acme.report", "schedule": schedule}})
    (found,) = entries(converted("celery", text, *options))
    return found


@pytest.mark.parametrize(
    ("schedule", "here"),
    [
        (30, {"kind": "rate", "every_seconds": 30}),
        (30.0, {"kind": "rate", "every_seconds": 30}),
        ("datetime.timedelta(days=1, seconds=30)", {"kind": "rate", "every_seconds": 86_430}),
        ("<freq: 30.00 seconds>", {"kind": "rate", "every_seconds": 30}),
        ("<freq: 1.50 minutes>", {"kind": "rate", "every_seconds": 90}),
        ("<freq: 1.00 day>", {"kind": "rate", "every_seconds": 86_400}),
        ("<freq: 1.52 minutes>", {"kind": "rate", "every_seconds": 91}),
        (crontab("0", "*/6", "*", "*", "*"), {"kind": "cron", "cron": "0 0,6,12,18 * * *"}),
        (crontab("[0, 30]", "{9}", "*", "*", "*"), {"kind": "cron", "cron": "0,30 9 * * *"}),
        (
            crontab("0", "22-1", "*", "*", "fri-mon"),
            {"kind": "cron", "cron": "0 0,1,22,23 * * 0,1,5,6"},
        ),
        (
            crontab("0", "9", "*", "2", "3", order="m/h/d/dM/MY"),
            {"kind": "cron", "cron": "0 9 2 3 *"},
        ),
    ],
)
def test_schedules_are_read_as_repr_writes_them(
    converted: Converted, schedule: object, here: dict[str, Any]
) -> None:
    """Ranges may go on from the first value; lists are those of Python."""
    found = one(converted, schedule, "--timezone", "UTC")

    assert found["here"]["job"]["schedule"] == here


@pytest.mark.parametrize(
    ("schedule", "seconds", "least", "most"),
    [
        ("<freq: 2.35 hours>", 8_460, 8_442, 8_478),
        ("<freq: 1.00 day>", 86_400, 85_968, 86_832),
    ],
)
def test_an_interval_whose_repr_is_rounded_says_so(
    converted: Converted, schedule: str, seconds: int, least: int, most: int
) -> None:
    """Hundredths of an hour are 36 seconds: the job would drift away from the task."""
    found = one(converted, schedule)
    (detail,) = [each["detail"] for each in found["warnings"] if each["code"] == "rounded"]

    assert warned(found) == ["relative", "rounded"]
    assert f"{least} to {most} seconds, and {seconds} are taken" in detail


@pytest.mark.parametrize("seconds", range(60, 3_600, 37))
def test_minutes_tell_whole_seconds_apart(converted: Converted, seconds: int) -> None:
    """Celery writes 91 seconds as 1.52 minutes, which are no whole seconds."""
    found = one(converted, f"<freq: {seconds / 60:.2f} minutes>")

    assert found["here"]["job"]["schedule"]["every_seconds"] == seconds
    assert warned(found) == ["relative"]


def test_an_interval_of_no_whole_seconds_is_refused(converted: Converted) -> None:
    """Celery writes 90.6 seconds so."""
    assert one(converted, "<freq: 1.51 minutes>")["error"]["code"] == "out_of_range"


def test_a_zone_is_that_of_the_application(converted: Converted) -> None:
    """Celery says nothing about changes of its clock."""
    daily = crontab("30", "2", "*", "*", "*")

    assert warned(one(converted, daily)) == ["timezone_assumed"]
    assert warned(one(converted, daily, "--timezone", "UTC")) == []
    assert warned(one(converted, daily, "--timezone", "Europe/Berlin")) == ["clock_undocumented"]
    assert warned(one(converted, 60)) == ["relative"]


@pytest.mark.parametrize(
    "fields",
    [
        *(("60", "0", "*", "*", "*"), ("0", "24", "*", "*", "*"), ("0", "0", "0", "*", "*")),
        *(("0", "0", "*", "jan", "*"), ("0", "0", "*", "*", "7"), ("5/15", "0", "*", "*", "*")),
        *(("*/0", "0", "*", "*", "*"), ("-1", "0", "*", "*", "*"), ("", "0", "*", "*", "*")),
        *(("1,,2", "0", "*", "*", "*"), ("0", "0", "L", "*", "*"), ("0", "0", "2-7", "*", "mon")),
    ],
)
def test_what_celery_refuses_is_refused(converted: Converted, fields: tuple[str, ...]) -> None:
    """Names are those of weekdays alone; no pattern has each day with a weekday."""
    assert one(converted, crontab(*fields))["error"]["code"] == "invalid_cron"


@pytest.mark.parametrize(
    ("day", "days", "weekday", "weekdays"),
    [
        ("1-7", {1, 2, 3, 4, 5, 6, 7}, "mon", {1}),
        ("*/10", {1, 11, 21, 31}, "1-5", {1, 2, 3, 4, 5}),
        ("13", {13}, "sun,fri", {0, 5}),
        ("28-2", {28, 29, 30, 31, 1, 2}, "sat-sun", {0, 6}),
        ("1", {1}, "sun", {0}),
        ("*", set(range(1, 32)), "fri", {5}),
        ("15", {15}, "*", set(range(7))),
    ],
)
def test_a_day_and_a_weekday_must_both_match(
    day: str, days: set[int], weekday: str, weekdays: set[int]
) -> None:
    """Each day of two months is tried."""
    cron = pattern_of_fields(["0", "9", day, "*", weekday])
    schedule = Schedule(kind=ScheduleKind.CRON, cron=cron)
    until = BEGIN + timedelta(days=DAYS)
    found = list(fires_between(schedule, created_at=BEGIN, after=BEGIN, until=until))
    each = (BEGIN + timedelta(days=n, hours=9) for n in range(DAYS))

    assert found == [at for at in each if at.day in days and at.isoweekday() % 7 in weekdays]


def test_no_other_pair_of_days_has_a_pattern() -> None:
    """Neither day 1 nor Sunday is among them."""
    with pytest.raises(InvalidInput, match="write it as an rrule"):
        pattern_of_fields(["0", "9", "2-8", "*", "mon"])
