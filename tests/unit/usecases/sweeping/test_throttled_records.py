"""Records that the store refuses to write: the sweeper leaves them, and looks at all others."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.execution.executing import MINUTELY
from tests.support.factories import TENANT, after, attempt_factory, attempt_id, job_id
from tests.support.world import World
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.identity import AbsenceRef, OperationId
from timegate.domain.values.instants import minute_of
from timegate.domain.values.tenant import TenantId
from timegate.ports.operations.operation_store import OperationRef
from timegate.ports.stores import AttemptRef
from timegate.usecases.sweeping.sweep_buckets import ATTEMPTS_PER_STEP
from timegate.usecases.sweeping.wake_overdue import wake_overdue, wake_rules

HOT = job_id("a hot one")


def lost_runs(world: World, *jobs: str) -> None:
    """Store runs whose messages vanished, of the hot job first."""
    for job in (HOT, *map(job_id, jobs)):
        world.add_job(job_id=job, schedule=MINUTELY, anchored_at=after(-3600))
        world.runs.insert_all([attempt_factory(id=attempt_id(job=job))])
    world.read_images = len(world.tables.images)
    world.clock.advance(120)


def heat(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the partition of one job refuse writes, as DynamoDB does for as long as it is hot."""
    replace_run = world.runs.replace

    def refusing(before: Attempt, after: Attempt) -> bool:
        if before.id.run.job_id == HOT:
            raise Throttled("Too much.")
        return replace_run(before, after)

    monkeypatch.setattr(world.runs, "replace", refusing)


@pytest.mark.parametrize("watch", [World.sweep, World.look], ids=["tick", "look"])
def test_a_record_that_refuses_keeps_no_other_one_waiting(
    monkeypatch: pytest.MonkeyPatch, watch: Callable[[World], object]
) -> None:
    """All others are published; the watch fails at its end, so that a person hears."""
    world = World()
    lost_runs(world, "b", "c")
    heat(world, monkeypatch)
    with pytest.raises(Throttled):
        watch(world)
    world.stream()

    jobs = [each.message.attempt.run.job_id for each in world.publisher.sent]
    assert sorted(jobs) == sorted([job_id("b"), job_id("c")])


def test_a_record_that_refused_is_looked_at_by_the_next_tick(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The watermark stays before its bucket, and the shard's lease has been given back."""
    world = World()
    lost_runs(world, "b")
    with monkeypatch.context() as hot:
        heat(world, hot)
        with pytest.raises(Throttled):
            world.sweep()
    world.clock.advance(3600)
    world.sweep()
    world.stream()

    assert HOT in [each.message.attempt.run.job_id for each in world.publisher.sent]


def test_a_record_that_refuses_for_a_day_costs_each_tick_one_bucket(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """All before it and behind it are sealed; the tick fails each time, so that people hear."""
    world = World()
    lost_runs(world)
    heat(world, monkeypatch)
    (stuck,) = world.attempts()
    read, overdue = list[str](), world.runs.overdue

    def counted(minute: str, shard: int, *, until: datetime) -> Iterator[AttemptRef | Any]:
        read.append(minute)
        return overdue(minute, shard, until=until)

    monkeypatch.setattr(world.runs, "overdue", counted)
    for _ in range(24):
        world.clock.advance(3600)
        with pytest.raises(Throttled):
            world.sweep()
    read.clear()
    world.clock.advance(60)
    with pytest.raises(Throttled):
        world.sweep()

    assert len(read) == len(set(read)) < 22
    assert stuck.watch_at is not None
    assert minute_of(stuck.watch_at) in read


def test_a_tick_begins_no_step_after_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bucket with a backlog is looked at in parts: the lease of the shard ends in time."""
    world = World()
    world.sweep()
    count = 3 * ATTEMPTS_PER_STEP
    for number in range(count):
        world.add_job(job_id=job_id(str(number)), schedule=MINUTELY, anchored_at=after(-3600))
        world.runs.insert_all([attempt_factory(id=attempt_id(job=job_id(str(number))))])
    world.clock.advance(120)
    replace_run = world.runs.replace

    def slow(before: Attempt, after: Attempt) -> bool:
        world.clock.advance(1)
        return replace_run(before, after)

    monkeypatch.setattr(world.runs, "replace", slow)
    first = world.sweep()

    assert first is not None
    # 44 of 55 seconds are for work: the second step begins within them, and the third does not.
    assert first.looked_at == 2 * ATTEMPTS_PER_STEP

    second = world.sweep()
    assert second is not None
    assert first.looked_at + second.looked_at == count
    assert set(world.states()) == {RunState.QUEUED}


def test_an_operation_that_refuses_keeps_no_other_one_asleep(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The ones behind it are touched all the same."""
    world = World()
    refs = [OperationRef(tenant=TENANT, id=OperationId(name)) for name in ("hot", "next")]
    touched: list[OperationRef] = []

    def touch(ref: OperationRef, **_: object) -> None:
        if ref == refs[0]:
            raise Throttled("Too much.")
        touched.append(ref)

    monkeypatch.setattr(world.operations, "overdue", lambda **_: iter(refs))
    monkeypatch.setattr(world.operations, "touch", touch)
    with pytest.raises(Throttled):
        wake_overdue(world.operations, world.telemetry, now=world.clock.now())

    assert touched == refs[1:]


def test_a_watch_over_rules_that_refuses_keeps_no_other_tenant_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The looks of other tenants are due at the same tick."""
    world = World()
    tenants = [TenantId("hot"), TenantId("next")]
    shown: list[object] = []

    def touch(tenant: TenantId | AbsenceRef, **_: object) -> bool:
        if tenant == "hot":
            raise Throttled("Too much.")
        shown.append(tenant)
        return True

    rules = world.sweeping.rules
    monkeypatch.setattr(rules, "overdue_rules", lambda **_: iter(tenants))
    monkeypatch.setattr(rules, "touch_rules", touch)
    with pytest.raises(Throttled):
        wake_rules(rules, world.telemetry, now=world.clock.now() + timedelta(minutes=1))

    assert shown == tenants[1:]
    assert world.telemetry.counts["RuleLooksDue"] == 1
