"""Proof by mutation: each record of what calendars exclude, defer or roll is deleted."""

from datetime import UTC, datetime, timedelta

import pytest

from tests.support.auditing.audited import codes, lose_gap
from tests.support.factories import TENANT, calendar_factory
from tests.support.world import World
from timegate.domain.calendars.calendar import WEEKEND, CalendarName
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.ledger.ledger import Gap
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt

pytestmark = pytest.mark.wide

#: A Thursday; the day after it is the last of a month, and a weekend follows.
BEGIN = datetime(2026, 7, 30, tzinfo=UTC)
DAYS = 5
NINE = Schedule(kind=ScheduleKind.CRON, cron="0 9 * * *")
RULES = [
    *(
        pytest.param(
            CalendarRule(calendar="bank", action=CalendarAction.ROLL, roll=roll), id=str(roll)
        )
        for roll in Roll
    ),
    pytest.param(CalendarRule(calendar="bank"), id="skip"),
    pytest.param(CalendarRule(calendar="bank", action=CalendarAction.DEFER), id="defer"),
    pytest.param(CalendarRule(calendar="bank", mode=CalendarMode.ONLY), id="only"),
    pytest.param(CalendarRule(calendar="bank", business_day=-1), id="last business day"),
]


def lived_through(rule: CalendarRule) -> World:
    """A job of every day at nine, five days of it; everything runs when it is due."""
    world = World(now=BEGIN)
    calendar = calendar_factory(name=CalendarName("bank"), timezone="UTC", weekdays=WEEKEND)
    world.restrictions.put_calendar(TENANT, calendar, expected_version=None)
    world.tick()
    world.add_job(
        schedule=NINE,
        calendars=(rule,),
        created_at=BEGIN,
        anchored_at=BEGIN,
        updated_at=BEGIN,
        next_run_at=BEGIN + timedelta(hours=9),
    )
    for day in range(DAYS):
        for minutes in (-5, 1):
            world.clock.set(BEGIN + timedelta(days=day, hours=9, minutes=minutes))
            world.tick()
            if minutes > 0:
                world.settle()
    return world


def audited(world: World) -> list[str]:
    """Return the auditor's findings of the next hour, in which all goes on."""
    for number in range(3):
        world.clock.advance(1200)
        world.tick()
        world.audit(owner=f"auditor-{number}")
    return codes(world)


def records_of(world: World) -> list[Attempt | Gap]:
    """Every record of an instant that has passed."""
    now = world.clock.now()
    gaps = sorted(world.tables.gaps.values(), key=lambda gap: gap.first)
    runs = [each for each in world.attempts() if each.id.run.scheduled_at < now]
    return [*runs, *(gap for gap in gaps if gap.last < now)]


@pytest.mark.parametrize("rule", RULES)
def test_each_record_that_is_lost_under_a_calendar_is_found(rule: CalendarRule) -> None:
    """Rolled forward or backward, deferred or left out; with all of them nothing is reported."""
    sound = lived_through(rule)
    number = len(records_of(sound))

    assert audited(sound) == []
    assert number >= 2
    for place in range(number):
        world = lived_through(rule)
        lost = records_of(world)[place]
        if isinstance(lost, Gap):
            lose_gap(world, lost)
        else:
            world.lose(lost)
        assert audited(world) == ["instant_unrecorded"], lost
        (event,) = world.telemetry.named("audit_finding")
        assert event.fields["count"] == (lost.count if isinstance(lost, Gap) else 1)
