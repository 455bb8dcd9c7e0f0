"""Events of quiet hours are told afterwards, in one message."""

import json

from tests.support.execution.failing import GONE, a_world, run
from tests.support.factories import NOW
from tests.support.ruling import look, messages, put_rule, rule_factory, told
from tests.support.world import World
from timegate.domain.rules.held_events import MAX_HELD, HeldEvents
from timegate.domain.rules.quiet_hours import QuietHours, QuietWindow
from timegate.domain.rules.rule import When

FAILED = "send the report: a run failed (http_410)."
AGAIN = "send the report: a run has succeeded again."
#: 07:00 to 08:00 UTC: the first hour of the tests.
QUIET = QuietHours(timezone="Europe/Berlin", windows=(QuietWindow(opens="08:00", closes="09:00"),))


def a_quiet_world() -> World:
    """A failing job under a rule that is quiet for an hour."""
    world = a_world(pauses=None)
    put_rule(world, when=When(failures_in_a_row=1, recovered=True), quiet_hours=QUIET)
    return world


def test_quiet_hours_hold_messages_back_until_they_end() -> None:
    """Events of two looks are one message, at the first look after the hour."""
    world = a_quiet_world()
    run(world, GONE)
    look(world)
    run(world, None)
    look(world)
    world.clock.advance(3_600 - 121)
    look(world)

    assert told(world) == []

    world.clock.advance(1)
    look(world)
    look(world)

    assert told(world) == [[FAILED, AGAIN]]


def test_a_streak_of_the_quiet_hours_is_told_of_once() -> None:
    """It goes on after them, and is no streak of its own."""
    world = a_quiet_world()
    run(world, GONE)
    look(world)
    world.clock.advance(3_600)
    look(world)
    run(world, GONE)
    look(world)

    assert told(world) == [[FAILED]]


def test_what_finds_no_room_is_counted() -> None:
    """A message of a night says how much more there was."""
    rule_id = rule_factory().rule_id
    held = HeldEvents(rule_id=rule_id).with_events([{"text": str(n)} for n in range(MAX_HELD)])

    assert (len(held.events), held.more) == (MAX_HELD, 0)

    held = held.with_events([{"text": "one"}, {"text": "two"}])

    assert (len(held.events), held.more, held.revision) == (MAX_HELD, 2, 2)
    assert held.told() == HeldEvents(rule_id=rule_id, revision=3)


def test_the_message_says_how_many_found_no_room() -> None:
    """``more`` is part of the document."""
    world = a_quiet_world()
    run(world, GONE)
    look(world)
    world.clock.advance(3_600)
    look(world)
    (message,) = messages(world)

    assert json.loads(message.notice or "")["more"] == 0
    assert message.due_at > NOW


def test_windows_reach_over_midnight() -> None:
    """On the clock of the zone, on the days on which they open."""
    friday = QuietHours(
        windows=(QuietWindow(weekdays=frozenset({4}), opens="22:00", closes="07:30"),)
    )

    # NOW is a Saturday at 07:00.
    assert friday.hold(NOW)
    assert not friday.hold(NOW.replace(minute=30))
    assert not friday.hold(NOW.replace(hour=23))
