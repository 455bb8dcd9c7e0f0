"""Overlap: what becomes of a run that is due while others hold all slots (J8)."""

from dataclasses import replace
from typing import Any

import pytest

from tests.support.execution.overlapping import (
    alive,
    claimed,
    due,
    finish,
    limited,
    slots_of,
    stored,
)
from tests.support.factories import after, attempt_factory, attempt_id, lease_factory, running
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.job import JobStatus
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.limits.slots import Slots
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import SlotLost
from timegate.domain.values.identity import OperationId
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.supervise_run import CallFailed, heartbeat

FORBID = limited(OverlapPolicy.FORBID)
QUEUE = limited(OverlapPolicy.QUEUE)
UNAVAILABLE = Failure(kind=FailureKind.RETRYABLE, code="http_503", type="Status", message="busy")


class Untouchable:
    """A slot store that no worker may use."""

    def __getattr__(self, name: str) -> object:
        message = f"{name} was called"
        raise AssertionError(message)


def test_a_job_without_a_policy_pays_nothing() -> None:
    """Claimed, renewed, retried, ended, refused and swept without a look at any slot."""
    world = World()
    world.slots = Untouchable()  # type: ignore[assignment]
    first, other = due(world, "a", Overlap()), due(world, "b", Overlap(), at=1)
    paused = due(world, "c", Overlap(), status=JobStatus.PAUSED, next_run_at=None)
    holder = claimed(world, first)
    assert holder is not None
    heartbeat(holder, world.execution(), now=after(1))
    finish(world, holder, CallFailed(started_at=after(1), failure=UNAVAILABLE))
    finish(world, claimed(world, other))
    claimed(world, paused)
    world.clock.advance(1000)
    world.sweep()

    assert stored(world, first).state is RunState.FAILED
    assert stored(world, other).state is RunState.SUCCEEDED
    assert stored(world, paused).state is RunState.SKIPPED


def test_forbidden_overlap_is_on_record() -> None:
    """Skipped, for the reason that others held all slots; its message is used up."""
    world = World()
    first, second = due(world, "a", FORBID), due(world, "b", FORBID)
    claimed(world, first)
    again = world.execute([delivery(RunMessage.of(second))])
    skipped = stored(world, second)

    assert again == set()
    assert (skipped.state, skipped.reason) == (RunState.SKIPPED, Reason.OVERLAP)
    assert world.telemetry.counts["RunsSkipped"] == 1
    assert world.target.calls == []


def test_a_run_that_an_operation_asked_for_waits_where_others_are_forbidden() -> None:
    """No operator backfills in order to have runs skipped; it is called when its turn has come."""
    world = World()
    first, second = due(world, "a", FORBID), due(world, "b", FORBID)
    backfilled = replace(second, operation=OperationId("an operation"))
    world.tables.put_attempt(backfilled)
    holder = claimed(world, first)
    claimed(world, backfilled)

    assert stored(world, second).state is RunState.WAITING
    finish(world, holder)
    assert stored(world, second).state is RunState.QUEUED


def test_a_run_that_had_started_does_not_claim_it_never_ran() -> None:
    """Its worker died and its slot went to another: it is cancelled."""
    world = World()
    first, second = due(world, "a", FORBID), due(world, "b", FORBID)
    claimed(world, first)
    world.clock.advance(61)
    claimed(world, second)
    claimed(world, first, owner="another")

    assert (stored(world, first).state, stored(world, first).reason) == (
        RunState.CANCELLED,
        Reason.OVERLAP,
    )


def test_a_job_has_slots_of_its_own() -> None:
    """Unless it names a key that others name too."""
    world = World()
    own = limited(OverlapPolicy.FORBID, key=None)

    assert claimed(world, due(world, "a", own))
    assert claimed(world, due(world, "b", own))


def test_a_free_slot_is_used_again() -> None:
    """Each end gives it back, and nothing is left behind."""
    world = World()
    for name in "abc":
        finish(world, claimed(world, due(world, name, FORBID)))

    assert set(world.states()) == {RunState.SUCCEEDED}
    assert slots_of(world, world.attempts()[0]) == Slots()


def test_one_batch_shares_the_slots_by_due_time() -> None:
    """Received together, in whatever order: a read and a write for all of them."""
    world = World()
    queue = limited(OverlapPolicy.QUEUE, 2)
    attempts = [due(world, f"{n}", queue, at=-n) for n in range(4)]
    messages = [delivery(RunMessage.of(each), n) for n, each in enumerate(attempts)]
    held = claim_runs(messages, world.execution()).held

    assert {each.attempt.id for each in held} == {attempts[3].id, attempts[2].id}
    assert [w.attempt for w in slots_of(world, attempts[0]).waiters] == [
        attempts[1].id,
        attempts[0].id,
    ]


def test_two_messages_of_one_attempt_take_one_slot() -> None:
    """In one batch; the second gives nothing back."""
    world = World()
    attempt = due(world, "a", limited(OverlapPolicy.QUEUE, 2))
    messages = [delivery(RunMessage.of(attempt), n) for n in range(2)]
    held = claim_runs(messages, world.execution()).held

    assert [each.delivery for each in held] == [messages[0]]
    assert len(slots_of(world, attempt).holders) == 1
    assert world.telemetry.counts["DuplicatesRefused"] == 1


def test_a_slot_is_free_between_two_attempts() -> None:
    """A retry stands in the line like every other attempt."""
    world = World()
    holder = claimed(world, due(world, "a", FORBID))
    finish(world, holder, CallFailed(started_at=after(0), failure=UNAVAILABLE))

    assert claimed(world, due(world, "b", FORBID))


def test_a_heartbeat_renews_the_slot() -> None:
    """The slot expires exactly with the lease."""
    world = World()
    holder = claimed(world, due(world, "a", FORBID))
    assert holder is not None
    world.clock.advance(20)
    heartbeat(holder, world.execution(owner=holder.lease.owner), now=after(20))
    (slot,) = slots_of(world, holder.attempt).holders
    lease = stored(world, holder.attempt).lease

    assert lease is not None
    assert slot.expires_at == lease.expires_at == after(80)


def test_an_expired_slot_is_lost_with_its_lease() -> None:
    """Another run may hold the slot: the worker stops, although no worker took over its attempt.

    The worker therefore keeps its message, unlike one that has lost the run.
    """
    world = World()
    holder = claimed(world, due(world, "a", FORBID))
    assert holder is not None
    world.clock.advance(60)
    with pytest.raises(SlotLost):
        heartbeat(holder, world.execution(owner=holder.lease.owner), now=after(60))

    assert alive(world) == []


def test_a_run_that_the_sweeper_stops_gives_its_slot_back() -> None:
    """Its worker heartbeats for ever; the next in the line is called."""
    world = World()
    old, new = due(world, "a", QUEUE, at=-1, timeout_seconds=20), due(world, "b", QUEUE)
    holder = claimed(world, old)
    assert holder is not None
    claimed(world, new)
    for beat in (20, 40, 60, 80, 100):
        world.clock.set(after(beat))
        heartbeat(holder, world.execution(owner=holder.lease.owner), now=after(beat))
    world.sweep()

    assert stored(world, old).state is RunState.TIMED_OUT
    assert slots_of(world, old).holders == ()
    assert claimed(world, stored(world, new))


def test_a_lost_claim_gives_its_slot_back() -> None:
    """A caller cancelled the run between the two writes."""
    world = World()
    attempt = due(world, "a", FORBID)
    claim_all = world.runs.claim_all

    def cancelled_first(claims: Any) -> Any:  # noqa: ANN401 - as the store has it
        world.runs.replace(attempt, end(attempt, RunState.CANCELLED, now=after(0)))
        return claim_all(claims)

    world.runs.claim_all = cancelled_first  # type: ignore[method-assign]

    assert claimed(world, attempt) is None
    assert slots_of(world, attempt) == Slots()


@pytest.mark.parametrize("policy", [OverlapPolicy.QUEUE, OverlapPolicy.REPLACE], ids=str)
def test_a_rescued_attempt_whose_slot_is_gone_waits(policy: OverlapPolicy) -> None:
    """Its worker died; it keeps its fence and loses its lease."""
    world = World()
    dead: Attempt = running(
        attempt_factory(id=attempt_id(job=due(world, "x", limited(policy)).id.run.job_id)),
        lease=lease_factory(expires_at=after(0)),
    )
    world.tables.put_attempt(dead)
    assert claimed(world, due(world, "a", limited(policy)))
    claimed(world, dead)
    waiting = stored(world, dead)

    assert (waiting.state, waiting.fence, waiting.lease) == (RunState.WAITING, 1, None)
