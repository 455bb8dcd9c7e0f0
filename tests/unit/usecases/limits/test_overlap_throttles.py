"""Overlap, and a store that refuses for load: no slot stays taken for a claim that never was."""

from contextlib import nullcontext
from typing import Any
from unittest.mock import Mock

import pytest

from tests.support.api import api_services
from tests.support.execution.overlapping import (
    alive,
    claimed,
    due,
    finish,
    limited,
    slots_of,
    stored,
)
from tests.support.factories import after
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.limits.overlap import OverlapPolicy
from timegate.domain.limits.slots import Slots
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Throttled
from timegate.usecases.execution.reschedule_run import NewInstant, reschedule_run

FORBID = limited(OverlapPolicy.FORBID)


def test_a_batch_that_meets_a_throttle_takes_no_slot_with_it() -> None:
    """Its messages come back in two seconds, and must not find their own slots taken."""
    world = World()
    mine, other = due(world, "a", FORBID), due(world, "b", limited(OverlapPolicy.FORBID, key="x"))
    change = world.slots.change

    def throttled(key: Any, *args: Any, **kwargs: Any) -> Any:  # noqa: ANN401
        if key.name == "x":
            raise Throttled("busy")
        return change(key, *args, **kwargs)

    world.slots.change = throttled  # type: ignore[method-assign]
    again = world.execute([delivery(RunMessage.of(mine), 0), delivery(RunMessage.of(other), 1)])

    assert again == {"message-0", "message-1"}
    assert slots_of(world, mine) == Slots()


@pytest.mark.parametrize(
    ("failure", "again"),
    [
        pytest.param(Throttled("busy"), {"message-0", "message-1"}, id="throttled"),
        pytest.param(OSError("the network is gone"), None, id="failed"),
    ],
)
@pytest.mark.parametrize("written", [0, 1], ids=["none-written", "one-written"])
def test_claims_that_were_not_decided_keep_no_slot(
    written: int, failure: Exception, again: set[str] | None
) -> None:
    """Claims written before the refusal keep their slots: their leases are alive."""
    world = World()
    first, second = due(world, "a", FORBID), due(world, "b", limited(OverlapPolicy.FORBID, key="x"))
    claim_all = world.runs.claim_all

    def in_part(claims: Any) -> Any:  # noqa: ANN401 - as the store has it
        claim_all(claims[:written])
        raise failure

    world.runs.claim_all = in_part  # type: ignore[method-assign]
    messages = [delivery(RunMessage.of(first), 0), delivery(RunMessage.of(second), 1)]
    with nullcontext() if again is not None else pytest.raises(OSError, match="network"):
        assert world.execute(messages) == again

    assert len(slots_of(world, first).holders) == len(alive(world)) == written
    assert slots_of(world, second, "x") == Slots()


def test_slots_of_claims_that_no_worker_can_look_at_expire() -> None:
    """The store refuses that as well; its first refusal is what counts."""
    world = World()
    attempt = due(world, "a", FORBID)
    load_all = world.runs.load_all

    def throttled(_: object) -> None:
        world.runs.load_all = throttled  # type: ignore[assignment,method-assign]
        raise Throttled("busy")

    world.runs.claim_all = throttled  # type: ignore[assignment,method-assign]
    again = world.execute([delivery(RunMessage.of(attempt))])
    world.runs.load_all = load_all  # type: ignore[method-assign]

    assert again == {"message-0"}
    assert [event.fields for event in world.telemetry.named("slots_not_released")] == [
        {"slots": 1, "code": "throttled"}
    ]
    (slot,) = slots_of(world, attempt).holders
    assert slot.expires_at == after(60)


def test_a_run_is_rescheduled_although_it_cannot_leave_its_line() -> None:
    """One that stays in the line is passed over once it is called."""
    world = World()
    waiting = due(world, "b", limited(OverlapPolicy.QUEUE))
    claimed(world, due(world, "a", FORBID))
    claimed(world, waiting)
    world.slots.withdraw = Mock(side_effect=Throttled("busy"))  # type: ignore[method-assign]
    new = NewInstant(tenant=waiting.tenant, run=waiting.id.run, due_at=after(3600))
    reschedule_run(new, api_services(world), now=world.now)

    assert stored(world, waiting).due_at == after(3600)
    assert len(world.telemetry.named("slot_not_released")) == 1


def test_an_end_stands_although_its_slot_could_not_be_given_back() -> None:
    """The slot expires with the lease."""
    world = World()
    holder = claimed(world, due(world, "a", FORBID))

    release, world.slots.release = world.slots.release, Mock(side_effect=Throttled("busy"))  # type: ignore[method-assign]
    finish(world, holder)
    world.slots.release = release  # type: ignore[method-assign]
    assert world.states() == [RunState.SUCCEEDED]
    assert len(world.telemetry.named("slot_not_released")) == 1
    world.clock.advance(60)

    assert claimed(world, due(world, "b", FORBID))
