"""Forecasts against counting: each instant by itself, as the planner would have it due."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.strategies.schedule_strategies import (
    MILLISECOND,
    Look,
    bounded,
    looks,
)
from tests.property.restrictions.restriction_strategies import NAMES, calendars, rules
from tests.support.factories import timing_factory
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.plan import first_fire
from timegate.domain.previews.forthcoming import PreviewWindow
from timegate.domain.previews.load.due_minutes import MOST_SPREAD, due_minutes
from timegate.domain.recurrence.fires import fires_between, next_fire
from timegate.domain.recurrence.kinds.kind import minute_number
from timegate.domain.recurrence.minute_counts import minute_counts
from timegate.domain.recurrence.spread import jitter
from timegate.domain.restrictions.calendar_filter import runs_at
from timegate.domain.restrictions.restrictions import Restrictions

SPARE = timedelta(days=3)


def counted(timing: Timing, window: PreviewWindow, restrictions: Restrictions) -> Counter[int]:
    """The same, instant by instant."""
    found: Counter[int] = Counter()
    schedule, limit = timing.schedule, timing.schedule.max_runs
    left = float("inf") if limit is None else limit
    for at in fires_between(
        schedule, created_at=timing.anchored_at, after=window.start, until=window.end
    ):
        following = next_fire(schedule, created_at=timing.anchored_at, after=at)
        moment = runs_at(timing, at, following, restrictions)
        if moment is None or left <= 0:
            continue
        left -= 1
        late = jitter(timing.job_id, moment, schedule.jitter_seconds, following)
        found[minute_number(moment + late)] += 1
    return found


@settings(max_examples=some(150))
@given(look=looks() | bounded())
def test_minutes_have_as_many_instants_as_are_walked_through(look: Look) -> None:
    """Every kind and zone agrees, through every clock change, from and to any millisecond."""
    found: Counter[int] = Counter()
    for minute, count in minute_counts(
        look.schedule, created_at=look.created_at, first=look.after, until=look.until
    ):
        assert count > 0 or look.schedule.every_seconds is not None
        found[minute] += count
    after = look.after - MILLISECOND
    fires = fires_between(look.schedule, created_at=look.created_at, after=after, until=look.until)

    assert +found == Counter(map(minute_number, fires))


@settings(max_examples=some(100))
@given(data=st.data(), look=bounded(), restricted=st.booleans())
def test_a_forecast_counts_what_the_planner_would_have_due(
    data: st.DataObject, look: Look, restricted: bool
) -> None:
    """With jitter, calendars and ``max_runs``."""
    longest = look.schedule.every_seconds or 3_600
    jitter_seconds = data.draw(st.just(0) | st.integers(1, min(longest, 7_200)))
    limit = data.draw(st.none() | st.integers(1, 60) | st.integers(1, 5_000))
    schedule = replace(look.schedule, jitter_seconds=jitter_seconds, max_runs=limit)
    timing = timing_factory(
        schedule=schedule,
        anchored_at=look.created_at,
        calendars=data.draw(rules) if restricted else (),
    )
    upcoming = first_fire(timing, after=look.after)
    timing = replace(timing, next_run_at=upcoming, counted_until=look.after)
    window = PreviewWindow(start=look.after, end=look.until)
    known = tuple(data.draw(calendars(name, look.after)) for name in NAMES)
    restrictions = Restrictions(calendars={each.name: each for each in known})
    expected = counted(timing, window, restrictions)
    dense = jitter_seconds and sum(expected.values()) > MOST_SPREAD

    if not dense:
        assert +due_minutes(timing, window, restrictions) == expected
