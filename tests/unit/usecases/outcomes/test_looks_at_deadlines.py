"""Each change of a run with a deadline keeps the sweeper's look early enough."""

from dataclasses import replace
from datetime import timedelta

from tests.support.execution.deadlines import due_run, stored
from tests.support.execution.overlapping import claimed
from tests.support.factories import NOW, after, attempt_factory, running
from tests.support.world import World
from timegate.domain.execution.long_run import next_slice
from timegate.domain.execution.restriction_check import PutOff, put_off
from timegate.domain.jobs.slices import Continuation, LongRun
from timegate.domain.limits.overlap import Overlap, OverlapPolicy, SlotKey
from timegate.domain.limits.slots import Holder, SlotHold, Slots
from timegate.domain.runs.finish import Finish
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.execution.hand_over import hand_over
from timegate.usecases.execution.supervise_run import HandedOver, heartbeat

FINISH = Finish(by=after(20), is_judged=True)
#: A look behind the deadline.
BEHIND = after(20.001)


def test_a_run_whose_next_slice_begins_too_late_is_looked_at_at_once() -> None:
    """The hook has news to receive."""
    attempt = replace(running(), finish=FINISH)
    following = next_slice(
        attempt,
        Continuation(delay_seconds=600),
        LongRun(max_duration_seconds=3600),
        started_at=NOW,
        checkpoint=None,
        now=NOW,
    )

    assert following.watch_at == NOW


def test_a_run_that_is_put_off_too_far_is_looked_at_at_once() -> None:
    """By a calendar for an hour."""
    attempt = attempt_factory(finish=FINISH)
    later = put_off(attempt, PutOff(due_at=after(3600), reason=Reason.EXCLUDED), now=NOW)

    assert (later.state, later.watch_at) == (RunState.WAITING, NOW)


def test_a_run_in_a_line_is_looked_at_behind_its_deadline(world: World) -> None:
    """Its slot may be held for long."""
    overlap = Overlap(policy=OverlapPolicy.QUEUE)
    attempt = due_run(world, within=20, overlap=overlap)
    other = replace(attempt.id, run=replace(attempt.id.run, scheduled_at=after(-600)))
    key = SlotKey(tenant=attempt.tenant, name=attempt.id.run.job_id)
    hold = SlotHold(attempt=other, owner="another", fence=1)
    held = Slots(holders=(Holder(hold=hold, since=NOW, expires_at=after(900)),))
    world.slots.change(key, lambda _: (held, None), now=NOW)

    assert claimed(world, attempt) is None
    assert (stored(world, attempt).state, stored(world, attempt).watch_at) == (
        RunState.WAITING,
        BEHIND,
    )


def test_a_target_that_works_on_by_itself_is_looked_at_behind_the_deadline(world: World) -> None:
    """It may be silent for an hour."""
    attempt = due_run(world, within=20, timeout_seconds=800, resource_class="long")
    held = claimed(world, attempt)
    assert held is not None
    resting = replace(held, attempt=replace(stored(world, attempt), watch_at=after(3600)))
    world.tables.put_attempt(resting.attempt)
    hand_over(resting, HandedOver(started_at=NOW, silence_seconds=3600), world.execution())

    assert stored(world, attempt).watch_at == BEHIND


def test_a_heartbeat_after_a_long_look_brings_it_behind_the_deadline(world: World) -> None:
    """Its look was moved by a freeze, far behind the lease."""
    attempt = due_run(world, within=20, timeout_seconds=800, resource_class="long")
    held = claimed(world, attempt)
    assert held is not None
    resting = replace(held, attempt=replace(held.attempt, watch_at=after(3600)))
    world.clock.advance(10)
    heartbeat(resting, world.execution(owner=held.lease.owner), now=NOW + timedelta(seconds=10))

    assert stored(world, attempt).watch_at == BEHIND
