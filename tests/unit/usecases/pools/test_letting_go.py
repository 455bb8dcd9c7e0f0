"""Workers that must stop, and stores that are too busy: nothing dies in silence."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.execution.executing import only, prepare
from tests.support.factories import NOW, after, attempt_factory
from tests.support.world import World
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.runs.checkpoint import SILENCE, Report
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.watch import MAX_LEASES
from timegate.domain.values.errors import Throttled
from timegate.domain.values.payload import Payload
from timegate.usecases.services.execution_services import Delivery

ONCE = DeliveryMode.AT_MOST_ONCE


def endless(**fields: Any) -> tuple[World, Delivery]:  # noqa: ANN401 - as the factory takes them
    """A run whose target never answers, within a timeout longer than its worker has."""
    world = World()
    world.call_runner.takes = None
    return world, prepare(world, timeout_seconds=600, **fields)


@pytest.mark.parametrize("by", ["deadline", "signal"])
@pytest.mark.parametrize("mode", [DeliveryMode.AT_LEAST_ONCE, DeliveryMode.EXACTLY_ONCE], ids=str)
def test_a_worker_that_must_stop_hands_its_run_back(by: str, mode: DeliveryMode) -> None:
    """At once, by a record that the stream carries on; its message has done its duty."""
    world, message = endless(delivery=mode)
    if by == "signal":
        world.call_runner.closes_at = after(33)
    changes = {"stops_at": after(33)} if by == "deadline" else {}
    again = world.execute([message], **changes)
    attempt = only(world)
    world.stream()

    assert again == set()
    assert world.clock.now() == after(33)
    assert (attempt.state, attempt.lease, attempt.releases) == (RunState.QUEUED, None, 1)
    assert len(world.publisher.sent) == 2
    assert world.telemetry.counts["LeasesReleased"] == 1
    assert world.telemetry.named("run_released")[0].fields["released"] is True


def test_another_worker_goes_on_at_once_under_a_higher_fence() -> None:
    """It waits for no lease to expire."""
    world, message = endless()
    world.execute([message], stops_at=after(33))
    world.call_runner.takes = timedelta(0)
    world.publisher.sent.clear()
    world.stream()
    world.execute(world.receive()[-1:], owner="another")

    assert (only(world).state, only(world).fence) == (RunState.SUCCEEDED, 2)
    assert [call.fence for call in world.target.calls] == [1, 2]
    assert only(world).ended_at == after(33)


def test_handing_back_is_no_death() -> None:
    """However often: such a run is not buried as one that kills its workers."""
    world, message = endless()
    messages = [message]
    for _ in range(MAX_LEASES + 3):
        world.execute(messages, stops_at=world.clock.now() + timedelta(seconds=5))
        world.publisher.sent.clear()
        world.stream()
        messages = world.receive()[-1:]

    assert (only(world).state, only(world).deaths) == (RunState.QUEUED, 0)
    assert only(world).releases == MAX_LEASES + 3


def test_what_may_run_once_only_is_ended_instead() -> None:
    """No record tells whether the target has acted."""
    world, message = endless(delivery=ONCE)
    world.execute([message], stops_at=after(33))
    attempt = only(world)

    assert (attempt.state, attempt.reason) == (RunState.FAILED, Reason.AT_MOST_ONCE)
    assert attempt.error is not None
    assert attempt.error.code == "worker_stopped"


def test_what_has_not_begun_is_handed_back_in_any_mode() -> None:
    """The process was stopped while it held the run for its instant."""
    world = World()
    message = prepare(world, attempt_factory(due_at=after(2)), delivery=ONCE)
    world.call_runner.closes_at = after(2)
    world.execute([message])

    assert (only(world).state, only(world).releases) == (RunState.QUEUED, 1)
    assert world.target.calls == []


def test_a_worker_without_time_claims_nothing() -> None:
    """Its messages go to another one, at once."""
    world = World()
    message = prepare(world)
    again = world.execute([message], stops_at=NOW)

    assert again == {"message-0"}
    assert [hidden.seconds for hidden in world.inbox.hidden] == [0]
    assert (only(world).state, only(world).fence) == (RunState.QUEUED, 0)


def test_a_slot_goes_back_with_the_run() -> None:
    """A run that waits for it need not wait for a lease to expire."""
    world, message = endless(overlap=Overlap(policy=OverlapPolicy.FORBID))
    world.execute([message], stops_at=after(33))

    assert [slots.holders for slots in world.tables.slots.values()] == [()]


def throttled(*_: object, **__: object) -> None:
    """A store that is too busy."""
    raise Throttled("busy")


def test_a_release_that_fails_leaves_the_run_to_its_lease() -> None:
    """And the message to its queue."""
    world, message = endless()
    world.runs.release = throttled  # type: ignore[method-assign, assignment]
    again = world.execute([message], stops_at=after(33))

    assert again == {"message-0"}
    assert only(world).state is RunState.RUNNING


@pytest.mark.parametrize("mode", list(DeliveryMode), ids=str)
def test_what_could_not_begin_is_put_off(mode: DeliveryMode) -> None:
    """Its payload could not be read: no target was called, so even at_most_once is tried again."""
    world = World()
    message = prepare(world, delivery=mode, payload=Payload(blob="payloads/x"))
    world.blobs.get = throttled  # type: ignore[method-assign, assignment]
    again = world.execute([message])
    attempt = only(world)

    assert again == set()
    assert (attempt.state, attempt.releases, attempt.lease) == (RunState.WAITING, 1, None)
    assert attempt.watch_at == after(10)


def test_a_heartbeat_that_fails_is_tried_again_soon() -> None:
    """A throttled store is no reason to abandon a target that is at work."""
    world = World()
    world.call_runner.takes = timedelta(seconds=40)
    extend, tries = world.runs.extend, []

    def busy_at_first(
        attempt: Attempt,
        *,
        expires_at: datetime,
        report: Report = SILENCE,
        handed_over_at: datetime | None = None,
        watch_at: datetime | None = None,
    ) -> bool:
        tries.append(world.clock.now())
        if len(tries) <= 2:
            raise Throttled("busy")
        assert (handed_over_at, watch_at) == (None, None)
        return extend(attempt, expires_at=expires_at, report=report)

    world.runs.extend = busy_at_first  # type: ignore[method-assign]
    world.execute([prepare(world, timeout_seconds=60)])

    assert tries == [after(20), after(25), after(30)]
    assert only(world).state is RunState.SUCCEEDED
    assert len(world.target.calls) == 1
    assert world.telemetry.counts["HeartbeatsMissed"] == 2


@pytest.mark.parametrize(
    ("refusals", "stored"), [pytest.param(6, True, id="half a lease"), (7, False)]
)
def test_an_answer_is_worth_some_patience(refusals: int, *, stored: bool) -> None:
    """Without its record the target would be asked again: 0.5, 1, 2, 4, 8 seconds, and no more."""
    world = World()
    finish_all, tries = world.runs.finish_all, []

    def busy(ended: Sequence[Attempt]) -> list[bool]:
        tries.append(world.clock.now())
        if len(tries) < refusals:
            raise Throttled("busy")
        return finish_all(ended)

    world.runs.finish_all = busy  # type: ignore[method-assign]
    again = world.execute([prepare(world)])

    assert (only(world).state is RunState.SUCCEEDED) is stored
    assert (again == set()) is stored
    assert tries[:6] == [after(seconds) for seconds in (0, 0.5, 1.5, 3.5, 7.5, 15.5)]
