"""The sweeper's tick: records without a look are looked at."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from tests.support.factories import NOW, after, attempt_factory, lease_factory, running
from tests.support.world import World
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.ports.dispatch.cursors import Watcher
from timegate.ports.stores import AttemptRef, Loaded


def swept(attempt: Attempt, *, at: float, world: World | None = None) -> World:
    """A world with one attempt in it, swept so many seconds from now."""
    world = world or World()
    world.add_job(retry=RetryPolicy(max_attempts=2, initial_delay_seconds=30, jitter=False))
    world.runs.insert_all([attempt])
    world.read_images = len(world.tables.images)
    world.clock.set(after(at))
    world.sweep()
    return world


def only(world: World) -> Attempt:
    """The one attempt there is."""
    (attempt,) = world.attempts()
    return attempt


@pytest.mark.parametrize(("at", "published"), [(9.999, 0), (10, 1)], ids=["patient", "due"])
def test_a_lost_message_is_published_again(at: float, published: int) -> None:
    """Ten seconds after its creator should have published it, by a touch of the sweeper."""
    world = swept(attempt_factory(direct=True, watch_at=after(10)), at=at)
    world.stream()

    assert len(world.publisher.sent) == published
    assert only(world).state is RunState.QUEUED


def test_sweeping_twice_publishes_once() -> None:
    """The first sweep puts the next look off."""
    world = swept(attempt_factory(), at=90)
    world.sweep()
    world.stream()

    assert len(world.publisher.sent) == 1


@pytest.mark.parametrize(("at", "published"), [(900, 0), (901, 1)], ids=["backlog", "too long"])
def test_a_backlog_is_not_amplified(at: float, published: int) -> None:
    """While its queue is busy a run is most likely in it; after fifteen minutes that is doubted."""
    world = World()
    world.backlog.busy.add("normal-short")
    swept(attempt_factory(), at=at, world=world)
    world.stream()

    assert len(world.publisher.sent) == published


@pytest.mark.parametrize(("at", "state"), [(599, "waiting"), (600, "queued")], ids=["far", "near"])
def test_a_waiting_attempt_is_queued_ten_minutes_ahead(at: float, state: str) -> None:
    """From there on a queue can hold it."""
    world = swept(attempt_factory(due_at=after(1200)), at=at)
    world.stream()

    assert only(world).state == state
    assert len(world.publisher.sent) == (state == "queued")


def test_a_waiting_attempt_found_late_is_not_published_twice() -> None:
    """Its next look is a patience from now, not from its instant."""
    world = swept(attempt_factory(due_at=after(1200)), at=2000)
    world.sweep()
    world.stream()

    assert len(world.publisher.sent) == 1
    assert only(world).watch_at == after(2060)


def test_a_dead_workers_run_goes_back_to_its_queue() -> None:
    """No worker renewed its lease and no message came back for it."""
    abandoned = running(lease=lease_factory(expires_at=after(60)))
    world = swept(replace(abandoned, watch_at=after(65)), at=90)
    world.stream()

    assert only(world).state is RunState.QUEUED
    assert only(world).fence == 1
    assert len(world.publisher.sent) == 1
    assert world.telemetry.counts["LeasesRescued"] == 1
    (told,) = world.telemetry.named("run_swept")
    assert told.fields["held_by"] == lease_factory().owner


@pytest.mark.parametrize(("at", "rescued"), [(69.999, False), (70, True)], ids=str)
def test_a_lease_is_given_ten_seconds_beyond_its_expiry(at: float, *, rescued: bool) -> None:
    """A redelivered message takes over first, which costs less."""
    held = running(lease=lease_factory(expires_at=after(60), deadline_at=after(600)))
    world = swept(replace(held, watch_at=after(61)), at=at)

    assert (only(world).state is RunState.QUEUED) is rescued


def test_a_run_that_outlives_its_timeout_is_stopped() -> None:
    """However faithfully its worker renews the lease; a retry follows."""
    zombie = running(lease=lease_factory(expires_at=after(200), deadline_at=after(30)))
    world = swept(zombie, at=90)
    first, second = world.attempts()

    assert (first.state, first.reason) == (RunState.TIMED_OUT, Reason.RETRIED)
    assert second.due_at == after(120)


def test_what_kills_its_workers_is_buried() -> None:
    """Five leases, none of them ended well, and only the first beside other runs."""
    killer = running(lease=lease_factory(fence=5, expires_at=NOW))
    world = swept(replace(killer, alone=4), at=90)

    assert (only(world).state, only(world).reason) == (
        RunState.DEAD_LETTERED,
        Reason.KILLS_WORKERS,
    )


def test_what_others_killed_is_not_buried() -> None:
    """One of its five leases too many was taken beside other runs."""
    beside = running(lease=lease_factory(fence=5, expires_at=NOW))
    world = swept(replace(beside, alone=3), at=90)

    assert only(world).state is RunState.QUEUED


def test_a_live_long_run_is_looked_at_again_after_its_lease() -> None:
    """Nothing is wrong, so nothing but the next look changes."""
    held = running(lease=lease_factory(expires_at=after(150), deadline_at=after(3600)))
    world = swept(held, at=90)

    assert only(world) == replace(held, watch_at=after(160))


def test_a_run_that_ended_meanwhile_is_left_alone() -> None:
    """The index showed it a moment longer than it was true."""
    world = World()
    ended = replace(running(), state=RunState.SUCCEEDED, watch_at=None, ended_at=NOW)
    swept(ended, at=90, world=world)

    assert only(world).state is RunState.SUCCEEDED


def test_an_outage_of_the_sweeper_loses_nothing() -> None:
    """Its watermark stays where it was, and the buckets since then are read."""
    world = World()
    world.sweep()
    swept(attempt_factory(), at=7200, world=world)
    world.stream()

    assert len(world.publisher.sent) == 1


@pytest.mark.parametrize(
    ("minutes", "published"), [(18, 0), (19, 1)], ids=["its writers may live", "they are dead"]
)
def test_what_was_entered_behind_the_watermark_is_found_by_a_second_look(
    minutes: int, published: int
) -> None:
    """Its writer read the clock and then paused as long as Lambda lets a process run.

    A run entered under the second minute is looked at 17 minutes after that minute's end.
    """
    world = World()
    world.add_job()
    for minute in range(minutes + 1):
        world.clock.set(after(60 * minute))
        if minute == 15:
            world.runs.insert_all([attempt_factory(direct=True)])
        world.sweep()
    world.stream()

    assert len(world.publisher.sent) == published


def test_one_sweeper_has_a_shard_at_a_time() -> None:
    """Two at once would change nothing twice, but cost twice."""
    world = World()
    until = NOW + timedelta(seconds=55)
    world.cursors.acquire(Watcher.SWEEPER, 0, owner="other", now=NOW, until=until)

    assert world.sweep() is None


def test_what_is_cancelled_while_it_is_timed_out_is_not_tried_again() -> None:
    """The request came between the sweeper's read and its write."""
    world = World()
    load_all = world.runs.load_all

    def then_cancelled(refs: Sequence[AttemptRef]) -> list[Loaded]:
        loaded = load_all(refs)
        for attempt in world.attempts():
            world.tables.put_attempt(replace(attempt, cancel_requested=True))
        return loaded

    world.runs.load_all = then_cancelled  # type: ignore[method-assign]
    late = lease_factory(fence=1, expires_at=after(300))
    swept(running(lease=late), at=200, world=world)

    assert (only(world).state, only(world).reason) == (
        RunState.CANCELLED,
        Reason.CANCEL_REQUESTED,
    )
