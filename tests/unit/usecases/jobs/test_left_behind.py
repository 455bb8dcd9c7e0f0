"""A second edit revives no run that the first one had replaced."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.support.api import api_services
from tests.support.execution.restricting import closed, put
from tests.support.factories import EVERY_MINUTE, JOB_ID, NOW, TENANT, after, calendar_factory
from tests.support.simulation.simulating import one_job, simulated
from tests.support.world import World
from timegate.domain.calendars.calendar import CalendarName, DayRange
from timegate.domain.calendars.calendar_rule import CalendarAction, CalendarRule
from timegate.domain.calendars.roll import Roll
from timegate.domain.channels.webhook import WebhookChannel
from timegate.domain.jobs.definition import JobChanges
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.notification import Occasion
from timegate.domain.limits.overlap import Overlap, OverlapPolicy, SlotKey
from timegate.domain.limits.slots import Slots, SlotWaiter
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.simulation import Edit, TimeSpan
from timegate.domain.values.errors import JobChanged
from timegate.usecases.jobs.change_job import JobRef
from timegate.usecases.jobs.end_left_behind import MAX_TRIES
from timegate.usecases.jobs.update_job import update_job

REF = JobRef(tenant=TENANT, job_id=JOB_ID)
HOURLY = Schedule(kind=ScheduleKind.RATE, every_seconds=3600)
DAILY = Schedule(kind=ScheduleKind.RATE, every_seconds=86_400)
DAY_SECONDS = 86_400
#: Names the instants of 120 seconds and 240 seconds, of those of every minute.
ALTERNATE = replace(EVERY_MINUTE, every_seconds=120, starts_at=after(120))


def a_world(**fields: Any) -> World:  # noqa: ANN401 - as the factory takes them
    """Ten runs are planned, of which none is executed."""
    world = World()
    world.tick()
    given: dict[str, Any] = {"anchored_at": NOW, "created_at": NOW, "next_run_at": after(60)}
    world.add_job(**{"schedule": EVERY_MINUTE, **given, **fields})
    world.tick()
    world.stream()
    return world


def edit(world: World, at: float, schedule: Schedule) -> None:
    """Give the job another schedule."""
    world.clock.set(after(at))
    update_job(REF, JobChanges(schedule=schedule), api_services(world), now=after(at))


def execute(world: World, at: float) -> None:
    """Claim what is due; the executors were away till then."""
    world.clock.set(after(at))
    world.stream()
    due = {each.id for each in world.attempts() if each.due_at <= after(at)}
    sent = [each for each in world.publisher.sent if each.message.attempt in due]
    world.publisher.sent = sent
    world.execute(world.receive())


def run_at(world: World, seconds: int) -> Attempt:
    """The run of an instant."""
    return next(e for e in world.attempts() if e.id.run.scheduled_at == after(seconds))


def endings(world: World, until: int) -> list[str]:
    """Return the end of each minute's run up to an instant."""
    found = [run_at(world, seconds) for seconds in range(60, until + 1, 60)]
    return [str(each.reason or each.state) for each in found]


def test_a_run_that_the_first_edit_replaced_stays_replaced() -> None:
    """Due before the second one, and claimed after it; those that were due before the first run."""
    world = a_world()
    edit(world, 60, HOURLY)
    edit(world, 180, DAILY)

    assert endings(world, 240) == ["queued", "superseded", "superseded", "queued"]

    execute(world, 300)

    assert endings(world, 240) == ["succeeded", "superseded", "superseded", "superseded"]
    assert run_at(world, 120).ended_at == run_at(world, 180).ended_at == after(180)
    assert run_at(world, 240).ended_at == after(300)


def test_a_run_that_the_first_edit_adopted_stays_due() -> None:
    """The schedule that was in force at its instant names it."""
    world = a_world()
    edit(world, 60, ALTERNATE)
    edit(world, 181, DAILY)
    execute(world, 300)

    assert endings(world, 240) == ["succeeded", "succeeded", "superseded", "superseded"]


def test_the_schedule_that_was_replaced_comes_back_for_later_instants_only() -> None:
    """Each schedule answers for what is later than it was given."""
    world = a_world(schedule=replace(EVERY_MINUTE, starts_at=after(60)))
    edit(world, 90, HOURLY)
    edit(world, 150, replace(EVERY_MINUTE, starts_at=after(60)))
    execute(world, 200)

    assert endings(world, 180) == ["succeeded", "superseded", "succeeded"]


def test_what_a_calendar_puts_off_stays_replaced() -> None:
    """No executor need be late for that: it is due an hour behind its instant."""
    rule = CalendarRule(calendar="closed", action=CalendarAction.DEFER)
    world = World()
    put(world, closed(100, 1000))
    world.tick()
    once = Schedule(kind=ScheduleKind.AT, at=after(120))
    world.add_job(
        schedule=once, anchored_at=NOW, created_at=NOW, next_run_at=after(120), calendars=(rule,)
    )
    world.tick()
    assert run_at(world, 120).due_at == after(1000)
    edit(world, 60, HOURLY)
    edit(world, 180, DAILY)
    execute(world, 1000)

    assert run_at(world, 120).reason is Reason.SUPERSEDED


@pytest.mark.parametrize("apart", [False, True])
def test_a_run_that_rolled_ahead_stays_replaced_although_its_calendar_is_dropped(
    *, apart: bool
) -> None:
    """It is planned days before its instant; an edit between may drop the calendar alone."""
    instant = after(2 * DAY_SECONDS + 3600)
    rule = CalendarRule(calendar="bank", action=CalendarAction.ROLL, roll=Roll.PREVIOUS)
    world, free = World(), [NOW.date() + timedelta(days=each) for each in (1, 2)]
    bank = calendar_factory(
        name=CalendarName("bank"),
        timezone="UTC",
        weekdays=frozenset(),
        weekend=frozenset(),
        days=(DayRange(first=free[0], last=free[-1]),),
    )
    put(world, bank)
    world.tick()
    once = Schedule(kind=ScheduleKind.AT, at=instant)
    world.add_job(
        schedule=once, anchored_at=NOW, created_at=NOW, next_run_at=instant, calendars=(rule,)
    )
    world.clock.set(after(3300))
    world.tick()
    (run,) = world.attempts()
    assert (run.id.run.scheduled_at, run.due_at) == (instant, after(3600))
    if apart:
        update_job(REF, JobChanges(calendars=()), api_services(world), now=after(3350))
        edit(world, 3400, HOURLY)
    else:
        changes = JobChanges(schedule=HOURLY, calendars=())
        update_job(REF, changes, api_services(world), now=after(3400))
    edit(world, 2 * DAY_SECONDS + 7200, DAILY)

    ended = next(each for each in world.attempts() if each.id == run.id)
    assert ended.reason is Reason.SUPERSEDED


def test_what_the_edit_ends_completes_no_job() -> None:
    """It was the last run of a schedule that is gone."""
    world = a_world(schedule=replace(EVERY_MINUTE, ends_at=after(121)))
    assert run_at(world, 120).final
    edit(world, 60, HOURLY)
    edit(world, 180, DAILY)

    assert not run_at(world, 120).final
    assert world.telemetry.counts["RunsSkipped"] == 1


def test_hooks_are_told_of_what_the_edit_ends() -> None:
    """The hook receives it like any skip by an executor."""
    hook = Subscription(
        channel=WebhookChannel(url="https://hooks.example.com/ended"), on=(Occasion.SKIPPED,)
    )
    world = a_world(notifications=(hook,))
    edit(world, 60, HOURLY)
    edit(world, 150, DAILY)

    assert run_at(world, 120).heard_occasion is Occasion.SKIPPED


def test_what_the_edit_ends_leaves_its_line() -> None:
    """Claimed a quarter of a second early, it stood there when the first edit came."""
    world = a_world(overlap=Overlap(policy=OverlapPolicy.QUEUE))
    run, key = run_at(world, 120), SlotKey(tenant=TENANT, name=JOB_ID)
    line = (SlotWaiter(due_at=run.due_at, attempt=run.id),)
    world.slots.change(key, lambda slots: (replace(slots, waiters=line), None), now=after(120))
    edit(world, 60, HOURLY)
    edit(world, 150, DAILY)

    assert world.tables.slots.get(key, Slots()).waiters == ()


def test_what_begins_meanwhile_is_left_alone() -> None:
    """A worker that read the job before the first edit had claimed it."""
    world = a_world()
    edit(world, 60, HOURLY)
    load_all = world.runs.load_all

    def begin_first(refs: Any) -> Any:  # noqa: ANN401
        run = run_at(world, 120)
        world.tables.put_attempt(replace(run, state=RunState.RUNNING, fence=1, watch_at=None))
        return load_all(refs)

    world.runs.load_all = begin_first  # type: ignore[method-assign]
    edit(world, 150, DAILY)

    assert run_at(world, 120).state is RunState.RUNNING


@pytest.mark.parametrize("times", [MAX_TRIES - 1, MAX_TRIES])
def test_a_run_that_changes_meanwhile_is_read_again(times: int) -> None:
    """The edit is refused where that goes on."""
    world = a_world()
    edit(world, 60, HOURLY)
    replaced, lost = world.runs.replace, iter(range(times))

    def lose(before: Attempt, changed: Attempt) -> bool:
        return next(lost, None) is None and replaced(before, changed)

    world.runs.replace = lose  # type: ignore[assignment, method-assign]
    if times == MAX_TRIES:
        with pytest.raises(JobChanged):
            edit(world, 150, DAILY)
        assert run_at(world, 120).state is RunState.QUEUED
    else:
        edit(world, 150, DAILY)
        assert run_at(world, 120).reason is Reason.SUPERSEDED


def test_only_a_change_of_a_changed_schedule_reads_runs() -> None:
    """One query; the first change makes none, and a change of something else makes none."""
    world = a_world(next_run_at=after(660))
    calls: list[str] = []
    for name in ("history", "load_all"):
        method = getattr(world.runs, name)

        def counting(*args: Any, _name: str = name, _method: Any = method, **kwargs: Any) -> Any:  # noqa: ANN401
            calls.append(_name)
            return _method(*args, **kwargs)

        setattr(world.runs, name, counting)
    edit(world, 30, HOURLY)
    update_job(REF, JobChanges(name="another"), api_services(world), now=after(40))
    assert calls == []
    edit(world, 50, DAILY)
    assert calls == ["history"]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        pytest.param(119.999, Reason.SUPERSEDED, id="before its instant"),
        pytest.param(120, Reason.SUPERSEDED, id="at its instant"),
        pytest.param(180, Reason.SUPERSEDED, id="behind it"),
    ],
)
def test_the_simulation_says_so_too(second: float, expected: Reason) -> None:
    """Executors are away until both edits are made."""
    scenario = one_job(
        schedule=Schedule(kind=ScheduleKind.AT, at=after(120)),
        start=NOW,
        end=after(1200),
        created_at=NOW,
        anchored_at=NOW,
        edits=(Edit(at=after(60), schedule=HOURLY), Edit(at=after(second), schedule=DAILY)),
        executor_outages=(TimeSpan(start=after(90), end=after(300)),),
    )
    (run,) = [row for row in simulated(scenario).rows if isinstance(row, Attempt)]

    assert run.reason is expected
    assert (run.ended_at == after(second)) is (second >= 120)
