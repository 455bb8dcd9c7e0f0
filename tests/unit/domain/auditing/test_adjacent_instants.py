"""The nearest instants of a schedule, found without going through all of them."""

from datetime import timedelta
from itertools import pairwise

import pytest

from tests.support.factories import NOW, after, timing_factory
from timegate.domain.auditing.adjacent_instants import Neighbours, neighbours
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.instants import MILLISECOND

SCHEDULES = [
    Schedule(kind=ScheduleKind.RATE, every_seconds=1),
    Schedule(kind=ScheduleKind.RATE, every_seconds=7200),
    Schedule(kind=ScheduleKind.CRON, cron="30 2 * * *", timezone="Europe/Berlin"),
    Schedule(kind=ScheduleKind.CRON, cron="* * 3 * * *"),
    Schedule(kind=ScheduleKind.CRON, cron="0 0 29 2 *"),
]


@pytest.mark.parametrize("schedule", SCHEDULES, ids=lambda each: each.cron or each.every_seconds)
def test_neighbours_are_those_that_counting_finds(schedule: Schedule) -> None:
    """On an instant, just before it, just after it, and half way to the next."""
    timing = timing_factory(schedule=schedule, anchored_at=NOW)
    end = NOW + timedelta(days=4000 if schedule.cron == "0 0 29 2 *" else 2)
    fires = list(fires_between(schedule, created_at=NOW, after=NOW, until=end))
    for before, following in list(pairwise(fires))[:: max(len(fires) // 20, 1)]:
        middle = before + (following - before) / 2

        assert neighbours(timing, before).after == following
        assert neighbours(timing, following).before == before
        for at in (before + MILLISECOND, middle, following - MILLISECOND):
            assert neighbours(timing, at) == Neighbours(before=before, after=following)


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        pytest.param(-1, Neighbours(before=None, after=after(60)), id="before"),
        pytest.param(0, Neighbours(before=None, after=after(60)), id="as-given"),
        pytest.param(60, Neighbours(before=None, after=after(120)), id="first"),
        pytest.param(180, Neighbours(before=after(120), after=None), id="last"),
        pytest.param(86_400, Neighbours(before=after(180), after=None), id="after-the-end"),
    ],
)
def test_a_schedule_has_ends(at: float, expected: Neighbours) -> None:
    """It answers for the instants since it was given."""
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=60, ends_at=after(180))

    assert neighbours(timing_factory(schedule=schedule, anchored_at=NOW), after(at)) == expected


def test_a_schedule_that_runs_once_may_name_the_instant_it_was_given() -> None:
    """Its own neighbour on either side."""
    timing = timing_factory(schedule=Schedule(kind=ScheduleKind.IMMEDIATE), anchored_at=NOW)

    assert neighbours(timing, after(-1)) == Neighbours(before=None, after=NOW)
    assert neighbours(timing, NOW) == Neighbours(before=None, after=None)
    assert neighbours(timing, after(1)) == Neighbours(before=NOW, after=None)
