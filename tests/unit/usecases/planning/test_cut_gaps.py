"""Changing a schedule that has left out any number of gaps ahead: each instant has one record."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, time
from unittest.mock import Mock

import pytest

from tests.support.api import api_services
from tests.support.factories import JOB_ID, TENANT, after, calendar_factory, gap_factory
from tests.support.stores.sound import sound_gaps
from tests.support.world import World
from timegate.domain.auditing.explain_instant import Verdict
from timegate.domain.calendars.calendar import CalendarName, DailyWindow
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.ledger.ledger import Gap, Naming
from timegate.domain.ledger.ledger_reading import LedgerRange
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Reason
from timegate.domain.values.errors import Throttled
from timegate.usecases.auditing.audit_shard import Audited
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.update_job import update_job
from timegate.usecases.ledger.explain_instant import explain_instant
from timegate.usecases.ledger.read_ledger import read_ledger
from timegate.usecases.planning.cut_gaps import WITH_CHANGE

EVERY_SECOND = Schedule(kind=ScheduleKind.RATE, every_seconds=1)
HOURLY = Schedule(kind=ScheduleKind.RATE, every_seconds=3600)
DAILY = Schedule(kind=ScheduleKind.RATE, every_seconds=86_400)
GIVEN_AT = after(-600)
CHANGED_AT = 5.5
#: Each gap has two seconds, and the third has none; the first reaches across the change.
FIRST = 5
MANY = [WITH_CHANGE - 1, WITH_CHANGE, WITH_CHANGE + 1, 700]


def with_gaps_ahead(count: int) -> World:
    """A job of every second of which much is left out ahead."""
    world = World()
    world.add_job(
        schedule=EVERY_SECOND,
        created_at=GIVEN_AT,
        anchored_at=GIVEN_AT,
        next_run_at=after(FIRST + 3 * count),
    )
    naming = Naming(schedule=EVERY_SECOND, anchored_at=GIVEN_AT)
    for number in range(count):
        first = after(FIRST + 3 * number)
        last = after(FIRST + 3 * number + 1)
        gap = gap_factory(first=first, last=last, count=2, reason=Reason.EXCLUDED, naming=naming)
        world.tables.put_gap(gap)
    world.clock.set(after(CHANGED_AT))
    return world


def audited_after_a_whole_change(count: int) -> Audited:
    """Return the auditor's findings after a change without a crash."""
    world = with_gaps_ahead(count)
    change(world, HOURLY)
    world.clock.set(after(3000))
    return world.audit()


def change(world: World, schedule: Schedule) -> None:
    """Give the job another schedule now."""
    changes = JobChanges(schedule=schedule)
    ref = JobRef(tenant=TENANT, job_id=JOB_ID)
    update_job(ref, changes, api_services(world), now=world.clock.now())


def shown(world: World) -> list[tuple[datetime, datetime, int, str]]:
    """The ledger's gaps of the hour, which has no runs."""
    wanted = LedgerRange(start=after(0), end=after(3600))
    page = read_ledger(TENANT, JOB_ID, wanted, api_services(world), limit=500, cursor=None)
    assert page.cursor is None
    gaps = sound_gaps(each for each in page.rows if isinstance(each, Gap))
    assert len(gaps) == len(page.rows)
    return [(gap.first, gap.last, gap.count, gap.reason) for gap in gaps]


def explained(world: World, at: float) -> Verdict:
    """Return the verdict on an instant."""
    now = world.clock.now()
    return explain_instant(TENANT, JOB_ID, after(at), api_services(world), now=now).account.verdict


#: Gap that its predecessor left out before the change: one second.
LEFT = [(after(FIRST), after(FIRST), 1, "excluded")]


@pytest.mark.parametrize("count", MANY)
def test_a_change_cuts_every_gap_ahead(count: int) -> None:
    """At the limit of a transaction and beyond: none is left, but a part of the first."""
    world = with_gaps_ahead(count)
    change(world, HOURLY)

    assert shown(world) == LEFT
    assert len(world.tables.gaps) == 1


def dying(world: World, monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let no process cut beside a change; call what is returned to let them again."""

    cut = world.jobs.cut
    update = world.jobs.update

    def whole(*args: object, **kwargs: object) -> None:
        monkeypatch.setattr(world.jobs, "cut", cut)
        update(*args, **kwargs)  # type: ignore[arg-type]
        monkeypatch.setattr(world.jobs, "cut", Mock(side_effect=Throttled("Too much.")))

    monkeypatch.setattr(world.jobs, "update", whole)
    monkeypatch.setattr(world.jobs, "cut", Mock(side_effect=Throttled("Too much.")))
    return monkeypatch.undo


@pytest.mark.parametrize("count", [WITH_CHANGE + 1, 700])
def test_who_dies_after_the_change_leaves_a_ledger_that_is_right(
    monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    """Readers and the auditor pass over what is still to be cut."""
    world = with_gaps_ahead(count)
    dying(world, monkeypatch)
    with pytest.raises(Throttled):
        change(world, HOURLY)
    world.clock.set(after(3000))

    assert len(world.tables.gaps) == 1 + count - WITH_CHANGE
    assert shown(world) == LEFT
    assert explained(world, FIRST) is Verdict.GAP
    assert explained(world, FIRST + 3) is Verdict.NOT_NAMED
    assert explained(world, FIRST + 3 * (count - 1)) is Verdict.NOT_NAMED
    assert explained(world, CHANGED_AT + 3600) is Verdict.PLANNED
    assert world.audit() == audited_after_a_whole_change(count)


@pytest.mark.parametrize(
    ("schedule", "at"),
    [
        pytest.param(HOURLY, 6, id="the same again"),
        pytest.param(DAILY, 6, id="another at once"),
        pytest.param(DAILY, 400, id="another in the midst of what was left out"),
        pytest.param(DAILY, 5000, id="another long after"),
    ],
)
def test_the_next_change_takes_away_what_the_last_one_left(
    monkeypatch: pytest.MonkeyPatch, schedule: Schedule, at: float
) -> None:
    """Before it is stored itself: two changes would be more than readers know of."""
    world = with_gaps_ahead(700)
    revive = dying(world, monkeypatch)
    with pytest.raises(Throttled):
        change(world, HOURLY)
    revive()
    job = world.tables.jobs[TENANT, JOB_ID]
    beyond = replace(job.timing, next_run_at=after(CHANGED_AT + 7200))
    world.tables.put_job(replace(job, timing=beyond))
    world.clock.set(after(at))
    change(world, schedule)
    excluded = [gap for gap in world.tables.gaps.values() if gap.reason is Reason.EXCLUDED]

    assert [(gap.first, gap.last) for gap in excluded] == [(after(FIRST), after(FIRST))]


def test_gaps_of_the_present_schedule_stay_when_another_change_is_finished() -> None:
    """They lie beyond the last change as well, and answer for their instants."""
    world = with_gaps_ahead(3)
    change(world, HOURLY)
    own = gap_factory(
        first=after(CHANGED_AT + 3600),
        last=after(CHANGED_AT + 3600),
        count=1,
        reason=Reason.EXCLUDED,
        job_version=2,
        naming=Naming(schedule=HOURLY, anchored_at=after(CHANGED_AT)),
    )
    world.tables.put_gap(own)
    job = world.tables.jobs[TENANT, JOB_ID]
    beyond = replace(job.timing, next_run_at=after(CHANGED_AT + 7200))
    world.tables.put_job(replace(job, timing=beyond))
    world.clock.set(after(CHANGED_AT + 4000))
    change(world, DAILY)

    assert own in world.tables.gaps.values()


def test_a_change_of_an_overdue_job_is_decided_about_the_job_as_it_is_then() -> None:
    """Settling the past leaves out instants ahead, and the change of schedule cuts these."""
    world = World()
    closed = DailyWindow(weekdays=frozenset(range(7)), opens=time(8), closes=time(9))
    calendar = calendar_factory(
        name=CalendarName("closed"), timezone="UTC", weekdays=frozenset(), windows=(closed,)
    )
    world.restrictions.put_calendar(TENANT, calendar, expected_version=None)
    world.add_job(
        schedule=replace(EVERY_SECOND, every_seconds=600),
        created_at=after(0),
        anchored_at=after(0),
        next_run_at=after(1200),
        catch_up=CatchUp(policy=CatchUpPolicy.SKIP),
        calendars=(CalendarRule(calendar="closed"),),
    )
    world.clock.set(after(3601))
    change(world, DAILY)

    assert shown(world) == [
        (after(1200), after(3000), 4, "missed_window"),
        (after(3600), after(3600), 1, "excluded"),
    ]
