"""Cron against the slow oracle, on days when clocks are changed and on days when they are not."""

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.property.cron_strategies import Cron, crons
from tests.property.wall_oracle import WINDOWS, Window, fires_of
from timegate.domain.recurrence import fires_between
from timegate.domain.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind

MICROSECOND = timedelta(microseconds=1)


@settings(max_examples=600)
@given(
    cron=crons,
    window=st.sampled_from(WINDOWS),
    gap=st.sampled_from(GapPolicy),
    fold=st.sampled_from(FoldPolicy),
)
def test_cron_fires_exactly_when_the_wall_says_so(
    cron: Cron, window: Window, gap: GapPolicy, fold: FoldPolicy
) -> None:
    """Under every policy, to the second."""
    schedule = Schedule(
        kind=ScheduleKind.CRON, cron=cron.text, timezone=window.zone, gap=gap, fold=fold
    )
    found = fires_between(
        schedule,
        created_at=window.begin,
        after=window.begin - MICROSECOND,
        until=window.end - MICROSECOND,
    )

    assert fires_of(cron, window, gap, fold) == list(found)
