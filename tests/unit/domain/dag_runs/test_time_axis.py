"""Ticks of a time axis."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from timegate.domain.dag_runs.pictures.time_axis import MOST_TICKS, ticks_of

BEGIN = datetime(2026, 11, 21, 6, 59, 58, tzinfo=UTC)


@pytest.mark.parametrize(
    ("seconds", "labels"),
    [
        pytest.param(0, [], id="an-instant"),
        pytest.param(0.8, ["06:59:58.0", "06:59:58.1"], id="tenths"),
        pytest.param(10, ["06:59:58", "07:00:00"], id="seconds"),
        pytest.param(45, ["07:00:00", "07:00:10"], id="ten-seconds"),
        pytest.param(600, ["07:00", "07:02"], id="minutes"),
        pytest.param(86_400, ["09:00", "12:00", "15:00", "18:00", "21:00", "2026-11-22"], id="day"),
        pytest.param(700_000, ["2026-11-22", "2026-11-23"], id="days"),
    ],
)
def test_ticks_stand_at_instants_that_people_name(seconds: float, labels: list[str]) -> None:
    """On whole steps, and midnight as a date."""
    ticks = ticks_of(BEGIN, BEGIN + timedelta(seconds=seconds))

    assert [each.label for each in ticks][: len(labels)] == labels


BERLIN, CAIRO, KOLKATA = map(ZoneInfo, ("Europe/Berlin", "Africa/Cairo", "Asia/Kolkata"))


@pytest.mark.parametrize(
    ("zone", "begin", "hours", "ticks"),
    [
        pytest.param(
            KOLKATA,
            "2026-11-20T20:30",
            3,
            ["20:30=02:00", "21:00=02:30", "21:30=03:00", "22:00=03:30"],
            id="half-hours",
        ),
        pytest.param(
            BERLIN,
            "2026-10-24T23:30",
            5,
            ["00:00=02:00", "01:00=02:00", "02:00=03:00", "03:00=04:00", "04:00=05:00"],
            id="set-back",
        ),
        pytest.param(
            BERLIN,
            "2026-03-28T22:30",
            5,
            ["23:00=2026-03-29", "00:00=01:00", "01:00=03:00", "02:00=04:00", "03:00=05:00"],
            id="set-forward",
        ),
        pytest.param(
            CAIRO,
            "2026-04-23T20:30",
            4,
            ["20:30=22:30", "21:00=23:00", "21:30=23:30", "22:00=01:00", "22:30=01:30"],
            id="no-midnight",
        ),
        pytest.param(
            BERLIN, "2026-11-20T12:00", 72, ["23:00=2026-11-21", "11:00=12:00"], id="midnights"
        ),
        pytest.param(
            BERLIN,
            "2026-11-20T12:00",
            24 * 40,
            ["23:00=2026-11-23", "23:00=2026-11-30", "23:00=2026-12-07"],
            id="weeks-begin-on-mondays",
        ),
    ],
)
def test_ticks_are_whole_steps_of_the_zones_clock(
    zone: ZoneInfo, begin: str, hours: int, ticks: list[str]
) -> None:
    """The time in UTC, and its label: what the clock shows twice or never is drawn so."""
    start = datetime.fromisoformat(begin).replace(tzinfo=UTC)
    found = ticks_of(start, start + timedelta(hours=hours), zone)

    assert [f"{each.at:%H:%M}={each.label}" for each in found][: len(ticks)] == ticks


@pytest.mark.parametrize("key", ["Africa/Cairo", "America/Santiago", "Australia/Lord_Howe"])
@given(offset=st.integers(0, 10**8), seconds=st.floats(1, 10**7, allow_nan=False))
def test_no_clock_makes_labels_touch(key: str, offset: int, seconds: float) -> None:
    """A clock that is set forward brings one tick more at most; each instant has one."""
    begin = BEGIN + timedelta(seconds=offset)
    end = begin + timedelta(seconds=seconds)
    ticks = [each.at for each in ticks_of(begin, end, ZoneInfo(key))]

    assert len(ticks) <= MOST_TICKS + 1
    assert ticks == sorted(set(ticks))
    assert all(begin <= each <= end for each in ticks)


@given(
    offset=st.integers(0, 10**8),
    seconds=st.floats(0.11, 10**9, allow_nan=False),
)
def test_an_axis_has_a_few_ticks_within_its_ends(offset: int, seconds: float) -> None:
    """In order, and none beyond them."""
    begin = BEGIN + timedelta(seconds=offset)
    end = begin + timedelta(seconds=seconds)
    ticks = [each.at for each in ticks_of(begin, end)]

    assert 1 <= len(ticks) <= MOST_TICKS or seconds < 1
    assert ticks == sorted(set(ticks))
    assert all(begin <= each <= end for each in ticks)
