"""Planning in ticks: every instant becomes one run, whatever the ticks do."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.strategies.schedule_strategies import SECOND, Look, bounded
from tests.support.factories import timing_factory
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.places import count_places
from timegate.domain.planning.plan import first_fire, plan_runs
from timegate.domain.planning.steps import MAX_RECORDS
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.runs.run import Attempt

LOOK_AHEAD = timedelta(minutes=10)
MOST_TICKS = 40


def timing_of(look: Look, **schedule: Any) -> Timing:  # noqa: ANN401 - the dataclass checks them
    """A job with that schedule, standing at its first fire after the window's beginning."""
    timing = timing_factory(
        schedule=replace(look.schedule, **schedule), anchored_at=look.created_at
    )
    return replace(timing, next_run_at=first_fire(timing, after=look.after))


def planned_in_ticks(timing: Timing, ticks: list[datetime]) -> tuple[list[Attempt], Timing]:
    """Return the runs that a planner stores by waking at these instants."""
    attempts: list[Attempt] = []
    for now in ticks:
        places = count_places(timing, attempts)
        plan = plan_runs(timing, now=now, until=now + LOOK_AHEAD, places=places)
        attempts += plan.attempts
        timing = plan.after(timing)
    return attempts, timing


gaps = st.lists(st.integers(1, 600) | st.integers(1, 20_000), min_size=1, max_size=MOST_TICKS)


def ticks_from(start: datetime, seconds: list[int]) -> list[datetime]:
    ticks, now = [], start
    for gap in seconds:
        now += gap * SECOND
        ticks.append(now)
    return ticks


@settings(max_examples=some(250))
@given(look=bounded(), seconds=gaps, max_runs=st.none() | st.integers(1, 50))
def test_every_instant_is_planned_once_and_in_order(
    look: Look, seconds: list[int], max_runs: int | None
) -> None:
    """After a missed tick, a late one, an outage: what is planned begins what is due.

    A step is bounded, so an outage is caught up over several ticks.
    """
    timing = timing_of(look, max_runs=max_runs)
    ticks = ticks_from(look.after, seconds)
    attempts, left = planned_in_ticks(timing, ticks)
    due = fires_between(
        timing.schedule,
        created_at=look.created_at,
        after=look.after,
        until=ticks[-1] + LOOK_AHEAD,
    )
    expected = list(due)[:max_runs] if max_runs is not None else list(due)
    instants = [attempt.id.run.scheduled_at for attempt in attempts]

    assert instants == expected[: len(instants)]
    assert left.runs_planned == len(instants)
    caught_up = left.full or left.next_run_at is None or left.next_run_at > ticks[-1] + LOOK_AHEAD
    assert caught_up is (len(instants) == len(expected))


@settings(max_examples=some(80))
@given(look=bounded(), max_runs=st.none() | st.integers(1, 10))
def test_exactly_the_last_run_completes_its_job(look: Look, max_runs: int | None) -> None:
    """It is marked when it is planned, so that its end needs no look at the schedule."""
    timing = timing_of(look, max_runs=max_runs)
    places = count_places(timing, [])
    plan = plan_runs(timing, now=look.until, until=look.until, places=places)
    finals = [attempt.final for attempt in plan.attempts]

    assert not any(finals[:-1])
    if finals:
        assert finals[-1] is (plan.exhausts_job or plan.full)


@settings(max_examples=some(80))
@given(look=bounded(), jitter_seconds=st.integers(0, 30) | st.integers(0, 86_400))
def test_spread_runs_keep_their_order_and_their_names(look: Look, jitter_seconds: int) -> None:
    """Late by at most the jitter, and never into the next run's time."""
    plain = plan_runs(timing_of(look), now=look.until, until=look.until)
    spread = plan_runs(
        timing_of(look, jitter_seconds=jitter_seconds), now=look.until, until=look.until
    )
    due = [attempt.due_at for attempt in spread.attempts]
    nominal = [attempt.id.run.scheduled_at for attempt in spread.attempts]
    following = [*nominal[1:], *([spread.next_run_at] if spread.next_run_at else [])]

    assert [attempt.id for attempt in plain.attempts] == [attempt.id for attempt in spread.attempts]
    assert all(
        timedelta(0) <= start - instant <= jitter_seconds * SECOND
        for start, instant in zip(due, nominal, strict=True)
    )
    assert all(start < after for start, after in zip(due, following, strict=False))


@settings(max_examples=some(60))
@given(look=bounded())
def test_planning_again_plans_the_same(look: Look) -> None:
    """A planner that died after storing half of a step stores the same runs the next time."""
    timing = timing_of(look, jitter_seconds=30)

    first = plan_runs(timing, now=look.until, until=look.until)
    assert first == plan_runs(timing, now=look.until, until=look.until)
    assert len(first.attempts) <= MAX_RECORDS
    assert len({str(attempt.id) for attempt in first.attempts}) == len(first.attempts)
