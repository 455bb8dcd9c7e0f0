"""Cron against the slow oracle, on days when clocks are changed and on days when they are not."""

from dataclasses import asdict
from datetime import datetime, timedelta

from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.oracles.wall_oracle import (
    MINUTE,
    WINDOWS,
    Policies,
    Window,
    changes_of,
    fires_of,
)
from tests.property.recurrence.strategies.cron_strategies import Cron, crons, night_crons
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import (
    DstPolicy,
    FoldPolicy,
    GapPolicy,
    Schedule,
    ScheduleKind,
)

MICROSECOND = timedelta(microseconds=1)


def begin_of(window: Window, part: str | int) -> datetime:
    """Return the begin of the search: exactly at a change of the clock is a case of its own."""
    if isinstance(part, int):
        return window.begin + part * MINUTE
    changes = changes_of(window) if part == "from the change" else []
    return changes[0] if changes else window.begin


policies = st.builds(
    Policies,
    gap=st.sampled_from(GapPolicy),
    fold=st.sampled_from(FoldPolicy),
    dst=st.none() | st.sampled_from(DstPolicy),
)


def found_of(cron: Cron, window: Window, given: Policies, begin: datetime) -> list[datetime]:
    """Return the code's instants from ``begin`` to the end of the window."""
    schedule = Schedule(
        kind=ScheduleKind.CRON, cron=cron.text, timezone=window.zone, **asdict(given)
    )
    after, until = begin - MICROSECOND, window.end - MICROSECOND
    return list(fires_between(schedule, created_at=begin, after=after, until=until))


@settings(max_examples=some(500))
@drawn(
    cron=crons | night_crons,
    window=st.sampled_from(WINDOWS),
    given=policies,
    part=st.one_of(st.just("whole"), st.just("from the change"), st.integers(0, 2000)),
)
def test_cron_fires_exactly_when_the_wall_says_so(
    cron: Cron, window: Window, given: Policies, part: str | int
) -> None:
    """Under every policy, to the second, from whatever instant one begins to look."""
    begin = begin_of(window, part)
    expected = [fire for fire in fires_of(cron, window, given) if fire >= begin]

    assert expected == found_of(cron, window, given, begin)


@settings(max_examples=some(300))
@drawn(
    cron=night_crons,
    window=st.sampled_from([window for window in WINDOWS if changes_of(window)]),
    given=policies,
)
def test_fixed_times_survive_a_change_of_the_clock(
    cron: Cron, window: Window, given: Policies
) -> None:
    """Times in, around and at the edges of gaps and folds agree."""
    expected = fires_of(cron, window, given)

    assert expected == found_of(cron, window, given, window.begin)
