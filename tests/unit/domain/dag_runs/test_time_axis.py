"""Ticks of a time axis."""

from datetime import UTC, datetime, timedelta

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
