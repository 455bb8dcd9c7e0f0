"""A live tenant moves: each instant is planned once, in the stage that the record says."""

from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.factories import NOW, TENANT, freeze_factory, job_id
from tests.support.moving.dying import Dying
from tests.support.moving.moves import TwoStages, minutes
from tests.support.moving.stages import opened, reached
from timegate.domain.moving.errors import JobsDiffer, MoveRefused
from timegate.domain.recurrence.fires import next_fire
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.tenants.audit_trail import AuditFilter
from timegate.domain.tenants.tenant_settings import MoveState

#: The cut-over.
AT = minutes(20)
END = minutes(60)
RATES = {job_id("minutely"): 60, job_id("slow"): 420}
ONCE = job_id("once")


@pytest.fixture
def stages(tmp_path: Path) -> TwoStages:
    """Two frequent jobs, and one that fires once behind the cut-over."""
    found = TwoStages(tmp_path / "export")
    for each, seconds in RATES.items():
        schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=seconds)
        first = NOW + timedelta(seconds=seconds)
        found.old.add_job(job_id=each, schedule=schedule, anchored_at=NOW, next_run_at=first)
    once = Schedule(kind=ScheduleKind.AT, at=minutes(25))
    found.old.add_job(job_id=ONCE, schedule=once, created_at=NOW, next_run_at=minutes(25))
    return found


def wanted(stages: TwoStages) -> set[tuple[str, datetime]]:
    """Every instant that the schedules name."""
    found: set[tuple[str, datetime]] = set()
    for job in stages.old.tables.jobs.values():
        instant: datetime | None = NOW
        while instant is not None and instant <= END:
            instant = next_fire(
                job.timing.schedule, created_at=job.timing.anchored_at, after=instant
            )
            if instant is not None and instant <= END:
                found.add((job.job_id, instant))
    return found


def moved(stages: TwoStages) -> None:
    """Take every step at its time."""
    stages.run_until(minutes(3))
    stages.moving().begin(at=AT, now=stages.now)
    stages.run_until(minutes(17))
    stages.moving().close(now=stages.now)
    stages.run_until(minutes(18.6))
    assert stages.copy().different == 0
    stages.moving().open(now=stages.now)
    stages.run_until(END)


def test_each_instant_has_one_run_in_its_own_stage(stages: TwoStages) -> None:
    """None is lost, none is twice, and the record says whose each is."""
    moved(stages)
    here, there = stages.instants(stages.old), stages.instants(stages.new)
    planned = {each for each in here | there if each[1] <= END}

    assert here & there == set()
    assert planned == wanted(stages)
    assert max(at for _, at in here) < AT <= min(at for _, at in there)
    assert (ONCE, minutes(25)) in there


def test_each_step_of_a_move_is_in_the_tenants_trail(stages: TwoStages) -> None:
    """In the stage whose record it changes; a repeated step changes nothing, and leaves none."""
    moved(stages)
    stages.moving().open(now=stages.now)
    told = [
        [
            (each.stamp.operation, str(each.resource), each.stamp.subject)
            for each in stage.audits.list_entries(TENANT, AuditFilter(), limit=9, cursor=None).rows
        ]
        for stage in (stages.old, stages.new)
    ]

    assert told == [
        [(f"admin.move.{step}", f"tenant/{TENANT}", "operator") for step in steps]
        for steps in (("close", "begin"), ("open", "begin"))
    ]


def test_nothing_costs_a_run_a_further_call(stages: TwoStages) -> None:
    """The planner reads the record with the freezes that it reads anyhow: one item."""
    engine = stages.old.tables.engine
    keys = []
    real = engine.get_all

    def noted(wanted: Any) -> Any:  # noqa: ANN401 - as it is asked
        keys.append(sum(len(each) for each in wanted.values()))
        return real(wanted)

    engine.get_all = noted  # type: ignore[method-assign]
    stages.old.tick()
    before = list(keys)
    stages.moving().begin(at=AT, now=stages.now)
    keys.clear()
    stages.old.clock.advance(60)
    stages.old.tick()

    assert len(keys) <= len(before)


def test_until_it_is_opened_nothing_is_planned_there(stages: TwoStages) -> None:
    """A late opening is late, and its catch-up policies decide; nothing is twice."""
    stages.run_until(minutes(3))
    stages.moving().begin(at=AT, now=stages.now)
    stages.run_until(minutes(17))
    stages.moving().close(now=stages.now)
    stages.run_until(minutes(30))
    stages.copy()
    stages.run_until(minutes(40))
    assert stages.instants(stages.new) == set()
    stages.moving().open(now=stages.now)
    stages.run_until(END)
    here, there = stages.instants(stages.old), stages.instants(stages.new)

    assert here & there == set()
    assert max(at for _, at in here) < AT
    gaps = [gap for _, gap in stages.new.tables.gaps.items()]
    recorded = {each for each in wanted(stages) if any(g.first <= each[1] <= g.last for g in gaps)}
    assert wanted(stages) <= here | there | recorded


def test_instants_that_a_freeze_holds_back_move_with_their_jobs(stages: TwoStages) -> None:
    """It is decided about where the job is when the freeze ends."""
    freeze = freeze_factory(starts_at=minutes(15), ends_at=minutes(30), created_at=NOW)
    stages.old.restrictions.put_freeze(TENANT, freeze, now=NOW)
    moved(stages)
    here, there = stages.instants(stages.old), stages.instants(stages.new)

    assert here & there == set()
    assert max(at for _, at in here) < minutes(15)
    assert min(at for _, at in there) >= minutes(15)


def test_what_differs_there_is_not_opened(stages: TwoStages) -> None:
    """A job that changed here since is imported anew, and then it is."""
    stages.run_until(minutes(3))
    stages.moving().begin(at=AT, now=stages.now)
    stages.run_until(minutes(12))
    stages.copy()
    stages.run_until(minutes(17))
    stages.moving().close(now=stages.now)
    stages.run_until(minutes(18.6))
    with pytest.raises(JobsDiffer):
        stages.moving().open(now=stages.now)
    stages.copy()

    assert stages.moving().open(now=stages.now).state is MoveState.ARRIVED


@pytest.mark.parametrize(
    ("step", "at", "words"),
    [
        pytest.param("close", 12, "closes at the earliest at", id="closed early"),
        pytest.param("open", 12, "and not closed", id="opened early"),
    ],
)
def test_a_step_before_its_time_is_refused(
    stages: TwoStages, step: str, at: float, words: str
) -> None:
    """With the time at which it may be taken."""
    stages.run_until(minutes(3))
    stages.moving().begin(at=AT, now=stages.now)
    stages.run_until(minutes(at))

    with pytest.raises(MoveRefused, match=words):
        getattr(stages.moving(), step)(now=stages.now)


def test_a_cut_over_that_is_near_is_refused(stages: TwoStages) -> None:
    """Runs behind it may have been planned: one millisecond decides."""
    near = stages.now + timedelta(minutes=15) - timedelta(milliseconds=1)
    with pytest.raises(MoveRefused, match="at the earliest"):
        stages.moving().begin(at=near, now=stages.now)

    assert stages.moving().begin(at=near + timedelta(milliseconds=1), now=stages.now)


def test_a_tenant_that_was_closed_lately_is_not_opened(stages: TwoStages) -> None:
    """Functions may still be at work with what they have read."""
    stages.moving().begin(at=AT, now=stages.now)
    stages.run_until(minutes(17))
    stages.moving().close(now=stages.now)
    stages.copy()

    with pytest.raises(MoveRefused, match="wait until"):
        stages.moving().open(now=stages.now)


def test_what_is_withdrawn_goes_on_here(stages: TwoStages) -> None:
    """Nothing is lost, and the other stage can never begin."""
    stages.run_until(minutes(3))
    stages.moving().begin(at=AT, now=stages.now)
    stages.run_until(minutes(17))
    stages.moving().close(now=stages.now)
    stages.run_until(minutes(24))
    stages.copy()
    stages.moving().withdraw(now=stages.now)
    with pytest.raises(MoveRefused):
        stages.moving().open(now=stages.now)
    stages.run_until(END)

    assert stages.instants(stages.new) == set()
    assert {each for each in stages.instants(stages.old) if each[1] <= END} == wanted(stages)


def test_what_has_arrived_cannot_be_withdrawn(stages: TwoStages) -> None:
    """One record decides between the two."""
    moved(stages)

    with pytest.raises(MoveRefused, match="cannot be withdrawn any more"):
        stages.moving().withdraw(now=stages.now)
    assert reached(stages.old).usage.usage(TENANT).jobs


@pytest.mark.parametrize(
    ("at", "after"),
    [
        pytest.param(1, False, id="before the first write"),
        *(pytest.param(at, True, id=f"after write {at}") for at in range(1, 9)),
        # The same, but for what a command does between two writes.
        *(
            pytest.param(at, False, id=f"before write {at}", marks=pytest.mark.wide)
            for at in range(2, 9)
        ),
    ],
)
def test_an_operator_whose_commands_die_repeats_them(
    tmp_path: Path, at: int, *, after: bool
) -> None:
    """At each write of each step: repeated, the move is what it would have been."""
    stages = TwoStages(tmp_path / "export")
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=60)
    stages.old.add_job(
        job_id=job_id("minutely"), schedule=schedule, created_at=NOW, next_run_at=minutes(1)
    )
    whole = stages.engine

    def tried(step: Any) -> None:  # noqa: ANN401 - any command
        stages.engine = lambda world: Dying(world.tables.engine, at, after=after)
        try:
            step()
        except SystemExit:
            stages.engine = whole
            step()
        stages.engine = whole

    stages.run_until(minutes(3))
    tried(lambda: stages.moving().begin(at=AT, now=stages.now))
    stages.run_until(minutes(17))
    tried(lambda: stages.moving().close(now=stages.now))
    stages.run_until(minutes(18.6))
    tried(stages.copy)
    tried(lambda: stages.moving().open(now=stages.now))
    stages.run_until(END)
    here, there = stages.instants(stages.old), stages.instants(stages.new)

    assert here & there == set()
    assert {each for each in here | there if each[1] <= END} == wanted(stages)
    assert max(at for _, at in here) < AT <= min(at for _, at in there)


def test_a_move_names_both_of_its_stages_each_time(stages: TwoStages) -> None:
    """Withdrawn into a third stage, the tenant would be in two."""
    stages.run_until(minutes(3))
    moving = stages.moving()
    moving.begin(at=AT, now=stages.now)
    other = replace(moving, new=reached(opened(), "another"))
    stages.run_until(minutes(17))

    for step in (other.withdraw, other.close, other.open):
        with pytest.raises(MoveRefused, match="and not to another"):
            step(now=stages.now)
    assert moving.close(now=stages.now).state is MoveState.CLOSED


def test_a_tenant_does_not_move_to_where_it_is(stages: TwoStages) -> None:
    """It is refused before anything is written."""
    moving = stages.moving()
    with pytest.raises(MoveRefused, match="from one stage to another"):
        replace(moving, new=moving.old).begin(at=AT, now=stages.now)

    assert moving.old.tenants.get(TENANT).move is None
