"""Instants as people and programs write them."""

from datetime import UTC, datetime

import pytest

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.written_instants import read_instant


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2026-11-21T07:00:00Z", datetime(2026, 11, 21, 7, tzinfo=UTC)),
        ("2026-11-21 07:00Z", datetime(2026, 11, 21, 7, tzinfo=UTC)),
        ("2026-11-21t08:00:00.123456+01:00", datetime(2026, 11, 21, 7, 0, 0, 123_000, tzinfo=UTC)),
        ("1970-01-01T00:00:00Z", datetime(1970, 1, 1, tzinfo=UTC)),
        ("9000-12-31T23:59:59Z", datetime(9000, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_an_instant_is_read_in_utc(text: str, expected: datetime) -> None:
    """To the millisecond, with either letter, and without seconds."""
    assert read_instant(text) == expected


@pytest.mark.parametrize("text", ["2016-12-31T23:59:60Z", "2017-01-01T00:59:60.75+01:00"])
def test_a_leap_second_is_the_second_after_it(text: str) -> None:
    """No clock here counts leap seconds."""
    assert read_instant(text) == datetime(2017, 1, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "invalid_instant"),
        ("tomorrow", "invalid_instant"),
        ("1794000000", "invalid_instant"),
        ("2026-02-30T07:00:00Z", "invalid_instant"),
        ("2026-11-21T07:00:61Z", "invalid_instant"),
        ("2026-11-21T07:60:00Z", "invalid_instant"),
        ("2026-11-21T07:00:00", "no_utc_offset"),
        ("2026-11-21T07:00:60", "no_utc_offset"),
        ("0001-01-01T00:00:00Z", "out_of_range"),
        ("0001-01-01T00:00:00+14:00", "out_of_range"),
        ("1969-12-31T23:59:59Z", "out_of_range"),
        ("9001-01-01T00:00:00Z", "out_of_range"),
        ("9000-12-31T23:59:60Z", "out_of_range"),
        ("9999-12-31T23:59:60-14:00", "out_of_range"),
    ],
)
def test_anything_else_is_refused(text: str, code: str) -> None:
    """Each with its code, and with an example of the right spelling."""
    with pytest.raises(InvalidInput) as refused:
        read_instant(text)

    assert refused.value.code == code
