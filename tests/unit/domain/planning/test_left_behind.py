"""Runs that an edit would let begin, though the schedule before it had replaced them."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.support.factories import NOW, after, attempt_factory, attempt_id, timing_factory
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.jobs.job import Timing
from timegate.domain.planning.left_behind import (
    is_left_behind,
    left_behind_within,
    with_dropped_rolls,
)
from timegate.domain.planning.roll_ahead import LONGEST_ROLL
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.identity import OperationId, Origin

HOURLY = Schedule(kind=ScheduleKind.RATE, every_seconds=3600)
GIVEN, EDITED = after(100), after(300)
#: Given at 100, names 3700 and so on; the edit comes at 300.
BEFORE = timing_factory(version=2, schedule=HOURLY, created_at=NOW, anchored_at=GIVEN)
AFTER = replace(BEFORE, version=3, anchored_at=EDITED)
#: Planned under the first version, for an instant at which the second was in force.
WAITING = attempt_factory(id=attempt_id(scheduled_at=after(200)), job_version=1)
LOOK_AHEAD = timedelta(minutes=10)


def of(instant: datetime, **fields: object) -> Attempt:
    """The run of an instant."""
    return replace(WAITING, id=attempt_id(scheduled_at=instant), **fields)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("instant", "is_left"),
    [
        pytest.param(after(100), False, id="due when the schedule was given"),
        pytest.param(after(100.001), True, id="due behind that"),
        pytest.param(after(300), True, id="due when the edit comes"),
        pytest.param(after(300.001), False, id="the new schedule answers for it"),
    ],
)
def test_the_schedule_that_is_replaced_answers_for_its_own_time(
    instant: datetime, *, is_left: bool
) -> None:
    """Later than it was given, up to the edit."""
    assert is_left_behind(of(instant), BEFORE, AFTER) is is_left


def test_an_edit_that_names_its_own_instant_answers_for_it() -> None:
    """A schedule that runs once may begin with the moment at which it is given."""
    once = replace(AFTER, schedule=Schedule(kind=ScheduleKind.AT, at=EDITED))

    assert not is_left_behind(of(EDITED), BEFORE, once)
    assert is_left_behind(of(after(299.999)), BEFORE, once)


def test_a_run_that_the_schedule_names_is_adopted() -> None:
    """Both had planned it."""
    later = replace(AFTER, anchored_at=after(3700))

    assert not is_left_behind(of(after(3700)), BEFORE, later)
    assert is_left_behind(of(after(3699)), BEFORE, later)


@pytest.mark.parametrize(
    ("fields", "is_left"),
    [
        pytest.param({}, True, id="queued"),
        pytest.param({"state": RunState.WAITING}, True, id="waiting"),
        pytest.param({"state": RunState.RUNNING, "fence": 1}, False, id="running"),
        pytest.param({"fence": 1}, False, id="begun before"),
        pytest.param({"state": RunState.SKIPPED}, False, id="ended"),
        pytest.param({"job_version": 2}, False, id="of the version that is replaced"),
        pytest.param({"operation": OperationId("op-1")}, False, id="asked for"),
        pytest.param(
            {"id": attempt_id(origin=Origin.TRIGGER, scheduled_at=after(200))},
            False,
            id="no instant of a schedule",
        ),
    ],
)
def test_only_runs_that_wait_to_begin_are_left_behind(
    fields: dict[str, object], *, is_left: bool
) -> None:
    """An older version planned them for its schedule."""
    attempt = replace(WAITING, **fields)  # type: ignore[arg-type]

    assert is_left_behind(attempt, BEFORE, AFTER) is is_left


def rolling(roll: Roll) -> dict[str, object]:
    """A calendar that moves instants."""
    rule = CalendarRule(calendar="bank", action=CalendarAction.ROLL, roll=roll)
    return {"calendars": (rule,)}


@pytest.mark.parametrize(
    ("before", "after_edit", "expected"),
    [
        pytest.param(
            replace(BEFORE, anchored_at=NOW), AFTER, None, id="the first schedule replaced none"
        ),
        pytest.param(BEFORE, replace(AFTER, anchored_at=GIVEN), None, id="no other schedule"),
        pytest.param(BEFORE, AFTER, (after(100.001), after(300)), id="up to the edit"),
        pytest.param(
            BEFORE,
            replace(AFTER, anchored_at=after(100 + 600)),
            (after(100.001), after(700)),
            id="the whole look-ahead",
        ),
        pytest.param(
            BEFORE,
            replace(AFTER, anchored_at=after(100 + 601)),
            (after(100.001), after(700)),
            id="nothing was planned behind it",
        ),
        pytest.param(
            replace(BEFORE, **rolling(Roll.PREVIOUS)),  # type: ignore[arg-type]
            replace(AFTER, anchored_at=after(100 + 601)),
            (after(100.001), after(701)),
            id="rolls are planned further ahead",
        ),
        pytest.param(
            replace(BEFORE, rolled_until=after(100 + 3600)),
            replace(AFTER, anchored_at=after(100 + 7200)),
            (after(100.001), after(3700)),
            id="rolls that were dropped as well",
        ),
        pytest.param(
            replace(BEFORE, rolled_until=after(650)),
            replace(AFTER, anchored_at=after(100 + 7200)),
            (after(100.001), after(700)),
            id="and no less than the look-ahead",
        ),
        pytest.param(
            BEFORE,
            replace(AFTER, anchored_at=after(100 + 601), **rolling(Roll.PREVIOUS)),  # type: ignore[arg-type]
            (after(100.001), after(700)),
            id="rolls that are new planned nothing",
        ),
        pytest.param(
            replace(BEFORE, **rolling(Roll.NEXT)),  # type: ignore[arg-type]
            replace(AFTER, anchored_at=after(100 + 601)),
            (after(100.001), after(700)),
            id="but not to later days",
        ),
    ],
)
def test_as_many_instants_are_read_as_may_have_been_planned(
    before: Timing, after_edit: Timing, expected: tuple[datetime, datetime] | None
) -> None:
    """By the time the schedule was given that is replaced now."""
    assert left_behind_within(before, after_edit, look_ahead=LOOK_AHEAD) == expected


@pytest.mark.parametrize(
    ("before", "after_change", "known"),
    [
        pytest.param(Roll.PREVIOUS, None, True, id="dropped"),
        pytest.param(Roll.PREVIOUS, Roll.NEXT, True, id="to later days now"),
        pytest.param(Roll.PREVIOUS, Roll.NEAREST, False, id="it rolls ahead still"),
        pytest.param(Roll.NEXT, None, False, id="never to earlier days"),
        pytest.param(None, Roll.PREVIOUS, False, id="not before"),
    ],
)
def test_a_job_knows_how_far_dropped_calendars_had_runs_planned(
    before: Roll | None, after_change: Roll | None, *, known: bool
) -> None:
    """The look-ahead and the longest roll from the change on; an earlier change stays known."""
    timings = [
        replace(BEFORE, rolled_until=EDITED, **(rolling(each) if each else {}))  # type: ignore[arg-type]
        for each in (before, after_change)
    ]
    changed = with_dropped_rolls(*timings, now=GIVEN, look_ahead=LOOK_AHEAD)

    assert changed.rolled_until == (GIVEN + LOOK_AHEAD + LONGEST_ROLL if known else EDITED)
