"""Jobs under calendars and freezes, lived through minute by minute."""

from datetime import timedelta
from typing import Any

from tests.support.factories import (
    NOW,
    TENANT,
    after,
    calendar_factory,
    freeze_factory,
)
from tests.support.world import World
from timegate.domain.calendars.calendar import Calendar, CalendarName, Period
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.ledger.ledger import Gap
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import Freeze, ThawPolicy
from timegate.domain.runs.run import Attempt
from timegate.ports.dispatch.messaging import Delayed

MINUTELY = Schedule(kind=ScheduleKind.RATE, every_seconds=60)
RULES = (CalendarRule(calendar="closed"),)
SKIP, LATEST, ALL, JOB = (
    *(ThawPolicy.SKIP, ThawPolicy.LATEST),
    *(ThawPolicy.ALL, ThawPolicy.JOB),
)


def closed(first: float, last: float) -> Calendar:
    """A calendar of one period, in seconds after NOW."""
    return calendar_factory(
        name=CalendarName("closed"),
        weekdays=frozenset(),
        periods=(Period(start=after(first), end=after(last)),),
    )


def put(world: World, calendar: Calendar) -> None:
    """Store a calendar, whatever is there."""
    world.restrictions.put_calendar(TENANT, calendar, expected_version=None)


def freeze(world: World, first: float, last: float, thaw: ThawPolicy, **fields: Any) -> Freeze:  # noqa: ANN401
    """Freeze the tenant, or whom ``fields`` say."""
    made = freeze_factory(starts_at=after(first), ends_at=after(last), thaw=thaw, **fields)
    return world.restrictions.put_freeze(TENANT, made, now=world.clock.now())


def a_world(**fields: Any) -> World:  # noqa: ANN401 - as the factory takes them
    """A job of every minute, created now, and a planner that was there before it."""
    world = World()
    world.tick()
    world.add_job(
        **(
            {
                "schedule": MINUTELY,
                "anchored_at": NOW,
                "created_at": NOW,
                "next_run_at": after(60),
            }
            | fields
        )
    )
    return world


def live(world: World, until: float) -> None:
    """Minute by minute: ticks, stream, messages when they are due, sweeps."""
    inbox: list[Any] = []
    while world.clock.now() < after(until):
        world.tick()
        world.sweep()
        for _ in range(3):
            world.stream()
            sent, world.publisher.sent = world.publisher.sent, []
            inbox += sent
            minute = world.clock.now() + timedelta(seconds=59)
            due = [each for each in inbox if each.message.due_at <= minute]
            inbox = [each for each in inbox if each.message.due_at > minute]
            for each in sorted(due, key=lambda each: each.message.due_at):
                _deliver(world, each)
        world.clock.advance(60)


def _deliver(world: World, sent: Delayed) -> None:
    """Deliver a message when it is due; others may be due before its run ends."""
    start = world.clock.now()
    world.clock.set(max(start, sent.message.due_at))
    world.publisher.sent = [sent]
    world.execute(world.receive())
    world.clock.set(start)


def ledger(world: World) -> list[tuple[float, float, str]]:
    """Every record: its first and last instant in minutes after NOW, and how it ended."""
    rows = [(a.id.run.scheduled_at, a.id.run.scheduled_at, ending(a)) for a in world.attempts()]
    rows += [(gap.first, gap.last, str(gap.reason)) for gap in world.tables.gaps.values()]
    return [
        ((first - NOW).total_seconds() / 60, (last - NOW).total_seconds() / 60, end)
        for first, last, end in sorted(rows)
    ]


def ending(attempt: Attempt) -> str:
    """Return the reason of a run's end, or its state."""
    return str(attempt.reason or attempt.state)


def gaps(world: World) -> list[Gap]:
    """Every gap, in order."""
    return sorted(world.tables.gaps.values(), key=lambda gap: gap.first)
