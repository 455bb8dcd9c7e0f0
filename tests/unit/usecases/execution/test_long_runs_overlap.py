"""Long runs and overlap: a run that goes on in slices keeps its slot between them."""

from dataclasses import replace

import pytest

from tests.support.api import api_services
from tests.support.execution.overlapping import alive, due, limited, slots_of, stored
from tests.support.factories import after
from tests.support.targets.slicing import HOURS, RowTarget, go_on, recover, slicing
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.execution.cancel_run import cancel_run


def test_the_slot_stays_taken_between_slices() -> None:
    """Another run that is due meanwhile waits until the whole run is over."""
    world, target = slicing()
    long = due(world, "long", limited(OverlapPolicy.QUEUE), long_run=HOURS)
    other = due(world, "other", limited(OverlapPolicy.QUEUE), at=1, long_run=HOURS)
    world.stream()
    first, second = world.receive()
    world.execute([first], owner="a")

    assert stored(world, long).state is RunState.QUEUED
    assert len(slots_of(world, long).holders) == 1

    world.execute([second], owner="b")

    assert stored(world, other).state is RunState.WAITING

    go_on(world, rounds=12)

    assert stored(world, other).state is RunState.SUCCEEDED
    assert {call.attempt for call in target.calls[:4]} == {long.id}
    assert slots_of(world, long).holders == ()


def test_a_cancel_between_slices_frees_the_slot() -> None:
    """At once, however long the next slice was to wait; and the waiter is called."""
    world, _ = slicing(RowTarget(delay_seconds=3_000))
    long = due(world, "long", limited(OverlapPolicy.QUEUE), long_run=HOURS)
    other = due(world, "other", limited(OverlapPolicy.QUEUE), at=1, long_run=HOURS)
    world.stream()
    world.execute(world.receive(), owner="a")
    cancel_run(long.tenant, long.id.run, api_services(world), now=world.clock.now())
    go_on(world)

    assert stored(world, long).state is RunState.CANCELLED
    assert stored(world, other).slices.ended == 1


def test_one_that_replaces_others_ends_a_run_between_its_slices() -> None:
    """It has no worker to hear it, so it comes at once and is ended."""
    world, _ = slicing(RowTarget(delay_seconds=3_000))
    policy = limited(OverlapPolicy.REPLACE)
    long = due(world, "long", policy, long_run=HOURS)
    world.stream()
    world.execute(world.receive(), owner="a")
    other = due(world, "other", policy, at=4, long_run=HOURS)
    go_on(world, rounds=4)

    assert (stored(world, long).state, stored(world, long).reason) == (
        RunState.CANCELLED,
        Reason.REPLACED,
    )
    assert stored(world, other).slices.ended == 1
    assert len(alive(world)) == 0


def test_a_run_that_lost_its_slot_between_slices_stands_in_line() -> None:
    """Although its policy forbids others to: it has begun."""
    world, target = slicing()
    policy = limited(OverlapPolicy.FORBID)
    long = due(world, "long", policy, long_run=HOURS)
    world.stream()
    world.execute(world.receive(), owner="a")
    # A backlog: no worker comes for longer than the slot is kept.
    world.stream()
    late = world.receive()
    world.clock.advance(301)
    other = due(world, "other", policy, at=304, long_run=HOURS)
    world.stream()
    world.execute(world.receive(), owner="b")
    world.execute(late, owner="c")

    assert stored(world, other).slices.ended == 1
    assert stored(world, long).state is RunState.WAITING

    recover(world, rounds=30)

    assert stored(world, long).state is RunState.SUCCEEDED
    assert sorted(target.copied) == sorted([*range(7)] * 2)


@pytest.mark.parametrize(
    ("at", "state"),
    [
        pytest.param(502.9, RunState.WAITING, id="kept"),
        pytest.param(503, RunState.QUEUED, id="lapsed"),
    ],
)
def test_a_slot_is_kept_until_the_next_slice_and_five_minutes(at: float, state: RunState) -> None:
    """Far longer than any lease: a delay is no gap, and a backlog is not one at once."""
    world, _ = slicing(RowTarget(delay_seconds=200))
    due(world, "long", limited(OverlapPolicy.QUEUE), long_run=HOURS)
    world.stream()
    world.execute(world.receive(), owner="a")
    world.stream()
    # No worker comes for the next slice.
    world.publisher.sent.clear()
    world.clock.wait_until(after(at))
    other = due(world, "other", limited(OverlapPolicy.QUEUE), at=at, long_run=HOURS)
    world.stream()
    world.execute(world.receive(), owner="b")

    assert stored(world, other).state is state


@pytest.mark.parametrize("key", ["another", None], ids=["another key", "no key of its own"])
@pytest.mark.parametrize("is_cancelled", [False, True], ids=["goes on", "is cancelled"])
def test_a_slot_is_freed_when_its_key_was_given_up_between_slices(
    key: str | None, *, is_cancelled: bool
) -> None:
    """At the next slice, or at the cancel: others waited until five minutes after that was due."""
    world, _ = slicing()
    long = due(world, "long", limited(OverlapPolicy.QUEUE), long_run=HOURS)
    other = due(world, "other", limited(OverlapPolicy.QUEUE), at=1, long_run=HOURS)
    world.stream()
    first, second = world.receive()
    world.execute([first], owner="a")
    world.execute([second], owner="b")
    job = world.jobs.get(long.tenant, long.id.run.job_id)
    timing = replace(job.timing, version=job.timing.version + 1)
    world.jobs.update(
        job, replace(job, timing=timing, overlap=limited(OverlapPolicy.QUEUE, key=key))
    )
    if is_cancelled:
        cancel_run(long.tenant, long.id.run, api_services(world), now=world.clock.now())
    go_on(world, rounds=2)
    holders = {each.hold.attempt for each in slots_of(world, long).holders}

    assert stored(world, other).slices.ended > 0
    assert long.id not in holders


def test_a_slot_of_the_same_key_is_kept_through_an_edit() -> None:
    """Its next slice takes it over."""
    world, _ = slicing()
    long = due(world, "long", limited(OverlapPolicy.QUEUE), long_run=HOURS)
    world.stream()
    world.execute(world.receive(), owner="a")
    job = world.jobs.get(long.tenant, long.id.run.job_id)
    timing = replace(job.timing, version=job.timing.version + 1)
    world.jobs.update(job, replace(job, timing=timing, name="renamed"))
    go_on(world, rounds=1)

    assert [each.hold.attempt for each in slots_of(world, long).holders] == [long.id]
