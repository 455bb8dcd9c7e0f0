"""Waiting for a slot: one line per key, by due time."""

from dataclasses import replace
from typing import Any

from tests.support.execution.overlapping import claimed, due, finish, limited, slots_of, stored
from tests.support.factories import after
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.job import JobStatus
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Reason, RunState
from timegate.usecases.execution.claims.claim_runs import claim_runs

FORBID = limited(OverlapPolicy.FORBID)
QUEUE = limited(OverlapPolicy.QUEUE)
REPLACE = limited(OverlapPolicy.REPLACE)


def test_a_queued_overlap_waits_and_its_message_is_used_up() -> None:
    """It has not ended; the sweeper looks at it within a minute."""
    world = World()
    first, second = due(world, "a", QUEUE), due(world, "b", QUEUE)
    claimed(world, first)
    again = world.execute([delivery(RunMessage.of(second))])
    waiting = stored(world, second)

    assert again == set()
    assert (waiting.state, waiting.reason, waiting.watch_at) == (RunState.WAITING, None, after(60))
    assert world.publisher.sent == []


def test_turns_are_taken_by_due_time() -> None:
    """However the messages arrive; each end publishes the next, and only that one."""
    world = World()
    holder = claimed(world, due(world, "a", QUEUE, at=-9))
    by_due_time = [due(world, f"{n}", QUEUE, at=n - 5) for n in range(4)]
    world.stream()
    world.receive()
    for attempt in reversed(by_due_time):
        claimed(world, attempt)
    order = []
    for _ in by_due_time:
        finish(world, holder)
        world.stream()
        (received,) = world.receive()
        order.append(received.message.attempt)
        (holder,) = claim_runs([received], world.execution(owner="next")).held

    assert order == [attempt.id for attempt in by_due_time]


def test_a_later_run_never_overtakes_one_that_waits() -> None:
    """Although the slot is free at that moment."""
    world = World()
    first, early = due(world, "a", QUEUE, at=-9), due(world, "b", QUEUE, at=-5)
    late = due(world, "c", QUEUE)
    holder = claimed(world, first)
    claimed(world, early)
    finish(world, holder)

    assert claimed(world, late) is None
    assert stored(world, late).state is RunState.WAITING
    assert claimed(world, stored(world, early))


def test_one_that_was_cancelled_while_it_waited_holds_up_no_other() -> None:
    """Neither of the line behind it nor of a job that forbids overlap."""
    world = World()
    first, early = due(world, "a", QUEUE, at=-9), due(world, "b", QUEUE, at=-5)
    late = due(world, "c", FORBID)
    holder = claimed(world, first)
    claimed(world, early)
    finish(world, holder)
    queued = stored(world, early)
    world.runs.replace(queued, end(queued, RunState.CANCELLED, now=after(1)))

    assert claimed(world, late)
    assert slots_of(world, late).waiters == ()


def test_the_dead_in_the_line_are_passed_over() -> None:
    """The first who still waits is called."""
    world = World()
    holder = claimed(world, due(world, "a", QUEUE, at=-90))
    waiting = [due(world, f"{n}", QUEUE, at=n - 50) for n in range(40)]
    for attempt in waiting:
        claimed(world, attempt)
    for attempt in waiting[:-1]:
        now = stored(world, attempt)
        world.runs.replace(now, end(now, RunState.CANCELLED, now=after(1)))
    finish(world, holder)

    assert stored(world, waiting[-1]).state is RunState.QUEUED
    assert [w.attempt for w in slots_of(world, waiting[0]).waiters] == [waiting[-1].id]


def test_one_that_is_called_as_it_begins_to_wait_is_published_again() -> None:
    """It is queued still, and the message that it had is used up with its wait."""
    world = World()
    holder = claimed(world, due(world, "a", QUEUE, at=-9))
    early = due(world, "b", QUEUE)
    claimed(world, early)
    world.tables.put_attempt(replace(early, direct=True))
    world.stream()
    world.receive()
    finish(world, holder)
    world.stream()

    assert [each.message.attempt for each in world.receive()] == [early.id]


def test_one_that_may_not_run_when_its_turn_comes_calls_the_next() -> None:
    """Its job was paused meanwhile."""
    world = World()
    holder = claimed(world, due(world, "a", QUEUE, at=-9))
    early, late = due(world, "b", QUEUE, at=-5), due(world, "c", QUEUE)
    claimed(world, early)
    claimed(world, late)
    key = early.tenant, early.id.run.job_id
    job = world.tables.jobs[key]
    world.tables.jobs[key] = replace(job, timing=replace(job.timing, status=JobStatus.PAUSED))
    finish(world, holder)
    claimed(world, stored(world, early))

    assert stored(world, early).reason is Reason.PAUSED
    assert stored(world, late).state is RunState.QUEUED


def test_a_run_is_replaced_within_a_heartbeat() -> None:
    """It stops, its successor is published, and runs."""
    world = World()
    old, new = due(world, "a", REPLACE, at=-60), due(world, "b", REPLACE)
    world.call_runner.takes = None
    world.target.calls.clear()
    invoke = world.call_runner.start

    def start(call: Any) -> Any:  # noqa: ANN401 - as the call runner has it
        if call.attempt == old.id:
            assert claimed(world, new) is None
        return invoke(call)

    world.call_runner.start = start  # type: ignore[method-assign]
    world.execute([delivery(RunMessage.of(old))])
    stopped = stored(world, old)
    assert (stopped.state, stopped.ended_at) == (RunState.CANCELLED, after(20))
    assert (stopped.reason, stopped.replaced_by) == (Reason.REPLACED, new.id.run)
    holder = claimed(world, stored(world, new))

    assert stored(world, new).state is RunState.RUNNING
    finish(world, holder)


def test_the_oldest_of_several_is_replaced() -> None:
    """One for each that waits."""
    world = World()
    replacing = limited(OverlapPolicy.REPLACE, 3)
    old = []
    for name in "abc":
        old.append(due(world, name, replacing, at=-60))
        assert claimed(world, old[-1])
        world.clock.advance(1)
    claimed(world, first := due(world, "d", replacing))
    asked_once = [stored(world, each).cancel_requested for each in old]
    claimed(world, second := due(world, "e", replacing, at=1))

    assert asked_once == [True, False, False]
    assert [stored(world, each).cancel_requested for each in old] == [True, True, False]
    # One that was asked to stop is not asked again.
    assert [stored(world, each).replaced_by for each in old] == [first.id.run, second.id.run, None]
