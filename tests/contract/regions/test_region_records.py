"""``RegionStore``, writes in the time of a region, and the looks that cursors owe."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from tests.support.factories import NOW, after, job_factory
from tests.support.stores.contract_stores import Stores, race
from tests.support.stores.stores_on import stores_on
from timegate.adapters.dynamo.dispatch.cursor_store import DynamoCursorStore
from timegate.adapters.dynamo.dispatch.fenced_engine import FencedEngine
from timegate.adapters.dynamo.dispatch.region_store import RECORD
from timegate.adapters.dynamo.tables.reading import mapping
from timegate.adapters.dynamo.tables.values import Plain
from timegate.adapters.dynamo.tables.writes import Update
from timegate.adapters.memory.clock import MemoryClock
from timegate.domain.dispatch.buckets import BucketProgress
from timegate.domain.dispatch.shards import ONE_SHARD
from timegate.domain.regions.region_record import FENCED_AFTER, OwedLook, RegionRecord
from timegate.domain.regions.region_step import RegionCommand, RegionStep
from timegate.domain.values.tenant_errors import RegionPassive
from timegate.ports.dispatch.cursors import Watcher
from timegate.usecases.regions.region_at_hand import RegionAtHand

HERE, THERE = "eu-west-1", "eu-central-1"
FIRST = RegionRecord.first(HERE, now=NOW)
ACTING = replace(FIRST, acts_until=after(300))
SECOND = ACTING.promoted(THERE, ended=after(300), now=after(60))


def test_a_record_is_stored_whole_and_changed_as_it_was_read(stores: Stores) -> None:
    """A process that read another one changes nothing."""
    read = [stores.regions.read()]
    written = [
        stores.regions.replace(None, FIRST),
        stores.regions.replace(None, SECOND),
        stores.regions.replace(FIRST, ACTING),
        stores.regions.replace(FIRST, SECOND),
    ]
    read.append(stores.regions.read())
    written.append(stores.regions.replace(ACTING, SECOND))
    read.append(stores.regions.read())

    assert written == [True, False, True, False, True]
    assert read == [None, ACTING, SECOND]


def test_a_record_to_which_a_later_release_added_is_changed(stores: Stores) -> None:
    """The earlier one, which does not know the field, renews the region's time, and keeps it."""
    stores.regions.replace(None, FIRST)
    table: str = stores.regions._table  # type: ignore[attr-defined]
    added: dict[str, Plain] = {"cause": "drill", "places": {"home": HERE}}
    stores.engine.write(Update(table=table, key=RECORD, within=("record",), fields=added, where={}))
    written = [
        stores.regions.replace(SECOND, ACTING),
        stores.regions.replace(FIRST, SECOND),
        stores.regions.replace(FIRST, ACTING),
        stores.regions.replace(SECOND, ACTING),
    ]
    stored = stores.engine.get(table, RECORD)

    assert written == [False, True, False, True]
    assert stores.regions.read() == ACTING
    assert stored is not None
    record = mapping(stored["record"])
    assert {name: record[name] for name in added} == added
    assert "lost_until" not in record


def test_of_a_promise_and_a_promotion_at_once_one_is_written(stores: Stores) -> None:
    """The other one is refused, whichever it is."""
    stores.regions.replace(None, ACTING)
    promise = ACTING.promised(now=after(60), length=timedelta(minutes=5))
    done = race(
        lambda: stores.regions.replace(ACTING, promise),
        lambda: stores.regions.replace(ACTING, SECOND),
    )

    assert sorted(done) == [False, True]
    assert stores.regions.read() == (promise if done[0] else SECOND)


def signed(record: RegionRecord, seconds: float) -> RegionStep:
    """A step that made a record."""
    return RegionStep(
        command=RegionCommand.PROMOTE,
        at=after(seconds),
        by="arn:aws:iam::1:user/ada",
        record=record,
    )


def test_a_step_is_kept_with_its_change_or_not_at_all(stores: Stores) -> None:
    """Renewals are none; the latest step comes first, and the record is as it was written."""
    promoted, third = signed(SECOND, 60), signed(SECOND.owing_a_look(), 61)
    written = [
        stores.regions.replace(None, ACTING),
        stores.regions.replace(FIRST, SECOND, step=promoted),
        stores.regions.replace(ACTING, SECOND, step=promoted),
        stores.regions.replace(ACTING, SECOND, step=signed(SECOND, 62)),
        stores.regions.replace(SECOND, third.record, step=third),
    ]

    assert written == [True, False, True, False, True]
    assert stores.regions.steps() == (third, promoted)
    assert stores.regions.read() == third.record


def test_writes_end_with_the_time_of_their_region(stores: Stores) -> None:
    """Reads go on. A process knows of a fence when it reads the record again."""
    clock = MemoryClock(NOW)
    stores.regions.replace(None, ACTING)
    region = RegionAtHand(stores.regions, HERE, clock)
    jobs: str = stores.jobs._table  # type: ignore[attr-defined]
    runs: str = stores.runs._table  # type: ignore[attr-defined]
    engine = FencedEngine(stores.engine, region)
    fenced = stores_on(engine, jobs=jobs, runs=runs, shards=lambda: ONE_SHARD)
    job = fenced.jobs.create(job_factory())
    stores.regions.replace(ACTING, ACTING.fence(now=clock.now()))
    clock.advance(FENCED_AFTER.total_seconds() - 0.001)
    fenced.jobs.update(job, replace(job, updated_at=after(1)))
    clock.advance(0.001)
    with pytest.raises(RegionPassive):
        fenced.jobs.update(job, replace(job, updated_at=after(2)))

    assert fenced.jobs.get(job.tenant, job.job_id).updated_at == after(1)


def owing(stores: Stores, look: OwedLook | None) -> DynamoCursorStore:
    """Cursors of a region that owes a look."""
    table: str = stores.cursors._table  # type: ignore[attr-defined]
    return DynamoCursorStore(stores.engine, table=table, owed_look=lambda: look)


def came_to(cursors: DynamoCursorStore, at: float, *, done: bool = True) -> datetime:
    """The watermark that a tick begins at."""
    cursor = cursors.acquire(
        Watcher.PLANNER, 0, owner=f"at {at}", now=after(at), until=after(at + 55), start=NOW
    )
    assert cursor is not None
    if done:
        cursors.release(cursor, BucketProgress(watermark=after(at), sealed=after(at)))
    return cursor.progress.watermark


def test_a_look_that_is_owed_meanwhile_is_made_by_the_next_tick(stores: Stores) -> None:
    """The tick at work began behind the old buckets."""
    owed: list[OwedLook | None] = [None]
    table: str = stores.cursors._table  # type: ignore[attr-defined]
    cursors = DynamoCursorStore(stores.engine, table=table, owed_look=lambda: owed[0])
    began = cursors.acquire(Watcher.PLANNER, 0, owner="a", now=NOW, until=after(55), start=NOW)
    assert began is not None
    owed[0] = OwedLook(number=2, since=after(-7200))
    cursors.release(began, BucketProgress(watermark=after(40), sealed=after(40)))

    assert [came_to(cursors, 60), came_to(cursors, 120)] == [after(-7200), after(60)]


def test_an_owed_look_is_made_once_and_again_if_its_tick_died(stores: Stores) -> None:
    """A later one has a higher number."""
    usual = owing(stores, None)
    first = owing(stores, OwedLook(number=2, since=after(-7200)))
    second = owing(stores, OwedLook(number=3, since=after(-3600)))
    begun = [came_to(usual, 0), came_to(usual, 100)]
    begun += [came_to(first, 200, done=False), came_to(first, 300), came_to(first, 400)]
    begun += [came_to(second, 500), came_to(second, 600)]

    assert begun == [NOW, NOW, *(after(t) for t in (-7200, -7200, 300, -3600, 500))]
