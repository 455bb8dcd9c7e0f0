"""Each kind of schedule names its instants, on both sides of every bound."""

from datetime import UTC, datetime, timedelta
from itertools import islice

import pytest

from tests.unit.domain.recurrence.schedules import (
    IMMEDIATE,
    LONG_AGO,
    at,
    cron,
    delay,
    fires,
    rate,
    utc,
    written,
)
from timegate.domain.recurrence.fires import fires_between, next_fire, nominates
from timegate.domain.recurrence.schedule import Schedule

CREATED = utc("2026-11-21 07:00")
MILLISECOND = timedelta(milliseconds=1)
#: The furthest a cron is followed.
FAR = utc("9000-12-31 23:59")


def following(schedule: Schedule, after: datetime) -> str | None:
    found = next_fire(schedule, created_at=CREATED, after=after)
    return written(found) if found is not None else None


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        pytest.param(IMMEDIATE, "2026-11-21 07:00", id="immediate: creation itself"),
        pytest.param(delay(0), "2026-11-21 07:00", id="no delay"),
        pytest.param(delay(90), "2026-11-21 07:01:30", id="delay: after creation"),
        pytest.param(delay(0.25), "2026-11-21 07:00:00.250000", id="a fraction of a second"),
        pytest.param(delay(0.0019), "2026-11-21 07:00:00.001000", id="cut to milliseconds"),
        pytest.param(at(utc("2026-12-24 18:00")), "2026-12-24 18:00", id="at"),
        pytest.param(delay(1e15), None, id="a delay beyond all dates"),
    ],
)
def test_a_kind_that_does_not_recur_names_one_instant(
    schedule: Schedule, expected: str | None
) -> None:
    """Found just before it, and gone once it has passed."""
    before = CREATED - MILLISECOND

    assert expected == following(schedule, before)
    if expected is not None:
        assert following(schedule, utc(expected)) is None


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param("2026-11-21 06:00", "2026-11-21 07:05", id="before creation"),
        pytest.param("2026-11-21 07:00", "2026-11-21 07:05", id="at creation"),
        pytest.param("2026-11-21 07:04:59.999", "2026-11-21 07:05", id="just before a fire"),
        pytest.param("2026-11-21 07:05", "2026-11-21 07:10", id="at a fire"),
        pytest.param("2026-11-28 07:00", "2026-11-28 07:05", id="a week on"),
    ],
)
def test_a_rate_counts_from_creation(after: str, expected: str) -> None:
    """Its first fire is one interval later."""
    assert expected == following(rate(300), utc(after))


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param("2026-11-21 07:59:59.999", "2026-11-21 08:00", id="before it starts"),
        pytest.param("2026-11-21 08:00", "2026-11-21 08:07", id="at its start"),
        pytest.param("2026-11-21 08:07", "2026-11-21 08:14", id="one later"),
    ],
)
def test_an_anchored_rate_begins_on_its_anchor(after: str, expected: str) -> None:
    """The anchor is the first fire."""
    assert expected == following(rate(420, starts_at=utc("2026-11-21 08:00")), utc(after))


def test_a_rate_keeps_the_milliseconds_of_its_anchor() -> None:
    """It is an interval of real time, not a pattern of seconds."""
    schedule = rate(1, starts_at=utc("2026-11-21 08:00:00.123"))

    assert following(schedule, utc("2026-11-21 08:00:07.5")) == "2026-11-21 08:00:08.123000"


def test_a_rate_does_not_drift() -> None:
    """The millionth fire is a million intervals after the first."""
    first = utc("2026-01-01 00:00")
    schedule = rate(7, starts_at=first)
    late = first + timedelta(seconds=7 * 1_000_000)

    assert following(schedule, late - MILLISECOND) == written(late)


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        pytest.param("2026-11-21 07:59:59.999", "2026-11-21 08:00", id="a hair before"),
        pytest.param("2026-11-21 08:00", "2026-11-21 09:00", id="at one"),
        pytest.param("2026-11-21 08:00:00.001", "2026-11-21 09:00", id="a hair after"),
    ],
)
def test_the_next_fire_is_strictly_later(after: str, expected: str) -> None:
    """Asking at a fire answers with the one that follows."""
    assert expected == following(cron("0 * * * *"), utc(after))


@pytest.mark.parametrize(
    ("starts_at", "ends_at", "expected"),
    [
        pytest.param("2026-11-21 08:00", None, ["08:00", "09:00", "10:00"], id="from a fire on"),
        pytest.param("2026-11-21 08:00:00.001", None, ["09:00", "10:00"], id="from just after it"),
        pytest.param(None, "2026-11-21 09:00", ["07:00", "08:00", "09:00"], id="until a fire"),
        pytest.param(None, "2026-11-21 08:59:59.999", ["07:00", "08:00"], id="until just before"),
        pytest.param("2026-11-21 08:00", "2026-11-21 08:00", ["08:00"], id="one instant"),
        pytest.param("2026-11-21 08:01", "2026-11-21 08:59", [], id="between two fires"),
    ],
)
def test_both_bounds_belong_to_the_schedule(
    starts_at: str | None, ends_at: str | None, expected: list[str]
) -> None:
    """A fire exactly on a bound happens."""
    schedule = cron(
        "0 * * * *",
        starts_at=utc(starts_at) if starts_at else None,
        ends_at=utc(ends_at) if ends_at else None,
    )

    found = fires(schedule, "2026-11-21 06:30", "2026-11-21 10:30")
    assert [f"2026-11-21 {time}" for time in expected] == found


def test_a_window_excludes_its_beginning_and_includes_its_end() -> None:
    """So that windows laid end to end name every instant once."""
    found = fires(cron("0 * * * *"), "2026-11-21 07:00", "2026-11-21 09:00")

    assert found == ["2026-11-21 08:00", "2026-11-21 09:00"]


def test_a_window_before_the_creation_of_a_cron_job_is_filled() -> None:
    """Creation does not bound a cron: a backfill asks for the past."""
    found = fires(cron("@daily"), "2020-02-27 12:00", "2020-03-01 12:00", created_at=CREATED)

    assert found == ["2020-02-28 00:00", "2020-02-29 00:00", "2020-03-01 00:00"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        pytest.param("0 0 29 2 *", ["2028-02-29 00:00", "2032-02-29 00:00"], id="leap day"),
        pytest.param("0 0 31 * *", ["2026-12-31 00:00", "2027-01-31 00:00"], id="day 31"),
        pytest.param("0 0 L * *", ["2026-11-30 00:00", "2026-12-31 00:00"], id="last day"),
        pytest.param("0 0 L 2 *", ["2027-02-28 00:00", "2028-02-29 00:00"], id="last of February"),
        pytest.param("0 0 * * mon#5", ["2026-11-30 00:00", "2027-03-29 00:00"], id="fifth Monday"),
        pytest.param("0 0 * * friL", ["2026-11-27 00:00", "2026-12-25 00:00"], id="last Friday"),
        pytest.param("0 0 13 * fri", ["2026-11-27 00:00", "2026-12-04 00:00"], id="either day"),
        pytest.param("0 0 */2 * mon", ["2026-11-23 00:00", "2026-12-07 00:00"], id="both days"),
        pytest.param("59 59 23 31 12 *", ["2026-12-31 23:59:59", "2027-12-31 23:59:59"], id="end"),
    ],
)
def test_calendar_days(expression: str, expected: list[str]) -> None:
    """Checked against a calendar; creation is Saturday, 21 November 2026."""
    found = fires_between(cron(expression), created_at=CREATED, after=CREATED, until=FAR)

    assert expected == [written(instant) for instant in islice(found, 2)]


def test_a_leap_day_on_a_monday_comes_back_after_28_years() -> None:
    """Or after 40, across a century that is no leap year: 2096 is one, 2100 is none."""
    # A star makes both fields necessary.
    leap_mondays = fires(cron("0 0 */28 2 mon"), "2026-01-01 00:00", "2120-01-01 00:00")

    assert [day[:10] for day in leap_mondays if day[8:10] == "29"] == [
        "2044-02-29",
        "2072-02-29",
        "2112-02-29",
    ]


@pytest.mark.parametrize(
    "after",
    [
        pytest.param(FAR, id="the last minute"),
        pytest.param(datetime.max.replace(tzinfo=UTC), id="the end of time"),
    ],
)
def test_a_cron_ends_with_the_year_9000(after: datetime) -> None:
    """Later instants might not fit into a datetime in every zone."""
    assert following(cron("* * * * *"), after) is None


def test_a_rate_ends_with_time_itself() -> None:
    """It does not overflow."""
    assert following(rate(86_400), datetime.max.replace(tzinfo=UTC)) is None


def test_a_cron_before_1970_begins_there() -> None:
    """Zones kept local mean time before."""
    assert following(cron("@yearly"), datetime.min.replace(tzinfo=UTC)) == "1970-01-01 00:00"


@pytest.mark.parametrize(
    ("instant", "expected"),
    [
        pytest.param("2026-03-29 01:00", True, id="made up after a gap"),
        pytest.param("2026-03-30 00:30", True, id="an ordinary day"),
        pytest.param("2026-03-30 00:30:00.001", False, id="a millisecond late"),
        pytest.param("2026-03-30 00:29:59.999", False, id="a millisecond early"),
        pytest.param("2026-10-25 01:30", False, id="the second pass of a fold"),
    ],
)
def test_nominating_is_exact(instant: str, *, expected: bool) -> None:
    """A run of an older version is adopted only when the current schedule names its instant."""
    schedule = cron("30 2 * * *", "Europe/Berlin")

    assert expected is nominates(schedule, created_at=LONG_AGO, instant=utc(instant))
