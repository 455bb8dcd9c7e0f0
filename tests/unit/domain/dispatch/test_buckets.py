"""Buckets are sealed when no process runs any more that could have meant to write into them."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.factories import NOW, after
from timegate.domain.dispatch.buckets import (
    INDEX_MARGIN,
    LONGEST_LIFE,
    MOST_APART,
    BucketProgress,
    Reading,
    progressed,
    second_look,
)
from timegate.domain.values.instants import minute_of, minute_start, minutes_between

LATEST = (LONGEST_LIFE + INDEX_MARGIN).total_seconds()
BEGUN = BucketProgress(watermark=NOW, sealed=NOW)


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


def came_to(
    *minutes: float,
    at: float = LATEST + 120,
    before: BucketProgress = BEGUN,
    unread: str | None = None,
    apart: Reading | None = None,
) -> BucketProgress:
    """Return the progress of a tick that met open buckets of these minutes."""
    looks = [Reading(open=[minute_of(after(each)) for each in minutes], unread=unread)]
    now = after(at)
    return progressed(before, looks, apart or Reading(), reached=now - INDEX_MARGIN, now=now)


@pytest.mark.parametrize(("found", "expected"), [((), 120), ((600,), 120)], ids=["none", "recent"])
def test_buckets_are_sealed_whatever_is_due_now(found: tuple[float, ...], expected: float) -> None:
    """An open one that writers can still fill keeps the watermark alone."""
    progress = came_to(*found)

    assert (progress.sealed, progress.apart) == (after(expected), ())
    assert progress.watermark == (after(600) if found else after(LATEST + 120) - INDEX_MARGIN)


@pytest.mark.parametrize(("seconds", "kept"), [(60, True), (120, False)])
def test_an_open_bucket_is_kept_apart_once_no_writer_can_fill_it(
    seconds: float, *, kept: bool
) -> None:
    """The watermark stays before it, so that its age alarms; those behind it are sealed."""
    progress = came_to(seconds)

    assert progress.apart == ((minute_of(after(seconds)),) if kept else ())
    assert (progress.watermark, progress.sealed) == (after(seconds), after(120))
    assert progress.read_from == after(120)


def test_a_bucket_for_which_there_was_no_time_is_not_sealed() -> None:
    """Nor is any behind it; an outage is caught up from there."""
    progress = came_to(60, at=LATEST + 600, unread=minute_of(after(180)))

    assert (progress.sealed, progress.apart) == (after(180), (minute_of(after(60)),))


def test_those_kept_apart_that_were_not_read_stay() -> None:
    """The tick found those before them empty, and keeps them no longer."""
    kept = tuple(minute_of(after(60 * n)) for n in range(3))
    before = BucketProgress(watermark=NOW, sealed=after(600), apart=kept)
    progress = came_to(at=LATEST + 660, before=before, apart=Reading(unread=kept[1]))

    assert progress.apart == kept[1:]
    assert (progress.watermark, progress.read_from) == (after(60), after(660))


def test_no_more_are_kept_apart_than_a_cursor_holds() -> None:
    """The first one beyond is read by each tick, and so are those behind it."""
    progress = came_to(*(60 * n for n in range(MOST_APART + 2)), at=LATEST + 60 * MOST_APART + 600)

    assert len(progress.apart) == MOST_APART
    assert progress.sealed == progress.read_from == after(60 * MOST_APART)


def test_a_clock_that_is_behind_unseals_nothing() -> None:
    """Ticks of two processes may read different clocks."""
    sealed = minute_start(minute_of(after(600)))
    before = BucketProgress(watermark=sealed, sealed=sealed)

    assert sealed == came_to(at=0, before=before).sealed
    assert second_look(sealed, NOW, now=NOW) == []


@given(st.lists(st.tuples(st.integers(0, 90), st.integers(0, 90), st.integers(-3, 9)), max_size=12))
def test_each_bucket_is_read_until_it_is_empty(ticks: list[tuple[int, int, int]]) -> None:
    """Records refuse, ticks end early, and their clocks differ."""
    progress, now = BEGUN, NOW
    owed = {minute_of(NOW)}
    for place, time, minutes in ticks:
        now += timedelta(minutes=minutes)
        edge = now - INDEX_MARGIN
        first = min(progress.read_from, edge)
        ranges = [minutes_between(first, now), second_look(progress.sealed, first, now=now)]
        looks = [_read(each, owed, time) for each in ranges]
        apart = _read(progress.apart, owed, time)
        progress = progressed(progress, looks, apart, reached=edge, now=now)
        reached = {*progress.apart, *minutes_between(progress.read_from, now + _LATER)}

        assert owed <= reached
        assert all(minute_start(each) >= progress.watermark for each in owed)

        owed |= {minute_of(max(now, NOW) + timedelta(minutes=place))}


_LATER = timedelta(hours=3)


def _read(minutes: Sequence[str], stuck: set[str], time: int) -> Reading:
    """Read as many as there is time for."""
    unread = minutes[time] if len(minutes) > time else None
    return Reading(open=[each for each in minutes[:time] if each in stuck], unread=unread)
