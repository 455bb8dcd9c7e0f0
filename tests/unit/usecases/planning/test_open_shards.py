"""Opening shards: the record comes before the first write."""

from tests.support.execution.executing import MINUTELY
from tests.support.execution.placing import first_shards, with_known_key
from tests.support.factories import (
    JOB_ID,
    NOW,
    TENANT,
    after,
    attempt_factory,
    attempt_id,
    job_id,
)
from tests.support.world import World
from timegate.domain.dispatch.shards import Opening, OpenShards
from timegate.ports.dispatch.shards import ShardPlacement
from timegate.usecases.planning.open_shards import ObedientSpread, OpeningSpread, open_shards


def test_the_first_writer_opens_the_shards_there_are() -> None:
    """Even while every tick is disabled: the record says since when."""
    world = World()
    spread = OpeningSpread(4, world.shards, world.clock)
    world.clock.advance(7)

    assert spread().shards == 4
    assert with_known_key(world.shards.read()) == first_shards(4, at=after(7))


def test_a_writer_that_has_fewer_leaves_the_others_open() -> None:
    """Old and new deployments write side by side; ticks serve what either uses."""
    world = World()
    spreads = [OpeningSpread(count, world.shards, world.clock)().shards for count in (4, 8, 2)]
    stored = world.shards.read()

    assert spreads == [4, 8, 2]
    assert stored is not None
    assert stored.count == 8


def test_two_that_open_at_once_both_get_their_own() -> None:
    """The second meets the first one's record and adds to it."""
    world = World()
    store, read = world.shards, world.shards.read

    def read_late() -> OpenShards | None:
        store.read = read  # type: ignore[method-assign]
        before = read()
        open_shards(6, store, world.clock)
        return before

    store.read = read_late  # type: ignore[method-assign]
    opened = open_shards(8, store, world.clock)

    assert opened.openings == (Opening(shards=6, at=NOW), Opening(shards=8, at=NOW))


def test_who_only_changes_runs_uses_no_shard_that_is_not_open() -> None:
    """It opens none: what it was told is used from its next process on."""
    world = World()
    open_shards(4, world.shards, world.clock)
    spread = ObedientSpread(8, world.shards)
    before = spread()
    open_shards(8, world.shards, world.clock)

    assert before.shards == 4
    assert spread() == before
    assert ObedientSpread(8, world.shards)().shards == 8
    assert ObedientSpread(2, world.shards)().shards == 2


def test_what_is_open_is_asked_once() -> None:
    """A process that writes a thousand runs reads the record for the first."""
    world = World()
    open_shards(4, world.shards, world.clock)
    spreads: list[ShardPlacement] = [
        OpeningSpread(4, world.shards, world.clock),
        ObedientSpread(4, world.shards),
    ]
    read = world.shards.read
    reads: list[int] = []

    def counted() -> OpenShards | None:
        reads.append(1)
        return read()

    world.shards.read = counted  # type: ignore[method-assign]

    assert [spread().shards for spread in spreads for _ in range(5)] == [4] * 10
    assert len(reads) == 2


def test_what_was_written_before_the_first_tick_is_found_however_long_ago() -> None:
    """Ticks were disabled for three days: the first one begins where the shard was opened."""
    world = World()
    world.spread = OpeningSpread(1, world.shards, world.clock)
    world.add_job(schedule=MINUTELY, anchored_at=NOW, next_run_at=after(60))
    world.runs.insert_all([attempt_factory(id=attempt_id(job=job_id("lost")))])
    world.clock.advance(3 * 86_400)
    for _ in range(4):
        world.tick()
    world.sweep()

    assert world.jobs.get(TENANT, JOB_ID).timing.next_run_at == after(3 * 86_400 + 660)
    assert world.telemetry.counts["WatchOverdue"] >= 1
    assert {each.watch_at > world.clock.now() for each in world.attempts() if each.watch_at} == {
        True
    }
