"""Restores into a stage that went on: what runs twice, what is missed, and what the audit says."""

from collections import Counter
from copy import deepcopy
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from infra.admin.moving import export_stage, import_stage
from tests.support.factories import NOW, TENANT, freeze_factory, job_id
from tests.support.moving.moves import minutes
from tests.support.moving.stages import opened, reached
from tests.support.stores.records import JOBS_TABLE, RUNS_TABLE
from tests.support.tenants.api_keys import key_factory
from tests.support.world import World, delivery
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.writes import Put
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.restrictions.freeze import FreezeKind, FreezeScope, ThawPolicy
from timegate.domain.runs.run_states import RunState
from timegate.domain.tenants.suspension import suspended, suspension_freeze

JOB = job_id("minutely")
#: The point in time, and the restore.
POINT, RESTORED, END = minutes(20), minutes(40), minutes(70)
Tables = dict[str, list[Fields]]


def stage(policy: CatchUpPolicy = CatchUpPolicy.ALL) -> World:
    """A stage with a minutely job."""
    world = opened(shards=1)
    schedule = Schedule(kind=ScheduleKind.RATE, every_seconds=60)
    world.add_job(
        job_id=JOB,
        schedule=schedule,
        anchored_at=NOW,
        next_run_at=minutes(1),
        catch_up=CatchUp(policy=policy),
    )
    return world


def run_until(world: World, instant: datetime) -> None:
    """Let planner and sweeper tick each minute, and whatever is due be executed."""
    while world.clock.now() < instant:
        world.clock.advance(60)
        world.tick()
        world.sweep()
        world.stream()
        now, sent = world.clock.now(), world.publisher.sent
        world.publisher.sent = [each for each in sent if delivery(each).message.due_at > now]
        due = [each for each in sent if delivery(each).message.due_at <= now]
        world.execute([delivery(each, number) for number, each in enumerate(due)])


def taken(world: World) -> Tables:
    """Both tables as they are, as a backup has them."""
    return {table: deepcopy(world.tables.engine.items(table)) for table in (JOBS_TABLE, RUNS_TABLE)}


def put_back(world: World, backup: Tables, *tables: str) -> None:
    """Let tables be what they were at the point in time."""
    engine = world.tables.engine
    for table in tables:
        for item in engine.items(table):
            engine.remove(table, Key(pk=str(item["pk"]), sk=str(item["sk"])))
        engine.put_all(table, [Put(table=table, fields=each) for each in backup[table]])
    world.read_images = len(world.tables.images)


def fired(world: World) -> Counter[datetime]:
    """Count the target's calls per instant."""
    return Counter(call.scheduled_at for call in world.target.calls)


def twice(calls: Counter[datetime]) -> set[datetime]:
    """Instants for which the target was called again."""
    return {each for each, number in calls.items() if number > 1}


def skipped_runs(world: World) -> set[datetime]:
    """Instants whose run ended without a call."""
    return {each.id.run.scheduled_at for each in world.attempts() if each.state is RunState.SKIPPED}


def audited(world: World) -> int:
    """Instants that the auditor misses within an hour."""
    missed = 0
    for _ in range(4):
        run_until(world, world.clock.now() + timedelta(minutes=15))
        missed += world.audit().unaccounted
    return missed


def every_minute(first: int, last: int) -> set[datetime]:
    """Instants of the job."""
    return {minutes(number) for number in range(first, last + 1)}


def test_a_lost_job_that_is_restored_runs_nothing_twice(tmp_path: Path) -> None:
    """Its runs are on record, by ids that are computed; the auditor asks for it meanwhile."""
    world = stage()
    run_until(world, POINT)
    backup = taken(world)
    run_until(world, minutes(25))
    del world.tables.jobs[TENANT, JOB]
    run_until(world, RESTORED)
    copy = World()
    put_back(copy, backup, JOBS_TABLE, RUNS_TABLE)
    export_stage(reached(copy), tmp_path / "f", tenant=TENANT, history=False, now=POINT, jobs=[JOB])
    counts = import_stage(reached(world), tmp_path / "f", now=RESTORED)
    run_until(world, END)
    calls = fired(world)

    assert (counts.different, sum(counts.stored.values())) == (0, 1)
    assert max(calls.values()) == 1
    # Planned runs that came due while it was lost are on record as not executed.
    assert skipped_runs(world) == every_minute(26, 32)
    assert calls.keys() | skipped_runs(world) >= every_minute(1, 70)


def test_a_job_that_skips_what_it_missed_says_so_in_the_ledger(tmp_path: Path) -> None:
    """The instants of the outage are gaps; those that ran before it are not among them."""
    world = stage(CatchUpPolicy.SKIP)
    run_until(world, POINT)
    backup = taken(world)
    run_until(world, minutes(25))
    del world.tables.jobs[TENANT, JOB]
    run_until(world, RESTORED)
    copy = World()
    put_back(copy, backup, JOBS_TABLE)
    export_stage(reached(copy), tmp_path / "f", tenant=TENANT, history=False, now=POINT, jobs=[JOB])
    import_stage(reached(world), tmp_path / "f", now=RESTORED)
    run_until(world, END)
    calls = fired(world)
    gaps = [gap for _, gap in world.tables.gaps.items()]
    skipped = {each for each in every_minute(1, 70) if any(g.first <= each <= g.last for g in gaps)}

    assert max(calls.values()) == 1
    assert skipped | skipped_runs(world) == every_minute(1, 70) - calls.keys()
    assert not skipped & every_minute(1, 32)


#: Planned at the point in time, and still on record as queued then.
PLANNED = every_minute(21, 25)
AGAIN = {
    CatchUpPolicy.ALL: every_minute(26, 40),
    CatchUpPolicy.LATEST: every_minute(39, 40),
    # Not missed yet: it is within the grace.
    CatchUpPolicy.SKIP: every_minute(40, 40),
}


@pytest.mark.parametrize("policy", CatchUpPolicy)
def test_tables_of_the_past_run_again_what_was_planned_and_what_is_caught_up(
    policy: CatchUpPolicy,
) -> None:
    """Between the point in time and the restore no end is on record: exactly those are at stake."""
    world = stage(policy)
    run_until(world, POINT)
    backup = taken(world)
    run_until(world, RESTORED)
    put_back(world, backup, JOBS_TABLE, RUNS_TABLE)
    run_until(world, END)
    calls = fired(world)

    assert twice(calls) == PLANNED | AGAIN[policy]
    assert max(calls.values()) == 2
    assert every_minute(1, 70) <= calls.keys()
    assert audited(world) == 0


def test_a_freeze_over_the_hole_lets_nothing_run_twice() -> None:
    """Its thaw policy is to skip: what may have run is on record as frozen."""
    world = stage()
    run_until(world, POINT)
    backup = taken(world)
    run_until(world, RESTORED)
    put_back(world, backup, JOBS_TABLE, RUNS_TABLE)
    freeze = freeze_factory(
        starts_at=POINT,
        ends_at=minutes(45),
        created_at=RESTORED,
        thaw=ThawPolicy.SKIP,
        scope=FreezeScope(kind=FreezeKind.TENANT),
    )
    world.restrictions.put_freeze(TENANT, freeze, now=RESTORED)
    run_until(world, END)
    calls = fired(world)

    assert twice(calls) == set()
    assert every_minute(1, 40) | every_minute(45, 70) <= calls.keys()
    assert not calls.keys() & every_minute(41, 44)


@pytest.mark.parametrize(
    "policy",
    [
        CatchUpPolicy.ALL,
        pytest.param(CatchUpPolicy.LATEST, marks=pytest.mark.wide),
        pytest.param(CatchUpPolicy.SKIP, marks=pytest.mark.wide),
    ],
)
def test_a_new_stage_of_the_past_runs_again_what_is_caught_up_alone(
    policy: CatchUpPolicy, tmp_path: Path
) -> None:
    """Runs under way do not move: those that were planned at the point in time run once."""
    lost, new, past = stage(policy), opened(shards=1), World()
    run_until(lost, POINT)
    backup = taken(lost)
    run_until(lost, RESTORED)
    put_back(past, backup, JOBS_TABLE, RUNS_TABLE)
    export_stage(reached(past), tmp_path / "f", tenant=None, history=True, now=POINT)
    new.clock.set(RESTORED)
    import_stage(reached(new), tmp_path / "f", now=RESTORED)
    run_until(new, END)
    calls = fired(lost) + fired(new)

    assert twice(calls) == AGAIN[policy]
    assert every_minute(1, 70) <= calls.keys()
    assert audited(new) == 0


def test_runs_of_the_past_leave_a_hole_that_the_auditor_finds() -> None:
    """Jobs of now have moved past instants whose records are gone."""
    world = stage()
    run_until(world, POINT)
    world.audit()
    backup = taken(world)
    run_until(world, RESTORED)
    put_back(world, backup, RUNS_TABLE)
    missed = audited(world)

    assert twice(fired(world)) == PLANNED - {minutes(21)}
    assert missed == len(every_minute(26, 46))


def test_jobs_of_the_past_meet_the_runs_that_they_planned() -> None:
    """Ids are computed: a planner that decides again stores nothing again."""
    world = stage()
    run_until(world, POINT)
    world.audit()
    backup = taken(world)
    run_until(world, RESTORED)
    put_back(world, backup, JOBS_TABLE)
    run_until(world, END)

    assert twice(fired(world)) == set()
    assert every_minute(1, 70) <= fired(world).keys()
    assert audited(world) == 0


def test_jobs_of_the_past_know_nothing_of_later_revocations() -> None:
    """The page asks the operator to take them back again: a key is good, and a job fires."""
    world = stage()
    key = key_factory()
    assert world.api_keys.put(None, key)
    run_until(world, POINT)
    backup = taken(world)
    assert world.api_keys.put(key, replace(key, revoked_at=world.clock.now()))
    settings = world.tenants.get(TENANT)
    freeze = suspension_freeze(TENANT, thaw=ThawPolicy.SKIP, reason="", now=world.clock.now())
    assert world.tenants.put(TENANT, settings, suspended(settings, freeze), freeze=freeze)
    run_until(world, RESTORED)
    before = fired(world).keys()
    put_back(world, backup, JOBS_TABLE)
    run_until(world, END)

    assert world.api_keys.get(TENANT, key.slot) == key
    assert world.tenants.get(TENANT).suspension is None
    assert every_minute(46, 70) <= fired(world).keys() - before
