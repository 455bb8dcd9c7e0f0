"""Executing a batch: what it costs, when it starts, what it tells."""

from dataclasses import replace
from unittest.mock import Mock

import pytest

from tests.support.execution.executing import MINUTELY, only, prepare
from tests.support.factories import NOW, after, attempt_factory
from tests.support.world import World, delivery
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.runs.run import RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.payload import Payload


def test_a_run_is_claimed_executed_and_recorded() -> None:
    """Its message needs no second delivery."""
    world = World()
    again = world.execute([prepare(world)])

    attempt = only(world)
    assert again == set()
    assert attempt.state is RunState.SUCCEEDED
    assert (attempt.fence, attempt.result, attempt.watch_at) == (1, "ok", None)


def test_the_target_is_told_which_run_it_serves() -> None:
    """Key, fence, attempt and nominal instant travel with the call."""
    world = World()
    world.execute([prepare(world, payload=Payload(inline='{"n":1}'))])
    (call,) = world.target.calls

    assert call.idempotency_key == str(only(world).id.run)
    assert (call.fence, call.attempt.number, call.scheduled_at) == (1, 1, NOW)
    assert call.payload == '{"n":1}'


def test_a_payload_by_reference_is_fetched() -> None:
    """Large payloads are read only when the run executes."""
    world = World()
    world.blobs.put("payloads/x", '"large"')
    world.execute([prepare(world, payload=Payload(blob="payloads/x"))])

    assert world.target.calls[0].payload == '"large"'


def test_ten_short_runs_cost_three_calls() -> None:
    """One read, one claim, one end."""
    world = World()
    calls: list[str] = []
    for name in ("load_all", "claim_all", "finish_all", "replace", "extend", "finish_and_retry"):
        count_calls(world.runs, name, calls)
    world.add_job(anchored_at=after(-3600), schedule=MINUTELY)
    attempts = [attempt_factory(due_at=after(-60 * n)) for n in range(10)]
    world.runs.insert_all(attempts)

    world.execute([delivery(RunMessage.of(a), n) for n, a in enumerate(attempts)])

    assert set(world.states()) == {RunState.SUCCEEDED}
    assert calls == ["load_all", "claim_all", "finish_all"]


def count_calls(store: object, name: str, calls: list[str]) -> None:
    """Write down every call of a method."""
    method = getattr(store, name)

    def counted(*args: object, **kwargs: object) -> object:
        calls.append(name)
        return method(*args, **kwargs)

    setattr(store, name, counted)


def test_a_message_is_held_to_its_instant() -> None:
    """It is claimed a quarter of a second early and starts on time."""
    world = World()
    world.execute([prepare(world, attempt_factory(due_at=after(2)))])

    attempt = only(world)
    assert attempt.started_at == after(2)
    assert attempt.lease is not None
    assert attempt.lease.expires_at == after(1.75 + 60)


def test_a_message_far_too_early_goes_back() -> None:
    """It is hidden until it is nearly due, and nothing is claimed."""
    world = World()
    traced = attempt_factory(due_at=after(40.5), trace=f"{'a' * 32}-01")
    again = world.execute([prepare(world, traced)])

    assert again == {"message-0"}
    assert [hidden.seconds for hidden in world.inbox.hidden] == [40]
    assert only(world).state is RunState.QUEUED
    (told,) = world.telemetry.named("message_early")
    assert told.fields["trace_id"] == "a" * 32


def test_a_throttled_store_acknowledges_nothing() -> None:
    """The message comes back in two seconds."""
    world = World()
    message = prepare(world)

    world.runs.claim_all = Mock(side_effect=Throttled("busy"))  # type: ignore[method-assign]
    again = world.execute([message])

    assert again == {"message-0"}
    assert [hidden.seconds for hidden in world.inbox.hidden] == [2]
    assert only(world).state is RunState.QUEUED


def test_lateness_is_measured_from_the_due_instant() -> None:
    """Start lag is what the user waits for."""
    world = World()
    world.execute([prepare(world, attempt_factory(due_at=after(-1.5)), anchored_at=after(-61.5))])

    assert world.telemetry.measures["StartLagMs"] == [1500]


def test_a_clock_behind_the_queues_is_measured() -> None:
    """No message is received before it was sent."""
    world = World()
    message = prepare(world, attempt_factory(due_at=after(-1.5)), anchored_at=after(-61.5))
    world.execute([replace(message, sent_at=after(3))])

    assert world.telemetry.measures["ClockSkewMs"] == [3000]


def test_a_message_that_is_hidden_tells_of_a_clock_behind_the_queues() -> None:
    """By that clock its run is not due yet: nothing is claimed before the clocks agree."""
    world = World()
    message = prepare(world, attempt_factory(due_at=after(30)), anchored_at=after(-30))
    world.execute([replace(message, sent_at=after(30))])

    assert world.telemetry.measures["ClockSkewMs"] == [30_000]
    assert only(world).state is RunState.QUEUED


@pytest.mark.parametrize(
    ("sent", "lag"),
    [
        pytest.param(-600, 1500, id="sent-ahead"),
        pytest.param(-1.5, 1500, id="sent-when-due"),
        pytest.param(-0.25, 250, id="sent-late"),
    ],
)
def test_lateness_of_the_queue_counts_from_due_and_sent(sent: float, lag: int) -> None:
    """A run that waited by its tenant's limits is sent again when it may go on."""
    world = World()
    message = prepare(world, attempt_factory(due_at=after(-1.5)), anchored_at=after(-61.5))
    world.execute([replace(message, sent_at=after(sent))])

    assert "ClockSkewMs" not in world.telemetry.measures
    assert world.telemetry.measures["QueueLagMs"] == [lag]
    assert world.telemetry.measures["StartLagMs"] == [1500]
