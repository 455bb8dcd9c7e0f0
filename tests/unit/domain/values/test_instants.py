"""Instants and how they are written."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import (
    compact,
    from_compact,
    milliseconds_between,
    minute_of,
    minute_start,
    minutes_between,
    rfc3339,
    to_milliseconds,
)

SEVEN = datetime(2026, 11, 21, 7, 0, 0, 123_000, tzinfo=UTC)


def test_the_compact_form_is_utc_with_milliseconds() -> None:
    """An instant's name does not depend on its zone."""
    in_berlin = SEVEN.astimezone(timezone(timedelta(hours=1)))

    assert compact(in_berlin) == compact(SEVEN) == "20261121T070000123Z"


def test_an_hour_that_comes_twice_has_two_names() -> None:
    """Python takes both times for equal, so the text of one is not kept for the other."""
    first = datetime(2026, 10, 25, 2, 30, tzinfo=ZoneInfo("Europe/Berlin"))
    second = first.replace(fold=1)

    assert first == second
    assert (compact(first), minute_of(first)) == ("20261025T003000000Z", "20261025T0030")
    assert (compact(second), minute_of(second)) == ("20261025T013000000Z", "20261025T0130")


@pytest.mark.parametrize(
    "instant",
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC),
        datetime(2028, 2, 29, 0, 0, 0, 1_999, tzinfo=UTC),
    ],
)
def test_each_instant_reads_back_to_its_millisecond(instant: datetime) -> None:
    assert from_compact(compact(instant)) == to_milliseconds(instant)
    assert from_compact(compact(instant)).tzinfo is UTC
    assert len(compact(instant)) == 19
    assert minute_start(minute_of(instant)) == instant.replace(second=0, microsecond=0)


def test_the_compact_form_sorts_like_time() -> None:
    """Sort keys compare as text."""
    steps = [SEVEN + timedelta(milliseconds=n * 7919) for n in range(200)]

    assert sorted(map(compact, steps)) == [compact(step) for step in steps]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "20261121T070000123",
        "20261121T0700001234",
        "20261121T0700001234Z",
        "20261121T07000012ZZ",
        "20261121T070000-1Z",
        "20261121 070000123Z",
        "20261121T070000123+0100",
        "20261121T070000123+0000",
        "2026W476T070000123Z",
        "20261121T240000000Z",
        "20260230T070000123Z",
        "\uff120261121T070000123Z",
    ],
)
def test_nothing_else_reads_as_an_instant(text: str) -> None:
    """A key is never guessed from damaged text."""
    with pytest.raises(InvalidInput):
        from_compact(text)


def test_users_see_rfc_3339() -> None:
    """Milliseconds always, and a Z."""
    assert rfc3339(SEVEN.replace(microsecond=0)) == "2026-11-21T07:00:00.000Z"


def test_finer_than_a_millisecond_is_cut_not_rounded() -> None:
    """Rounding up would name an instant that has not come yet."""
    cut = to_milliseconds(SEVEN.replace(microsecond=123_999))

    assert cut == SEVEN


@pytest.mark.parametrize(
    ("last", "expected"),
    [
        pytest.param(timedelta(0), ["20261121T0700"], id="same instant"),
        pytest.param(timedelta(seconds=59), ["20261121T0700"], id="same minute"),
        pytest.param(
            timedelta(seconds=60), ["20261121T0700", "20261121T0701"], id="a minute later"
        ),
        pytest.param(timedelta(seconds=-61), [], id="backwards"),
    ],
)
def test_minutes_between_includes_both_ends(last: timedelta, expected: list[str]) -> None:
    """No bucket at either edge is left out."""
    assert expected == minutes_between(SEVEN, SEVEN + last)


def test_a_minute_starts_at_its_first_instant() -> None:
    """Bucket names read back."""
    assert minute_start(minute_of(SEVEN)) == SEVEN.replace(microsecond=0)


def test_milliseconds_carry_their_sign() -> None:
    """Early is negative."""
    assert milliseconds_between(SEVEN, SEVEN - timedelta(milliseconds=5)) == -5
