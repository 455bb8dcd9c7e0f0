"""Each refusal of a schedule stands beside its nearest accepted neighbour."""

import math
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.unit.domain.recurrence.schedules import IMMEDIATE, MANUAL, at, cron, delay, rate, utc
from timegate.domain.recurrence.schedule import (
    DstPolicy,
    FoldPolicy,
    GapPolicy,
    Schedule,
    ScheduleKind,
)
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.values.errors import InvalidInput

NOW = utc("2026-11-21 07:00")
NAIVE = datetime(2027, 1, 1)  # noqa: DTZ001 - what is refused
LATER = NOW + timedelta(hours=1)
MILLISECOND = timedelta(milliseconds=1)
HOURLY = cron("0 * * * *")
MINUTELY = rate(60)


def refusal(schedule: Schedule) -> tuple[str, str] | None:
    """The refused field and the code; nothing when the schedule is accepted."""
    try:
        validate_schedule(schedule, now=NOW)
    except InvalidInput as refused:
        return refused.field.removeprefix("schedule."), refused.code
    return None


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param(IMMEDIATE, id="immediate"),
        pytest.param(at(LATER), id="at"),
        pytest.param(delay(60), id="delay"),
        pytest.param(HOURLY, id="cron"),
        pytest.param(MINUTELY, id="rate"),
        pytest.param(
            cron(
                "*/5 * * * * *",
                "Australia/Lord_Howe",
                starts_at=NOW,
                ends_at=LATER,
                max_runs=1,
                dst=DstPolicy.FIXED,
                gap=GapPolicy.SKIP,
                fold=FoldPolicy.BOTH,
                jitter_seconds=10,
            ),
            id="a cron with everything",
        ),
        pytest.param(
            rate(1, starts_at=NOW, ends_at=LATER, max_runs=9, jitter_seconds=1),
            id="a rate with everything",
        ),
    ],
)
def test_each_kind_is_accepted(schedule: Schedule) -> None:
    """With no more than it needs, and with all it may have."""
    assert refusal(schedule) is None


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (ScheduleKind.AT, "at"),
        (ScheduleKind.DELAY, "delay_seconds"),
        (ScheduleKind.CRON, "cron"),
        (ScheduleKind.RATE, "every_seconds"),
    ],
    ids=str,
)
def test_a_kind_needs_its_field(kind: ScheduleKind, field: str) -> None:
    """An hourly job without the hour is no schedule."""
    assert refusal(Schedule(kind=kind)) == (field, "required")


VALUES: dict[str, Any] = {
    "at": LATER,
    "delay_seconds": 60.0,
    "cron": "@daily",
    "timezone": "Europe/Berlin",
    "every_seconds": 60,
    "starts_at": LATER,
    "ends_at": LATER,
    "max_runs": 5,
    "gap": GapPolicy.SKIP,
    "fold": FoldPolicy.BOTH,
    "jitter_seconds": 5,
}
BOUNDS = {"starts_at", "ends_at", "max_runs", "jitter_seconds"}
OWN = {
    IMMEDIATE: set[str](),
    at(LATER): {"at"},
    delay(60): {"delay_seconds"},
    HOURLY: {"cron", "timezone", "gap", "fold"} | BOUNDS,
    rate(60): {"every_seconds"} | BOUNDS,
    MANUAL: set[str](),
}


@pytest.mark.parametrize(
    ("schedule", "field"),
    [
        pytest.param(schedule, field, id=f"{field} of {schedule.kind}")
        for schedule, own in OWN.items()
        for field in sorted(VALUES.keys() - own)
    ],
)
def test_a_field_of_another_kind_is_refused(schedule: Schedule, field: str) -> None:
    """Silently ignoring it would run the job at other times than its author meant."""
    assert refusal(replace(schedule, **{field: VALUES[field]})) == (field, "not_for_this_kind")


def test_a_field_of_another_kind_at_its_default_is_no_statement() -> None:
    """A client that sends every field it knows is not refused."""
    assert refusal(rate(60, timezone="UTC", gap=GapPolicy.RUN_AFTER)) is None


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param(at(NAIVE), id="at"),
        pytest.param(rate(60, starts_at=NAIVE), id="starts_at"),
        pytest.param(cron("@daily", ends_at=NAIVE), id="ends_at"),
    ],
)
def test_an_instant_says_its_offset(schedule: Schedule) -> None:
    """An instant without an offset would belong to no clock."""
    assert refusal(schedule) in {
        (field, "no_utc_offset") for field in ("at", "starts_at", "ends_at")
    }


@pytest.mark.parametrize(
    ("instant", "expected"),
    [
        pytest.param(NOW, None, id="now"),
        pytest.param(NOW - MILLISECOND, ("at", "in_the_past"), id="a millisecond ago"),
        pytest.param(
            datetime.fromisoformat("2026-11-21T08:00+01:00"), None, id="now, on another clock"
        ),
        pytest.param(
            datetime.fromisoformat("2026-11-21T08:00+01:01"),
            ("at", "in_the_past"),
            id="a minute ago, on another clock",
        ),
    ],
)
def test_there_is_no_grace_for_the_past(
    instant: datetime, expected: tuple[str, str] | None
) -> None:
    """Now is not past."""
    assert expected == refusal(at(instant))


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        pytest.param(rate(1), None, id="every second"),
        pytest.param(rate(0), ("every_seconds", "out_of_range"), id="no interval"),
        pytest.param(rate(-60), ("every_seconds", "out_of_range"), id="backwards"),
        pytest.param(rate(10**12), ("every_seconds", "never_fires"), id="beyond all dates"),
        pytest.param(delay(0), None, id="no delay"),
        pytest.param(delay(-0.001), ("delay_seconds", "out_of_range"), id="negative delay"),
        pytest.param(delay(math.nan), ("delay_seconds", "out_of_range"), id="not a number"),
        pytest.param(delay(math.inf), ("delay_seconds", "out_of_range"), id="infinite delay"),
        pytest.param(delay(1e15), ("delay_seconds", "never_fires"), id="delay beyond all dates"),
        pytest.param(rate(60, max_runs=1), None, id="one run"),
        pytest.param(rate(60, max_runs=0), ("max_runs", "out_of_range"), id="no run"),
        pytest.param(rate(90_000, jitter_seconds=86_400), None, id="a day of jitter"),
        pytest.param(
            rate(90_000, jitter_seconds=86_401), ("jitter_seconds", "out_of_range"), id="more"
        ),
        pytest.param(rate(60, jitter_seconds=60), None, id="as much as its interval"),
        pytest.param(
            rate(60, jitter_seconds=61), ("jitter_seconds", "out_of_range"), id="more than that"
        ),
        pytest.param(
            rate(60, jitter_seconds=-1), ("jitter_seconds", "out_of_range"), id="negative jitter"
        ),
    ],
)
def test_numbers_have_limits(schedule: Schedule, expected: tuple[str, str] | None) -> None:
    """On both sides of each."""
    assert expected == refusal(schedule)


def test_an_empty_range_is_refused() -> None:
    """Beginning and ending in the same instant is a range of one instant."""
    backwards = cron("0 * * * *", starts_at=LATER, ends_at=LATER - MILLISECOND)

    assert refusal(backwards) == ("ends_at", "ends_before_start")
    assert refusal(cron("0 * * * *", starts_at=LATER, ends_at=LATER)) is None


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        pytest.param(cron("0 * * * *", ends_at=LATER), None, id="ends with its first fire"),
        pytest.param(
            cron("0 * * * *", ends_at=LATER - MILLISECOND),
            ("ends_at", "never_fires"),
            id="ends just before",
        ),
        pytest.param(
            cron("0 * * * *", ends_at=NOW), ("ends_at", "never_fires"), id="ends as it is created"
        ),
        pytest.param(rate(3600, ends_at=LATER), None, id="a rate that ends with its first fire"),
        pytest.param(
            rate(3600, ends_at=LATER - MILLISECOND),
            ("ends_at", "never_fires"),
            id="a rate that ends just before",
        ),
        pytest.param(rate(60, starts_at=NOW - timedelta(days=9)), None, id="an anchor in the past"),
        pytest.param(
            rate(60, starts_at=NOW - timedelta(days=9), ends_at=NOW),
            ("ends_at", "never_fires"),
            id="all in the past",
        ),
        pytest.param(
            cron("@daily", starts_at=utc("9001-01-01 00:00")),
            ("cron", "never_fires"),
            id="beyond the calendar",
        ),
    ],
)
def test_a_schedule_must_still_name_an_instant(
    schedule: Schedule, expected: tuple[str, str] | None
) -> None:
    """One that recurs begins after now."""
    assert expected == refusal(schedule)


@pytest.mark.parametrize(
    ("expression", "exists"),
    [
        ("0 0 29 2 *", True),
        ("0 0 30 2 *", False),
        ("0 0 31 2 *", False),
        ("0 0 30 4 *", True),
        ("0 0 31 4,6,9,11 *", False),
        ("0 0 31 3,4 *", True),
        ("0 0 30 2 mon", True),
        ("0 0 */30 2 mon", True),
        ("0 0 */30 2 mon#2", False),
        ("0 0 * 2 mon#5", True),
        ("0 0 */31 * mon#5", False),
        ("0 0 L * mon#1", True),
        ("0 0 L * *", True),
    ],
    ids=str,
)
def test_a_date_that_no_year_has_is_refused(expression: str, *, exists: bool) -> None:
    """31 February; but a day or a weekday is enough where neither field begins with a star."""
    expected = None if exists else ("cron", "never_fires")

    assert expected == refusal(cron(expression))


@pytest.mark.parametrize(
    ("zone", "known"),
    [
        ("Europe/Berlin", True),
        ("UTC", True),
        ("Etc/GMT+5", True),
        ("America/Argentina/ComodRivadavia", True),
        ("Europe/Atlantis", False),
        ("europe/berlin", False),
        ("CEST", False),
        ("+01:00", False),
        ("", False),
        ("Europe", False),
        ("Europe/Berlin ", False),
        ("../../etc/localtime", False),
        ("/usr/share/zoneinfo/UTC", False),
        ("\0", False),
        ("Zürich", False),
        ("x" * 5000, False),
        ("localtime", False),
        ("posixrules", False),
        ("Factory", False),
        ("posix/Europe/Berlin", False),
        ("right/Europe/Berlin", False),
    ],
    ids=lambda value: repr(value)[:40],
)
def test_a_zone_is_an_iana_name(zone: str, *, known: bool) -> None:
    """And means the same on every machine."""
    expected = None if known else ("timezone", "unknown_timezone")

    assert expected == refusal(cron("@daily", zone))
