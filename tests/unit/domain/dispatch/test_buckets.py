"""Buckets are sealed when no process runs any more that could have meant to write into them."""

import pytest

from tests.support.factories import NOW, after
from timegate.domain.dispatch.buckets import INDEX_MARGIN, LONGEST_LIFE, sealed_after, second_look
from timegate.domain.values.instants import minute_of, minute_start

LATEST = (LONGEST_LIFE + INDEX_MARGIN).total_seconds()


@pytest.mark.parametrize(
    ("seconds", "minutes"),
    [(LATEST, 0), (LATEST + 59.999, 0), (LATEST + 60, 1), (LATEST + 180, 3)],
    ids=["its first moment", "its last moment", "over", "three"],
)
def test_a_minute_is_looked_at_again_when_its_latest_writers_are_dead(
    seconds: float, minutes: int
) -> None:
    """A writer that began in a minute's last moment lives for a quarter of an hour at most."""
    expected = [minute_of(after(60 * n)) for n in range(minutes)]

    assert expected == second_look(NOW, after(seconds), now=after(seconds))


def test_what_the_first_look_reads_is_not_read_again() -> None:
    """After an outage of an hour the watermark is far behind: one look is late enough."""
    assert second_look(NOW, NOW, now=after(3600)) == []
    assert second_look(NOW, after(60), now=after(3600)) == [minute_of(NOW)]


@pytest.mark.parametrize(
    ("not_empty", "expected"), [(None, 120), (60, 60), (600, 120)], ids=["none", "late", "recent"]
)
def test_a_bucket_that_is_not_empty_is_not_sealed(not_empty: float | None, expected: float) -> None:
    """Nor is any after it."""
    found = minute_of(after(not_empty)) if not_empty is not None else None

    assert after(expected) == sealed_after(NOW, found, now=after(LATEST + 120))


def test_a_clock_that_is_behind_unseals_nothing() -> None:
    """Ticks of two processes may read different clocks."""
    sealed = minute_start(minute_of(after(600)))

    assert sealed == sealed_after(sealed, None, now=NOW)
    assert second_look(sealed, NOW, now=NOW) == []
