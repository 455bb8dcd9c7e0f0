"""The clock of a zone against the zone's own file, read here byte by byte (RFC 9636)."""

import struct
import zoneinfo
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path

import pytest

from tests.unit.domain.recurrence.schedules import cron, fires, utc, written
from timegate.domain.recurrence.schedule import FoldPolicy
from timegate.domain.recurrence.zones import zone_clock
from timegate.domain.recurrence.zones.zone_clock import load_zone, stretch_at

DAY_SECONDS = 86_400
MINUTE = timedelta(minutes=1)
YEAR_1999 = 915_148_800
YEAR_2037 = 2_114_380_800
ZONES = [
    *("Africa/Cairo", "Africa/Casablanca", "America/Argentina/San_Luis", "America/Caracas"),
    *("America/Havana", "America/New_York", "America/Santiago", "America/St_Johns"),
    *("Antarctica/Casey", "Antarctica/Troll", "Asia/Gaza", "Asia/Kathmandu", "Asia/Pyongyang"),
    *("Asia/Tehran", "Atlantic/Azores", "Australia/Lord_Howe", "Europe/Berlin", "Europe/Dublin"),
    *("Europe/Moscow", "Pacific/Apia", "Pacific/Kiritimati", "Pacific/Kwajalein", "UTC"),
]

Jump = tuple[int, int, int]


def zone_file(name: str) -> bytes:
    """Read a zone's file as ``zoneinfo`` finds it, in its order."""
    for folder in zoneinfo.TZPATH:
        path = Path(folder) / name
        if path.is_file():
            return path.read_bytes()
    return files("tzdata.zoneinfo").joinpath(*name.split("/")).read_bytes()


@cache
def jumps_in_file(name: str) -> list[Jump]:
    """The instants at which the offset changes, with the offsets before and after."""
    data = zone_file(name)
    header = struct.Struct(">4sc15x6L")
    _, _, isut, isstd, leap, times, types, letters = header.unpack_from(data)
    # The first block repeats the second in 32 bits.
    start = header.size + times * 5 + types * 6 + letters + leap * 8 + isstd + isut
    _, _, _, _, _, times, types, _ = header.unpack_from(data, start)
    body = start + header.size
    instants = struct.unpack_from(f">{times}q", data, body)
    kinds = struct.unpack_from(f">{times}B", data, body + times * 8)
    infos = [struct.unpack_from(">l", data, body + times * 9 + n * 6)[0] for n in range(types)]
    before = infos[0]
    found = []
    for instant, kind in zip(instants, kinds, strict=True):
        if infos[kind] != before:
            found.append((instant, before, infos[kind]))
        before = infos[kind]
    return found


def jumps_of_clock(name: str, begin: int, end: int) -> list[Jump]:
    """The same, as the stretches tell them."""
    found, position = [], begin
    while position < end:
        stretch = stretch_at(name, position)
        if stretch.next_offset != stretch.offset and stretch.end < end:
            found.append((stretch.end, stretch.offset, stretch.next_offset))
        position = stretch.end
    return found


@pytest.mark.parametrize("zone", ZONES, ids=str)
def test_stretches_end_where_the_file_says(zone: str) -> None:
    """To the second, from 1970 to where the files stop listing."""
    begin, end = 1, YEAR_2037
    listed = [jump for jump in jumps_in_file(zone) if begin < jump[0] < end]
    last = listed[-1][0] if listed else begin

    assert listed == jumps_of_clock(zone, begin, last + 1)


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
def test_the_rules_go_on_where_the_file_stops(zone: str) -> None:
    """Two changes a year, for a hundred years."""
    century = 36_525 * DAY_SECONDS

    assert len(jumps_of_clock(zone, YEAR_2037, YEAR_2037 + century)) == 200


def test_no_zone_changes_and_back_within_a_day() -> None:
    """One look a day is therefore enough; since 1999 one in six days is."""
    short = {
        (name, first, second)
        for name in zoneinfo.available_timezones() - {"localtime"}
        for (first, *_), (second, *_) in pairwise(jumps_in_file(name))
        if first >= 0 and second - first <= (6 if first >= YEAR_1999 else 1) * DAY_SECONDS
    }

    assert short == set()


@pytest.mark.parametrize(
    ("instant", "offset", "shown_before"),
    [
        # Berlin, 25 October 2026: at 01:00 UTC the clock is set back from 03:00 to 02:00.
        pytest.param("2026-10-25T00:59:59", 7200, False, id="the last second of summer"),
        pytest.param("2026-10-25T01:00:00", 3600, True, id="the first of winter"),
        pytest.param("2026-10-25T01:59:59", 3600, True, id="the last that was shown before"),
        pytest.param("2026-10-25T02:00:00", 3600, False, id="the first that was not"),
        pytest.param("2026-03-29T00:59:59", 3600, False, id="before the gap"),
        pytest.param("2026-03-29T01:00:00", 7200, False, id="after the gap"),
    ],
)
def test_a_stretch_knows_what_was_shown_before(
    instant: str, offset: int, *, shown_before: bool
) -> None:
    """On both sides of a change."""
    seconds = int(datetime.fromisoformat(f"{instant}+00:00").timestamp())
    stretch = stretch_at("Europe/Berlin", seconds)

    assert stretch.offset == offset
    assert (seconds + stretch.offset < stretch.shown_until) is shown_before


@pytest.fixture
def short_windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Stretches kept in windows of seventeen minutes, so that some edge falls into every fold."""
    monkeypatch.setattr(zone_clock, "_WINDOW_BITS", 10)
    zone_clock._window.cache_clear()
    yield
    monkeypatch.undo()
    zone_clock._window.cache_clear()


@pytest.mark.usefixtures("short_windows")
def test_a_window_repeats_what_a_fold_repeats() -> None:
    """A job that wants both passes has both, whichever windows they fall into."""
    schedule = cron("*/30 2 * * *", "Europe/Berlin", fold=FoldPolicy.BOTH)
    found = fires(schedule, "2026-10-24 23:59", "2026-10-25 12:00")

    assert found == [f"2026-10-25 {time}" for time in ("00:00", "00:30", "01:00", "01:30")]


@pytest.mark.usefixtures("short_windows")
@pytest.mark.parametrize(
    ("zone", "expression", "day", "expected"),
    [
        ("Europe/Berlin", "0-59/30 2 * * *", "2026-10-25", ["00:00", "00:30"]),
        ("Europe/Berlin", "0-59/30 2,3 * * *", "2026-03-29", ["01:00", "01:30"]),
        ("America/New_York", "59 1 * * *", "2026-11-01", ["05:59"]),
    ],
    ids=str,
)
def test_a_window_knows_what_the_ones_before_it_have_shown(
    zone: str, expression: str, day: str, expected: list[str]
) -> None:
    """A change is not forgotten at the edge of a window, nor seen twice."""
    midnight = utc(f"{day} 00:00")
    found = fires(cron(expression, zone), written(midnight - MINUTE), f"{day} 12:00")

    assert [f"{day} {time}" for time in expected] == found


def test_a_zone_is_loaded_once() -> None:
    """``zoneinfo`` keeps it."""
    assert load_zone("Europe/Berlin") is load_zone("Europe/Berlin")
