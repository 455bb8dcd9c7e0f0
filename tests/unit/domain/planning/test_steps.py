"""Steps of planning: what becomes of instants that a freeze, or a calendar, held back."""

import pytest

from tests.support.factories import NOW, after, calendar_factory, freeze_factory, timing_factory
from timegate.domain.calendars.calendar import Period
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.planning.steps import ExcludedInstants, RunningInstant, next_step
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.restrictions.restrictions import Restrictions

DEFERS = (CalendarRule(calendar="closed", action=CalendarAction.DEFER),)


@pytest.mark.parametrize(
    ("closed", "moments"),
    [
        pytest.param((0, 0.001), (600, 600), id="by the freeze alone"),
        pytest.param((55, 590), (600, 600), id="by a calendar for a shorter time"),
    ],
)
def test_what_a_freeze_held_back_runs_when_it_ends(
    closed: tuple[float, float], moments: tuple[float, float]
) -> None:
    """Not when it is due, however early it is decided that it runs: nothing starts in between."""
    calendar = calendar_factory(
        name="closed",
        weekdays=frozenset(),
        periods=(Period(start=after(closed[0]), end=after(closed[1])),),
    )
    restrictions = Restrictions(
        freezes=(freeze_factory(starts_at=NOW, ends_at=after(600), thaw=ThawPolicy.ALL),),
        calendars={"closed": calendar},
    )
    timing = timing_factory(next_run_at=after(540), decided_until=after(599), calendars=DEFERS)
    step = next_step(timing, until=after(600), horizon=after(600), restrictions=restrictions)
    decided, following = step.decided, step.following

    assert following == after(660)
    assert [each.at for each in decided if isinstance(each, RunningInstant)] == [
        after(m) for m in moments
    ]


@pytest.mark.parametrize(
    ("thaws", "at"),
    [
        pytest.param(560, 570, id="the calendar lasts longer"),
        pytest.param(630, 630, id="the freeze lasts longer"),
    ],
)
def test_what_both_held_back_runs_when_both_let_it(thaws: float, at: float) -> None:
    """At the later of the two moments; the instant stays what it was."""
    closed = Period(start=after(-60), end=after(570))
    calendar = calendar_factory(name="closed", weekdays=frozenset(), periods=(closed,))
    restrictions = Restrictions(
        freezes=(freeze_factory(starts_at=after(-60), ends_at=after(thaws)),),
        calendars={"closed": calendar},
    )
    timing = timing_factory(next_run_at=NOW, decided_until=after(700), calendars=DEFERS)
    step = next_step(timing, until=after(540), horizon=after(540), restrictions=restrictions)
    decided = step.decided

    assert [type(each) for each in decided] == [ExcludedInstants, RunningInstant]
    assert [(each.instant, each.at) for each in decided if isinstance(each, RunningInstant)] == [
        (after(540), after(at))
    ]
