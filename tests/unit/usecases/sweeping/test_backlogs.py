"""Sweeping again and again while the queues are full: no run is published without need."""

from dataclasses import replace
from datetime import datetime

import pytest

from tests.support.factories import EVERY_MINUTE, after, attempt_factory, attempt_id, job_id
from tests.support.world import World
from timegate.domain.runs.run import RunState
from timegate.usecases.sweeping.sweep_shard import sweep_shard

RUNS = 20
BACKLOG_MINUTES = 10


def backlog() -> World:
    """So many runs, due now and published, in a queue that no executor reads for ten minutes."""
    world = World()
    world.sweep()
    for number in range(RUNS):
        job = job_id(str(number))
        world.add_job(job_id=job, anchored_at=after(-3600), schedule=EVERY_MINUTE)
        world.runs.insert_all([attempt_factory(id=attempt_id(job=job))])
    world.stream()
    world.backlog.busy.add("normal-short")
    return world


def sweep_each_minute(world: World, minutes: int) -> None:
    """Twice each time: a tick may be delivered twice."""
    for _ in range(minutes):
        world.clock.advance(60)
        world.sweep()
        world.sweep(owner="sweeper-2")
        world.stream()


def test_a_backlog_of_ten_minutes_is_published_once() -> None:
    """Every run is executed once when the queue is read again, and none is published thereafter."""
    world = backlog()
    sweep_each_minute(world, BACKLOG_MINUTES)

    assert len(world.publisher.sent) == RUNS

    world.execute(world.receive())
    world.backlog.busy.clear()
    sweep_each_minute(world, BACKLOG_MINUTES)

    assert world.states() == [RunState.SUCCEEDED] * RUNS
    assert len(world.target.calls) == RUNS
    assert world.publisher.sent == []
    assert world.telemetry.counts["DuplicatesRefused"] == 0


@pytest.mark.parametrize(
    ("minutes", "copies"),
    [(15, 0), (16, 1), (30, 1), (31, 2), (60, 2), (62, 3), (180, 4), (720, 13)],
)
def test_a_long_backlog_gets_ever_fewer_copies(minutes: int, copies: int) -> None:
    """After a quarter of an hour, a half, an hour, and each hour: a message may be lost in it."""
    world = backlog()
    sweep_each_minute(world, minutes)

    assert len(world.publisher.sent) == RUNS * (1 + copies)


def test_lost_messages_are_published_once_more_however_often_one_sweeps() -> None:
    """The queue is empty, so they are lost: one message each, and no second."""
    world = backlog()
    world.publisher.sent.clear()
    world.backlog.busy.clear()
    sweep_each_minute(world, 1)

    assert len(world.publisher.sent) == RUNS

    world.backlog.busy.add("normal-short")
    sweep_each_minute(world, BACKLOG_MINUTES)

    assert len(world.publisher.sent) == RUNS


def test_a_queue_is_asked_once_for_all_that_wait_in_it() -> None:
    """Twenty unclaimed runs are one question, not twenty."""
    world = backlog()
    world.clock.advance(120)
    world.backlog.asked.clear()
    world.sweep()

    assert world.backlog.asked == ["normal-short"]


@pytest.mark.parametrize(("lost_until", "sent"), [(None, 0), (after(-600), 0), (after(1), RUNS)])
def test_a_backlog_holds_back_no_run_of_the_region_before(
    lost_until: datetime | None, sent: int
) -> None:
    """Its messages are in queues of that region: each run gets one here, and no second."""
    world = backlog()
    world.publisher.sent.clear()
    sweeping = replace(world.sweeping, lost_until=lambda: lost_until)
    # Due behind that region's time: none of them is in doubt.
    for each in world.attempts():
        world.tables.attempts[each.tenant, each.id] = replace(each, due_at=after(2))
    for _ in range(BACKLOG_MINUTES):
        world.clock.advance(60)
        sweep_shard(world.turn, sweeping, world.clock, owner="sweeper-1")
        world.stream()

    assert len(world.publisher.sent) == sent
