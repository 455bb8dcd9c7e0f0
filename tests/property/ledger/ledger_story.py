"""Stories of a ledger: outages, pauses, schedules, calendars, and backfills over all of it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

from hypothesis import strategies as st

from tests.property.planning.planning_story import PERIODS, REF, Era, Story, names
from tests.support.api import api_services
from tests.support.factories import NOW, TENANT, calendar_factory
from tests.support.operations.started_operations import (
    REQUEST,
    finish,
    start_filling,
    stored,
    unfinished,
)
from tests.support.world import World
from timegate.domain.calendars.calendar import CalendarName, DailyWindow
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.operations.operation import Reprocess
from timegate.domain.values.errors import InvalidInput, JobIsPaused
from timegate.domain.values.identity import OperationId
from timegate.usecases.jobs.pause_job import pause_job
from timegate.usecases.jobs.resume_job import resume_job

#: Hours of all calendars; the tests begin at seven.
_HOURS = [(0, 24), (7, 8), (8, 9), (7, 12)]
_OUTAGES = [30, 90, 90, 600, 3600, 7200]
_EVENTS = ["tick", "tick", "tick", "pause", "resume", "edit", "edit", "fill", "fill"]
_EVER = frozenset(range(7))


def _close(world: World, opens: int, closes: int, *, minutes: int) -> None:
    """A calendar of the hours from ``opens``, or of some minutes in each."""
    windows = tuple(
        DailyWindow(weekdays=_EVER, opens=time(hour), closes=time(hour, minutes))
        for hour in range(opens, closes)
    )
    calendar = calendar_factory(
        name=CalendarName("closed"), timezone="UTC", weekdays=frozenset(), windows=windows
    )
    world.restrictions.put_calendar(TENANT, calendar, expected_version=None)


@st.composite
def ledger_stories(draw: st.DrawFn, *, watch: Callable[[Story], None] = lambda _: None) -> Story:
    """A job, and up to a dozen things that happen to it, as ``watch`` looks on; no process dies."""
    world, name = World(), draw(names)
    story = Story(world)
    story.deploy(1)
    world.spread = story.deployments[-1].spread
    calendars: tuple[CalendarRule, ...] = ()
    if draw(st.booleans()):
        _close(world, *draw(st.sampled_from(_HOURS)), minutes=draw(st.integers(1, 59)))
        calendars = (CalendarRule(calendar="closed"),)
    schedule, period = PERIODS[name]
    world.add_job(
        schedule=schedule,
        anchored_at=NOW,
        created_at=NOW,
        updated_at=NOW,
        next_run_at=NOW + timedelta(seconds=period),
        catch_up=CatchUp(policy=draw(st.sampled_from(CatchUpPolicy)), limit=3),
        calendars=calendars,
    )
    story.eras.append(Era(name, NOW))
    story.tick(NOW, "first")
    for number in range(draw(st.integers(2, 12))):
        world.clock.advance(draw(st.integers(0, draw(st.sampled_from(_OUTAGES))).map(float)))
        watch(story)
        _happen(draw, story, number)
        watch(story)
    return story


def _happen(draw: st.DrawFn, story: Story, number: int) -> None:
    services = api_services(story.world)
    skew = draw(st.sampled_from([-2.0, 0.0, 0.0, 2.0]))
    match draw(st.sampled_from(_EVENTS)):
        case "tick":
            story.act(lambda now: story.tick(now, f"planner-{number}"), skew, None)
        case "pause":
            story.act(lambda now: pause_job(REF, services, now=now), skew, None)
        case "resume":
            late = draw(st.booleans())
            story.act(lambda now: resume_job(REF, services, now=now, catch_up=late), skew, None)
        case "edit":
            name = draw(names)
            story.act(lambda now: story.edit(name, now), skew, None)
        case "fill":
            _fill(draw, story.world, number)


def _fill(draw: st.DrawFn, world: World, number: int) -> None:
    """A backfill of some of the past, carried to its end: every run succeeds."""
    now = world.clock.now()
    start = now - timedelta(seconds=draw(st.integers(0, 5400)))
    end = min(now, start + timedelta(seconds=draw(st.integers(0, 5400))))
    request = replace(REQUEST, idempotency_key=f"fill-{number}", hash=f"{number}")
    with suppress(InvalidInput, JobIsPaused):
        operation = start_filling(
            world, request, start=start, end=end, reprocess=Reprocess.NONE, max_concurrent=100
        )
        while stored(world, operation).is_running:
            _carry_on(world, operation.operation_id)


def _carry_on(world: World, operation: OperationId) -> None:
    world.operate()
    for attempt in unfinished(world):
        if attempt.operation == operation:
            finish(world, attempt)


def expected_of(story: Story) -> set[datetime]:
    """Return every instant that has a record, said without the product.

    A schedule named it while it was in force, or it was run: planned ahead by a replaced schedule,
    or filled.
    """
    timing = story.timing
    reached = timing.next_run_at or timing.held_at
    assert reached is not None
    instants = {attempt.id.run.scheduled_at for attempt in story.world.attempts()}
    for era in story.eras:
        last = era.replaced_at or reached - timedelta(milliseconds=1)
        instants |= set(era.named(NOW, last))
    return instants


def named_in(story: Story, first: datetime, last: datetime) -> set[datetime]:
    """Return the instants named by the schedule in force between two instants."""
    ever = datetime.max.replace(tzinfo=UTC)
    (era,) = [
        each for each in story.eras if each.given_at < first and last <= (each.replaced_at or ever)
    ]
    return set(era.named(first, last))
