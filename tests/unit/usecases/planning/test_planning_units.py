"""Steady planning costs a known number of job moves, and of write units per run."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest

from tests.support.execution.metered import MeteredEngine
from tests.support.factories import NOW, after
from tests.support.stores.records import Records
from tests.support.world import World, delivery
from timegate.domain.jobs.demands import ListRuns
from timegate.domain.planning.roll_ahead import NEAR
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import RunState
from timegate.ports.dispatch.messaging import Delayed

#: A lease on the shard, taken and given back.
UNITS_OF_A_TICK = 2


def a_job(every_seconds: int, *, first: int, **fields: Any) -> World:  # noqa: ANN401 - its own
    """A job after the tick that plans its first window, and a meter that begins there."""
    world = World(tables=Records(MeteredEngine()))
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=every_seconds)
    anchored = after(first - every_seconds)
    world.add_job(schedule=schedule, anchored_at=anchored, next_run_at=after(first), **fields)
    world.tick()
    meter(world).reset()
    return world


def meter(world: World) -> MeteredEngine:
    """The engine that counts."""
    engine = world.tables.engine
    assert isinstance(engine, MeteredEngine)
    return engine


def ticked(world: World, ticks: int) -> tuple[int, int]:
    """Moves and runs of so many ticks, a minute apart."""
    moves = runs = 0
    for _ in range(ticks):
        world.clock.advance(60)
        tick = world.tick()
        assert tick is not None
        moves, runs = moves + tick.jobs, runs + tick.runs
    return moves, runs


@pytest.mark.parametrize(
    ("every_seconds", "moves", "runs"),
    [
        pytest.param(10, 8, 8 * 42, id="every-ten-seconds"),
        pytest.param(60, 8, 8 * 7, id="minutely"),
        pytest.param(300, 6, 6 * 2, id="every-five-minutes"),
        pytest.param(600, 6, 6, id="every-ten-minutes"),
        pytest.param(3600, 1, 1, id="hourly"),
    ],
)
def test_sixty_ticks_in_steady_state(every_seconds: int, moves: int, runs: int) -> None:
    """A minutely job is moved once for seven runs, and no job more often than it fires."""
    world = a_job(every_seconds, first=every_seconds)

    assert ticked(world, 60) == (moves, runs)


@pytest.mark.parametrize(
    ("every_seconds", "first", "ticks", "runs", "units"),
    [
        pytest.param(60, 60, 70, 70, 2 * 70 + 5 * 10, id="minutely"),
        pytest.param(3600, 900, 70, 2, 3 * 2 + 4 * 2, id="hourly"),
        pytest.param(86_400, 900, 70, 1, 3 + 4, id="daily"),
    ],
)
def test_write_units_to_plan(
    every_seconds: int, first: int, ticks: int, runs: int, units: int
) -> None:
    """Three for a run and its place in ``watch``, and four for the move that stores it. Runs that
    a move stores together take two each, and share five: their announcement, and the move.
    """
    world = a_job(every_seconds, first=first)

    assert ticked(world, ticks)[1] == runs
    assert meter(world).units.total() - ticks * UNITS_OF_A_TICK == units
    assert meter(world).calls["UpdateItem"] == ticks * 2


def executed(world: World, ticks: int) -> None:
    """So many ticks, a minute apart, with the relay, and executors that get messages when due."""
    on_their_way: list[Delayed] = []
    for _ in range(ticks):
        world.clock.advance(60)
        world.tick()
        world.stream()
        sent, world.publisher.sent = world.publisher.sent, []
        on_their_way += sent
        arrived = [each for each in on_their_way if each.message.due_at <= world.clock.now()]
        on_their_way = [each for each in on_their_way if each not in arrived]
        world.execute([delivery(each, number) for number, each in enumerate(arrived)])
        world.stream()


def test_write_units_of_a_minutely_run_from_plan_to_end() -> None:
    """One of three more units is for the claim, and two for the end and its place in ``watch``."""
    world = a_job(60, first=60)
    executed(world, 70)

    assert world.states().count(RunState.SUCCEEDED) == 70
    assert meter(world).units.total() - 70 * UNITS_OF_A_TICK == (2 + 3) * 70 + 5 * 10


def test_a_run_that_is_listed_costs_one_unit_more_and_no_call() -> None:
    """With its insert; its claim, its end and every move of its job cost what they did."""
    plain, listed = a_job(60, first=60), a_job(60, first=60, list_runs=ListRuns.ALL)
    for world in (plain, listed):
        executed(world, 70)

    assert meter(listed).units == meter(plain).units + Counter({"runs/listed": 70})
    assert meter(listed).calls == meter(plain).calls
    assert listed.states().count(RunState.SUCCEEDED) == 70


def test_runs_of_a_frequent_job_are_stored_four_to_ten_minutes_before_they_are_due() -> None:
    """Three ticks may fail before one is late."""
    world = a_job(60, first=60)
    ahead = []
    for _ in range(70):
        world.clock.advance(60)
        world.tick()
        ahead.append(world.attempts()[-1].due_at - world.clock.now())

    assert (min(ahead), max(ahead)) == (NEAR, timedelta(minutes=10))


@pytest.mark.parametrize(
    ("every_seconds", "ripens"),
    [
        pytest.param(360, NEAR, id="two-fires-in-the-look-ahead"),
        pytest.param(361, timedelta(minutes=10), id="one-fire-in-the-look-ahead"),
    ],
)
def test_a_job_that_gains_nothing_by_waiting_is_planned_at_first_sight(
    every_seconds: int, ripens: timedelta
) -> None:
    """All of the look-ahead is left for a midnight with millions of daily jobs."""
    world = World()
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=every_seconds)
    due = NOW + ripens
    anchored = due - 10 * timedelta(seconds=every_seconds)
    world.add_job(schedule=schedule, anchored_at=anchored, next_run_at=due)
    world.clock.advance(-0.001)
    before = world.tick()
    world.clock.advance(0.001)
    at = world.tick()

    assert before is not None
    assert at is not None
    assert (before.runs, at.jobs) == (0, 1)
