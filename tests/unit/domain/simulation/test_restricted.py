"""Simulated jobs under calendars and freezes, worked out by hand."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.factories import NOW, after, calendar_factory, freeze_factory, job_id
from tests.support.simulation.simulating import changed, one_job, simulated
from timegate.domain.calendars.calendar import Calendar, CalendarName, Period
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarMode, CalendarRule
from timegate.domain.ledger.ledger import Gap
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import Freeze, FreezeKind, FreezeScope, ThawPolicy
from timegate.domain.simulation import CalendarEdit, Edit, Scenario, simulate

QUARTERLY = Schedule(kind=ScheduleKind.RATE, every_seconds=900)
RULES = (CalendarRule(calendar="closed"),)
HOUR = 3600


def closed(first: float, last: float) -> Calendar:
    """A calendar of one period, in seconds after NOW."""
    period = Period(start=after(first), end=after(last))
    return calendar_factory(
        name=CalendarName("closed"), weekdays=frozenset(), periods=(period,), timezone="UTC"
    )


def scenario(**changes: Any) -> Scenario:  # noqa: ANN401 - the dataclasses check them
    """Four hours of a job of every quarter of an hour."""
    plain = one_job(
        schedule=QUARTERLY, start=NOW, end=after(4 * HOUR), created_at=NOW, anchored_at=NOW
    )
    return changed(plain, **changes)


def freeze(first: float, last: float, thaw: ThawPolicy, **fields: Any) -> Freeze:  # noqa: ANN401
    """A freeze of the whole tenant, known from the beginning."""
    return freeze_factory(
        starts_at=after(first), ends_at=after(last), thaw=thaw, created_at=NOW, **fields
    )


def told(found: Scenario) -> list[tuple[int, int, str]]:
    """Each row: its first instant, its last or when it started, in minutes; and why."""
    rows = []
    for row in simulated(found).rows:
        if isinstance(row, Gap):
            rows.append((minutes(row.first), minutes(row.last), str(row.reason)))
        else:
            at = row.started_at or row.ended_at
            assert at is not None
            told_as = str(row.reason or row.state)
            rows.append((minutes(row.id.run.scheduled_at), minutes(at), told_as))
    return rows


def minutes(instant: datetime) -> int:
    return round((instant - NOW) / timedelta(minutes=1))


def runs(*instants: int) -> list[tuple[int, int, str]]:
    """Runs that start on their instants."""
    return [(each, each, "succeeded") for each in instants]


def test_a_calendar_leaves_instants_out() -> None:
    """In one gap for each hour ahead of which they are decided; the ends are as the calendar's."""
    found = told(scenario(calendars=(closed(HOUR, 2 * HOUR),), calendar_rules=RULES))

    assert found == [
        *runs(15, 30, 45),
        (60, 105, "excluded"),
        *runs(120, 135, 150, 165, 180, 195, 210, 225),
    ]


def test_a_job_keeps_to_a_calendar() -> None:
    """The other way round."""
    only = (CalendarRule(calendar="closed", mode=CalendarMode.ONLY),)
    found = told(scenario(calendars=(closed(HOUR, 1.5 * HOUR),), calendar_rules=only))

    assert [row for row in found if row[2] == "succeeded"] == runs(60, 75)


def test_the_last_of_those_left_out_is_put_off() -> None:
    """To the end of the period, unless the next one is due by then."""
    defer = (CalendarRule(calendar="closed", action=CalendarAction.DEFER),)
    short = told(scenario(calendars=(closed(HOUR, 1.6 * HOUR),), calendar_rules=defer))
    exact = told(scenario(calendars=(closed(HOUR, 1.5 * HOUR),), calendar_rules=defer))

    assert short[3:6] == [(60, 75, "excluded"), (90, 96, "succeeded"), (105, 105, "succeeded")]
    assert exact[3:5] == [(60, 75, "excluded"), (90, 90, "succeeded")]


def test_a_calendar_that_does_not_exist_leaves_nothing_out() -> None:
    """A missing calendar counts as a deleted one."""
    assert [row[2] for row in told(scenario(calendar_rules=RULES))] == ["succeeded"] * 15


def test_an_edited_calendar_counts_from_then_on() -> None:
    """Recorded decisions stay; planned runs are judged again when they are due."""
    edits = (
        CalendarEdit(at=after(51 * 60), name="closed", calendar=closed(55 * 60, 2 * HOUR)),
        CalendarEdit(at=after(100 * 60), name="closed", calendar=None),
    )
    found = told(
        scenario(
            calendars=(closed(3 * HOUR, 5 * HOUR),), calendar_edits=edits, calendar_rules=RULES
        )
    )

    assert found[:5] == [
        *runs(15, 30, 45),
        (60, 60, "excluded"),
        (75, 105, "excluded"),
    ]
    assert found[5:] == runs(120, 135, 150, 165, 180, 195, 210, 225)


@pytest.mark.parametrize(
    ("thaw", "held"),
    [
        pytest.param(ThawPolicy.SKIP, [(60, 105, "frozen")], id="skip"),
        pytest.param(ThawPolicy.LATEST, [(60, 90, "frozen"), (105, 110, "succeeded")], id="latest"),
        pytest.param(
            ThawPolicy.ALL, [(at, 110, "succeeded") for at in (60, 75, 90, 105)], id="all"
        ),
        pytest.param(
            ThawPolicy.JOB, [(at, 110, "succeeded") for at in (60, 75, 90, 105)], id="job"
        ),
    ],
)
def test_what_a_freeze_held_back_thaws_at_its_end(
    thaw: ThawPolicy, held: list[tuple[int, int, str]]
) -> None:
    """Planned in time for it."""
    found = told(scenario(freezes=(freeze(50 * 60, 110 * 60, thaw),)))

    assert found == [*runs(15, 30, 45), *held, *runs(120, 135, 150, 165, 180, 195, 210, 225)]


def test_a_freeze_that_no_planner_knew_of_holds_back_what_is_planned() -> None:
    """It is made at the moment it begins, and lifted sooner than it was to end."""
    sudden = replace(
        freeze(58 * 60, 200 * 60, ThawPolicy.LATEST),
        created_at=after(58 * 60),
        lifted_at=after(100 * 60),
    )
    found = told(scenario(freezes=(sudden,)))

    assert found[3] == (60, 100, "frozen")
    assert found[4:6] == [(75, 75, "frozen"), (90, 100, "succeeded")]
    assert found[6:] == runs(105, 120, 135, 150, 165, 180, 195, 210, 225)


@pytest.mark.parametrize(
    ("scope", "stops"),
    [
        pytest.param(FreezeScope(kind=FreezeKind.TAG, value="team"), True, id="any-value"),
        pytest.param(FreezeScope(kind=FreezeKind.TAG, value="team=a"), True, id="value"),
        pytest.param(FreezeScope(kind=FreezeKind.TAG, value="team=b"), False, id="other-value"),
        pytest.param(FreezeScope(kind=FreezeKind.TAG, value="tier"), False, id="other-tag"),
        pytest.param(FreezeScope(kind=FreezeKind.JOB, value=job_id("it")), True, id="job"),
        pytest.param(FreezeScope(kind=FreezeKind.JOB, value=job_id("b")), False, id="other-job"),
    ],
)
def test_a_freeze_stops_its_scope(scope: FreezeScope, *, stops: bool) -> None:
    """By tag, by tag and value, or by job."""
    stopping = freeze(50 * 60, 110 * 60, ThawPolicy.SKIP, scope=scope)
    found = told(scenario(tags={"team": "a"}, job_id=job_id("it"), freezes=(stopping,)))

    assert (((60, 105, "frozen") in found), len(found)) == (stops, 12 if stops else 15)


def test_a_run_that_is_put_off_leaves_the_line() -> None:
    """One whose turn comes in a freeze makes room for the next, and is back when that ends."""
    jobs = (
        replace(
            scenario().jobs[0],
            name=name,
            job_id=job_id(name),
            schedule=Schedule(kind=ScheduleKind.AT, at=after(at * 60)),
            tags={"name": name},
            overlap=Overlap(policy=OverlapPolicy.QUEUE, concurrency_key="db"),
            run_seconds=(takes,),
        )
        for name, at, takes in (("long", 15, 1200.0), ("frozen", 20, 60.0), ("next", 21, 60.0))
    )
    scope = FreezeScope(kind=FreezeKind.TAG, value="name=frozen")
    stopping = freeze(25 * 60, 55 * 60, ThawPolicy.ALL, scope=scope)
    found = simulate(replace(scenario(), jobs=tuple(jobs), freezes=(stopping,)))
    started = {name: row.started_at for name, row in found.named_rows if not isinstance(row, Gap)}

    assert started == {"long": after(900), "next": after(35 * 60), "frozen": after(55 * 60)}


def test_what_is_left_out_ahead_ends_with_its_schedule_and_with_the_range() -> None:
    """Each instant is in one record, and no record names one outside the question."""
    half = replace(QUARTERLY, every_seconds=1800)
    edit = Edit(at=after(65 * 60), schedule=half)
    found = told(scenario(calendars=(closed(0, 9 * HOUR),), calendar_rules=RULES, edits=(edit,)))
    instants = [
        at for first, last, _ in found for at in range(first, last + 1, 15 if last <= 65 else 30)
    ]

    assert {reason for _, _, reason in found} == {"excluded"}
    assert instants == [15, 30, 45, 60, 95, 125, 155, 185, 215]
