"""Definitions that change in their stage between two imports into the stage they move to."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path

import pytest

from infra.admin.moving import export_stage, import_stage
from tests.support.event_triggers.triggering import trigger_factory
from tests.support.factories import NOW, TENANT, calendar_factory, freeze_factory, job_id
from tests.support.moving.moves import TwoStages, minutes
from tests.support.moving.stages import held
from tests.support.operations.burying import dead_factory
from tests.support.ruling import rule_factory
from tests.support.world import World
from tests.unit.domain.dags.definitions import dag, task
from timegate.adapters.dynamo.tables.engine import Fields
from timegate.domain.event_triggers.event_trigger import EventTriggerName
from timegate.domain.operations.dead_letter import DeadLetterFilter
from timegate.domain.pools.pause import PoolPause, resumed
from timegate.domain.restrictions.freeze import FreezeId
from timegate.domain.runs.resolution import Resolution, Settled
from timegate.domain.values.identity import DagId

#: Sort keys of definitions, or their beginnings.
DEFINED = ("calendar#", "freeze#", "rule#", "trigger#", "names", "dag-version#", "pause:")
DISCARDED = Resolution(settled=Settled.DISCARDED, by="anna", at=NOW)
POOLS = ("kept", "dropped")
DAG = dag((task("first"),), tenant=TENANT, dag_id=DagId(job_id("graph")), created_at=NOW)
FREEZES = [
    freeze_factory(
        freeze_id=FreezeId(f"20261121T08{number}000000Z-{str(number) * 12}"),
        starts_at=minutes(60 + 10 * number),
        ends_at=minutes(200),
        created_at=NOW,
    )
    for number in (1, 2)
]


@pytest.fixture
def stages(tmp_path: Path) -> TwoStages:
    """A tenant with two of each definition."""
    found = TwoStages(tmp_path / "export")
    old = found.old
    for name in ("kept", "dropped"):
        old.restrictions.put_calendar(TENANT, calendar_factory(name=name), expected_version=None)
        old.rules.put_rule(rule_factory(name=name), expected_version=None, now=NOW)
        trigger = trigger_factory(name=EventTriggerName(name))
        old.event_triggers.put(TENANT, trigger, expected_version=None)
    for freeze in FREEZES:
        old.restrictions.put_freeze(TENANT, freeze, now=NOW)
    old.dags.create(DAG)
    for pool in POOLS:
        old.pools.change_pause(TENANT, pool, partial(paused, pool))
    return found


def paused(pool: str, _: PoolPause | None) -> PoolPause:
    """A pause that lasts until a caller resumes the pool."""
    return PoolPause(pool=pool, since=NOW, by="anna")


def ended(before: PoolPause | None, *, now: datetime) -> PoolPause | None:
    """The pause, as a caller ended it."""
    return None if before is None else resumed(before, by="ben", now=now)


def changed(world: World, stages: TwoStages) -> None:
    """Change one of each definition and drop the other."""
    now = stages.now
    store, rules, triggers = world.restrictions, world.rules, world.event_triggers
    calendar = calendar_factory(name="kept", description="Changed.")
    store.put_calendar(TENANT, calendar, expected_version=None)
    store.delete_calendar(TENANT, "dropped", expected_version=None, now=now)
    store.lift_freeze(TENANT, FREEZES[0].freeze_id, now=now)
    rules.put_rule(
        rule_factory(name="kept", description="Changed."), expected_version=None, now=now
    )
    rules.delete_rule(TENANT, "dropped", expected_version=None, now=now)
    trigger = trigger_factory(name=EventTriggerName("kept"), description="Changed.")
    triggers.put(TENANT, trigger, expected_version=None)
    triggers.delete(TENANT, EventTriggerName("dropped"), expected_version=None, now=now)
    world.pools.change_pause(TENANT, "dropped", partial(ended, now=now))
    world.dags.update(DAG, replace(DAG, version=2, name="changed"))


def defined(world: World) -> Mapping[tuple[str, str, str], Fields]:
    """The definitions of a stage; the freezes of the move are its own."""
    return {
        place: fields
        for place, fields in held(world, tenant=TENANT).items()
        if (place[2] == "dag" or place[2].startswith(DEFINED)) and "spares_runs" not in fields
    }


def test_a_later_import_brings_what_changed_since(stages: TwoStages) -> None:
    """Changes, deletions, and a freeze that was lifted before it began."""
    stages.moving().begin(at=minutes(20), now=stages.now)
    first = stages.copy()
    changed(stages.old, stages)
    second = stages.copy()
    there = stages.new.restrictions.in_force([TENANT])[TENANT]
    arrival = [each for each in there.freezes if each.by_stage]

    assert (first.different, second.different, second.told) == (0, 0, [])
    assert defined(stages.new) == defined(stages.old)
    assert there.calendars == {"kept": 2}
    assert [each.freeze_id for each in there.freezes if not each.by_stage] == [FREEZES[1].freeze_id]
    assert [each.spares_runs for each in arrival] == [True]
    assert stages.copy().different == 0


def test_definitions_of_a_tenant_that_has_not_to_arrive_are_left(stages: TwoStages) -> None:
    """Callers change them in either stage: the differences are told."""
    stages.copy()
    before = defined(stages.new)
    changed(stages.old, stages)
    later = stages.copy()

    assert {place: each for place, each in defined(stages.new).items() if place in before} == before
    assert later.different == len(later.told) > 0


@pytest.mark.parametrize("order", [(0, 1), (0, 1, 0), (1, 0)])
def test_a_dead_letter_that_was_settled_since_is_settled_there(
    stages: TwoStages, order: tuple[int, ...]
) -> None:
    """Its run went on in the stage that it leaves; a file of before takes nothing back."""
    dead = dead_factory(-60)
    stages.moving().begin(at=minutes(20), now=stages.now)
    stages.old.runs.insert_all([dead])
    files = [stages.path.with_name(name) for name in ("first", "second")]
    for file, settled in zip(files, (False, True), strict=True):
        if settled:
            after = replace(dead, resolution=DISCARDED)
            assert stages.old.dead_letters.settle(dead, after, opened=None)
        ends = stages.moving()
        export_stage(ends.old, file, tenant=TENANT, history=True, now=stages.now)
    for number in order:
        import_stage(stages.moving().new, files[number], now=stages.now)
    wanted = DeadLetterFilter()
    left = stages.new.dead_letters.list_dead_letters(TENANT, wanted, limit=9, cursor=None)

    assert left.rows == ()
    assert stages.new.runs.attempts(TENANT, dead.id.run)[0].resolution == DISCARDED


def test_a_dead_letter_of_the_stage_itself_is_left_to_it(stages: TwoStages) -> None:
    """Its own callers decide about it."""
    dead = dead_factory(-60)
    stages.moving().begin(at=minutes(20), now=stages.now)
    stages.new.runs.insert_all([dead])
    stages.old.runs.insert_all([replace(dead, resolution=DISCARDED)])
    stages.copy(history=True)

    assert stages.new.runs.attempts(TENANT, dead.id.run)[0].resolution is None
