"""A freeze begins while a run is under way: what its holder says still counts (B4, N7)."""

from datetime import timedelta

import pytest

from tests.support.execution.executing import only, prepare
from tests.support.execution.restricting import freeze
from tests.support.factories import NOW, TENANT, after, attempt_factory
from tests.support.world import World
from timegate.domain.execution.call import Answer
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.restrictions.freeze import ThawPolicy
from timegate.domain.runs.run import RunState
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.hand_over import hand_over
from timegate.usecases.execution.record_ending import record_ending
from timegate.usecases.execution.supervise_run import HandedOver, Succeeded
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.execution_services import Claimed

#: The run may take a minute; the freeze lasts an hour.
TIMEOUT_SECONDS, FROZEN_SECONDS = 60, 3_600
AT_LEAST, AT_MOST = DeliveryMode.AT_LEAST_ONCE, DeliveryMode.AT_MOST_ONCE


def begun(world: World, *, thaw: ThawPolicy = ThawPolicy.SKIP, **fields: object) -> Claimed:
    """A run whose target has accepted it, and then a freeze."""
    message = prepare(world, attempt_factory(), timeout_seconds=TIMEOUT_SECONDS, **fields)
    execution = world.execution()
    (held,) = claim_runs([message], execution).held
    hand_over(held, HandedOver(started_at=NOW, silence_seconds=30), execution)
    freeze(world, 1, FROZEN_SECONDS, thaw)
    return held


def live(world: World, until: float) -> None:
    """Ticks of the sweeper and whatever follows from them, up to then."""
    while world.clock.now() < after(until):
        world.clock.advance(30)
        world.sweep()
        world.stream()
        world.execute(world.receive(), owner="another")


def say(world: World, held: Claimed) -> None:
    """Its last holder says that it is done."""
    execution = world.execution(owner=held.lease.owner)
    ending = Succeeded(started_at=NOW, answer=Answer(text="done"))
    completions = Completions(world.runs, world.telemetry, window_seconds=0)
    record_ending(held, ending, execution, completions)


@pytest.mark.parametrize("thaw", list(ThawPolicy), ids=str)
@pytest.mark.parametrize("at", [600, 3_500], ids=["soon", "late"])
def test_an_answer_counts_that_arrives_in_a_freeze(thaw: ThawPolicy, at: float) -> None:
    """Long after its lease and its timeout: no worker has taken the run over meanwhile."""
    world = World()
    held = begun(world, thaw=thaw)
    live(world, at)
    resting = only(world)
    say(world, held)
    live(world, FROZEN_SECONDS + 120)

    assert (resting.state, resting.fence) == (RunState.RUNNING, 1)
    assert (only(world).state, only(world).result) == (RunState.SUCCEEDED, "done")
    assert world.target.calls == []


@pytest.mark.parametrize("thaw", list(ThawPolicy), ids=str)
def test_a_run_that_had_begun_goes_on_after_the_freeze(thaw: ThawPolicy) -> None:
    """It is not left out, for it began before; nor has it timed out."""
    world = World()
    begun(world, thaw=thaw)
    live(world, FROZEN_SECONDS - 30)
    before = only(world).state
    live(world, FROZEN_SECONDS + 120)
    (run,) = world.attempts()

    assert (before, run.state, run.fence) == (RunState.RUNNING, RunState.SUCCEEDED, 2)
    assert len(world.target.calls) == 1


def test_a_redelivered_message_does_not_end_the_rest() -> None:
    """The queue returns it while the job is frozen: the run is left to its last holder."""
    world = World()
    message = prepare(world, attempt_factory(), timeout_seconds=TIMEOUT_SECONDS)
    (held,) = claim_runs([message], world.execution()).held
    freeze(world, 1, FROZEN_SECONDS, ThawPolicy.SKIP)
    world.clock.advance(100)
    world.execute([message], owner="another")
    say(world, held)

    assert only(world).state is RunState.SUCCEEDED


def test_what_is_not_begun_again_is_not_held_up() -> None:
    """At most once: that its worker died is on record in time, freeze or not."""
    world = World()
    begun(world, delivery=AT_MOST)
    live(world, 150)

    assert only(world).state is RunState.FAILED


def test_a_lifted_freeze_ends_the_rest_within_ten_minutes() -> None:
    """Other runs that it held back start as soon."""
    world = World()
    begun(world)
    live(world, 300)
    (frozen,) = world.restrictions.unended_freezes(TENANT, now=world.clock.now())
    world.restrictions.lift_freeze(TENANT, frozen.freeze_id, now=world.clock.now())
    live(world, 300 + timedelta(minutes=11).total_seconds())

    assert only(world).state is RunState.SUCCEEDED


def test_a_resting_run_costs_a_look_in_ten_minutes() -> None:
    """Other runs that a freeze holds back cost the same."""
    world = World()
    begun(world)
    live(world, 180)
    images = len(world.tables.images)
    live(world, FROZEN_SECONDS - 60)

    assert len(world.tables.images) - images <= 6
