"""Cron against the slow oracle, on days when clocks are changed and on days when they are not."""

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property.cron_strategies import Cron, crons
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


@settings(max_examples=600)
@given(
    cron=crons,
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
    schedule = Schedule(
        kind=ScheduleKind.CRON, cron=cron.text, timezone=window.zone, gap=gap, fold=fold
    )
    found = fires_between(
        schedule,
        created_at=begin,
        after=begin - MICROSECOND,
        until=window.end - MICROSECOND,
    )

    expected = [fire for fire in fires_of(cron, window, gap, fold) if fire >= begin]
    assert expected == list(found)
