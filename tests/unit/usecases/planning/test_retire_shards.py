"""Closing shards: only what is empty, and never while a process may write there."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from tests.support.execution.executing import MINUTELY
from tests.support.execution.placing import first_shards, placed
from tests.support.factories import NOW, after, attempt_factory, attempt_id, job_id
from tests.support.operations.started_operations import operation_factory
from tests.support.ruling import put_rule
from tests.support.stores.records import JOBS_TABLE
from tests.support.world import World
from timegate.domain.dispatch.shards import OpenShards
from timegate.domain.runs.run import RunState
from timegate.ports.dispatch.shards import Resident
from timegate.usecases.planning.open_shards import ObedientSpread, OpeningSpread
from timegate.usecases.planning.retire_shards import (
    Emptied,
    begin_closing,
    close_shards,
    empty_shards,
)

#: Jobs of shard 5 of 8: in shard 1 of two.
NAMES = [name for name in map(str, range(200)) if placed(8).shard_of(job_id(name)) == 5]


def lowered(*next_runs: float) -> World:
    """A world in which eight shards were used and two are; a job for each of these instants."""
    world = World()
    world.shards.replace(None, first_shards(8, at=NOW))
    world.spread = OpeningSpread(8, world.shards, world.clock)
    for name, at in zip(NAMES, next_runs, strict=False):
        world.add_job(
            job_id=job_id(name), schedule=MINUTELY, anchored_at=after(-3600), next_run_at=after(at)
        )
    world.spread = OpeningSpread(2, world.shards, world.clock)
    return world


def announce(world: World) -> OpenShards:
    """Let all but two be closed."""
    announced = begin_closing(2, world.shards)
    assert announced is not None
    return announced


@pytest.mark.parametrize("keep", [8, 9])
def test_nothing_is_closed_that_is_in_use(keep: int) -> None:
    """All that are open are written to."""
    world = lowered()

    assert begin_closing(keep, world.shards) is None
    assert begin_closing(2, World().shards) is None


def test_a_job_of_the_far_future_moves_and_its_shard_is_closed() -> None:
    """It waits for the same instant, served by those that are left."""
    world = lowered(86_400.0, 3600.0)
    announced = announce(world)
    emptied = empty_shards(announced, world.census, world.clock)
    closed = close_shards(announced, world.census, world.shards)

    assert emptied == Emptied(moved=2, left=0, unserved=0)
    assert closed
    assert world.shards.read() == first_shards(2, at=NOW)
    assert {shard for (_, shard), _ in world.tables.due.values()} == {1}
    assert {at for _, at in world.tables.due.values()} == {after(86_400), after(3600)}


def test_each_shard_that_closes_is_emptied_from_the_first_one_on() -> None:
    """Jobs of those that stay are left where they are."""
    world = lowered()
    world.spread = lambda: placed(8)
    names = {placed(8).shard_of(job_id(name)): name for name in map(str, range(200))}
    for name in names.values():
        world.add_job(job_id=job_id(name), next_run_at=after(86_400))
    announced = announce(world)
    was_closed = close_shards(announced, world.census, world.shards)
    emptied = empty_shards(announced, world.census, world.clock)

    assert len(names) == 8
    assert not was_closed
    assert emptied == Emptied(moved=6, left=0, unserved=0)


def test_a_job_of_the_first_shard_that_closes_keeps_it_open() -> None:
    """No planner serves it once it is closed."""
    world = lowered()
    world.spread = lambda: placed(8)
    name = next(name for name in map(str, range(200)) if placed(8).shard_of(job_id(name)) == 2)
    world.add_job(job_id=job_id(name), next_run_at=after(86_400))

    assert not close_shards(announce(world), world.census, world.shards)


def test_what_waits_in_no_shard_is_passed_over() -> None:
    """Operations under way, and watches over rules and absences, have buckets of their own."""
    world = lowered(86_400.0)
    world.operations.create(operation_factory())
    put_rule(world)
    announced = announce(world)
    emptied = empty_shards(announced, world.census, world.clock)
    buckets = {each.get("due_bucket") for each in world.tables.engine.items(JOBS_TABLE)}

    assert buckets >= {"operations", "rules"}
    assert emptied == Emptied(moved=1, left=0, unserved=0)
    assert close_shards(announced, world.census, world.shards)


@pytest.mark.parametrize(("at", "moved"), [(899.999, 0), (900, 1)], ids=["soon", "later"])
def test_what_is_due_soon_is_left_to_its_planner(at: float, moved: int) -> None:
    """Its planner may move it by planning it; until then its shard stays open."""
    world = lowered(at)
    announced = announce(world)
    emptied = empty_shards(announced, world.census, world.clock)
    closed = close_shards(announced, world.census, world.shards)

    assert emptied == Emptied(moved=moved, left=1 - moved, unserved=0)
    assert closed == bool(moved)


def test_a_pass_that_takes_long_asks_the_clock_again() -> None:
    """A job due soon by then is left to its planner, which may have passed its bucket."""
    world = lowered(1000.0)
    announced = announce(world)
    found = list(world.census.residents())

    def slowly() -> Iterator[Resident]:
        yield from found
        world.clock.advance(101)

    world.census.residents = slowly  # type: ignore[method-assign]

    assert Emptied(moved=0, left=1, unserved=0) == empty_shards(
        announced, world.census, world.clock
    )


@pytest.mark.parametrize("state", [RunState.WAITING, RunState.QUEUED])
def test_a_run_moves_only_while_it_waits(state: RunState) -> None:
    """One that was published ends soon, or is moved by the sweeper."""
    world = lowered()
    world.spread = lambda: placed(8)
    run = attempt_id(job=job_id(NAMES[0]))
    world.runs.insert_all([attempt_factory(id=run, state=state, watch_at=after(3600))])
    announced = announce(world)
    emptied = empty_shards(announced, world.census, world.clock)

    assert emptied.moved == (state is RunState.WAITING)
    assert close_shards(announced, world.census, world.shards) == (state is RunState.WAITING)


def test_who_wants_the_shards_again_takes_the_announcement_back() -> None:
    """A deployment raised the number while the operator was closing: nothing is closed."""
    world = lowered(86_400.0)
    announced = announce(world)
    empty_shards(announced, world.census, world.clock)
    again = OpeningSpread(8, world.shards, world.clock)()

    assert again == placed(8)
    assert not close_shards(announced, world.census, world.shards)
    assert world.shards.read() == first_shards(8, at=NOW)


def test_who_only_changes_runs_begins_to_use_no_shard_that_is_being_closed() -> None:
    """Its first write obeys the announcement, not the number it was deployed with."""
    world = lowered()
    announce(world)

    assert ObedientSpread(8, world.shards)() == placed(2)


def test_what_waits_in_no_open_shard_is_reported_and_brought_back() -> None:
    """It can only be there by an operator's hand; the pass finds it all the same."""
    world = lowered(86_400.0)
    world.spread = lambda: placed(64)
    astray = next(n for n in map(str, range(2000)) if placed(64).shard_of(job_id(n)) == 8)
    world.add_job(job_id=job_id(astray), next_run_at=after(86_400))
    emptied = empty_shards(announce(world), world.census, world.clock)

    assert emptied == Emptied(moved=2, left=0, unserved=1)
    assert {shard for (_, shard), _ in world.tables.due.values()} <= {0, 1}


def test_a_shard_that_is_opened_again_goes_on_where_it_was_left() -> None:
    """Its cursor is older than its closing, so whatever was left there is found."""
    world = lowered(86_400.0)
    opened_at: list[datetime] = []
    announced = announce(world)
    empty_shards(announced, world.census, world.clock)
    close_shards(announced, world.census, world.shards)
    world.clock.advance(7200)
    OpeningSpread(8, world.shards, world.clock)()
    stored = world.shards.read()
    assert stored is not None
    opened_at += [stored.opened_at(shard) for shard in (1, 5)]

    assert opened_at == [NOW, after(7200)]
