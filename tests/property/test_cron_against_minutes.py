"""Cron against the slow oracle, on days when clocks are changed and on days when they are not."""

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property.cron_strategies import Cron, crons, night_crons
from tests.property.wall_oracle import MINUTE, WINDOWS, Window, changes_of, fires_of
from timegate.domain.recurrence import fires_between
from timegate.domain.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind

MICROSECOND = timedelta(microseconds=1)


def begin_of(window: Window, part: str | int) -> datetime:
    """Where to begin looking: exactly at a change of the clock is a case of its own."""
    if isinstance(part, int):
        return window.begin + part * MINUTE
    changes = changes_of(window) if part == "from the change" else []
    return changes[0] if changes else window.begin


def found_of(
    cron: Cron, window: Window, gap: GapPolicy, fold: FoldPolicy, begin: datetime
) -> list[datetime]:
    """What the code names from ``begin`` to the end of the window."""
    schedule = Schedule(
        kind=ScheduleKind.CRON, cron=cron.text, timezone=window.zone, gap=gap, fold=fold
    )
    after, until = begin - MICROSECOND, window.end - MICROSECOND
    return list(fires_between(schedule, created_at=begin, after=after, until=until))


@settings(max_examples=500)
@given(
    cron=crons | night_crons,
    window=st.sampled_from(WINDOWS),
    gap=st.sampled_from(GapPolicy),
    fold=st.sampled_from(FoldPolicy),
    part=st.one_of(st.just("whole"), st.just("from the change"), st.integers(0, 2000)),
)
def test_cron_fires_exactly_when_the_wall_says_so(
    cron: Cron, window: Window, gap: GapPolicy, fold: FoldPolicy, part: str | int
) -> None:
    """Under every policy, to the second, from whatever instant one begins to look."""
    begin = begin_of(window, part)
    expected = [fire for fire in fires_of(cron, window, gap, fold) if fire >= begin]

    assert expected == found_of(cron, window, gap, fold, begin)


@settings(max_examples=300)
@given(
    cron=night_crons,
    window=st.sampled_from([window for window in WINDOWS if changes_of(window)]),
    gap=st.sampled_from(GapPolicy),
    fold=st.sampled_from(FoldPolicy),
)
def test_fixed_times_survive_a_change_of_the_clock(
    cron: Cron, window: Window, gap: GapPolicy, fold: FoldPolicy
) -> None:
    """Where it matters most: times in, around, and at the edges of gaps and folds."""
    expected = fires_of(cron, window, gap, fold)

    assert expected == found_of(cron, window, gap, fold, window.begin)
