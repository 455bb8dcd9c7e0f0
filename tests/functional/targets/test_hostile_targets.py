"""Hostile targets against the shipped client: each behaviour has one outcome and one victim."""

import threading
import time
import tracemalloc
from collections.abc import Callable
from threading import Semaphore

import pytest

from tests.functional.targets.conftest import open_sockets
from tests.support.factories import after
from tests.support.targets.hostile_behaviours import (
    BEHAVIOURS,
    EARLY,
    TWICE_ZIPPED,
    Expected,
    drips,
    says,
)
from tests.support.targets.hostile_target import Conversation, HostileTarget, answer, hostile_target
from tests.unit.adapters.targets.calls import call_factory
from timegate.adapters.targets.http.request import MAX_ANSWER_BYTES
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.execution.call import Answer
from timegate.domain.jobs.retry import Failure
from timegate.domain.values.tenant import TenantId
from timegate.ports.call_runner import TargetFailed

ACME, OTHER = TenantId("acme"), TenantId("umbrella")
#: A call's time, and how much longer than that it may take on a busy machine.
SECONDS, GRACE = 0.6, 2.0
#: Larger than what the system's buffers hold, so that a target that does not read it is noticed.
LARGE = '"' + "x" * 8_000_000 + '"'


def outcome(
    webhook: WebhookTarget,
    target: HostileTarget | str,
    tenant: TenantId = ACME,
    *,
    payload: str = "{}",
    seconds: float = SECONDS,
) -> Answer | Failure:
    """Return the outcome of one call to a target or an address."""
    url = target if isinstance(target, str) else target.url()
    call = call_factory(tenant=tenant, deadline_at=after(seconds), payload=payload)
    try:
        return webhook.invoke(call, WebhookAction(url=url))
    except TargetFailed as failed:
        return failed.failure


def told(result: Answer | Failure) -> tuple[str | None, str | None, str | None]:
    """Code and type of a failure, text of a success."""
    if isinstance(result, Answer):
        return None, None, result.text
    return result.code, result.type, None


def payload_for(expected: Expected) -> str:
    """A payload that a target cannot leave unread unnoticed, where it means to."""
    return "{}" if expected.reads_bodies else LARGE


@pytest.mark.parametrize("expected", BEHAVIOURS.values(), ids=BEHAVIOURS.keys())
def test_each_behaviour_has_its_outcome_in_time(webhook: WebhookTarget, expected: Expected) -> None:
    """Recorded under a stable code, before the deadline and a moment have passed."""
    with hostile_target(expected.behaviour, reads_bodies=expected.reads_bodies) as target:
        began = time.monotonic()
        result = outcome(webhook, target, payload=payload_for(expected))
        took = time.monotonic() - began

    assert told(result) == (expected.code, expected.type, expected.text)
    assert took < SECONDS + GRACE


@pytest.mark.parametrize("expected", BEHAVIOURS.values(), ids=BEHAVIOURS.keys())
def test_only_a_connection_that_ended_cleanly_is_used_again(
    webhook: WebhookTarget, expected: Expected
) -> None:
    """The next call of the very tenant opens another one otherwise."""

    def behave(conversation: Conversation) -> None:
        if len(target.heads) == 1:
            expected.behaviour(conversation)
        else:
            conversation.say(answer(b"second"))

    with hostile_target(behave, reads_bodies=expected.reads_bodies) as target:
        outcome(webhook, target, payload=payload_for(expected))
        second = outcome(webhook, target, seconds=5)

    assert told(second) == (None, None, "second")
    assert target.connections == (1 if expected.is_kept else 2)


@pytest.mark.parametrize("expected", BEHAVIOURS.values(), ids=BEHAVIOURS.keys())
def test_the_next_call_of_another_tenant_is_its_own(
    webhook: WebhookTarget, expected: Expected
) -> None:
    """It goes over a connection of its own, whatever the first one left behind."""

    def behave(conversation: Conversation) -> None:
        if len(target.heads) == 1:
            expected.behaviour(conversation)
        else:
            conversation.say(answer(b"for the other"))

    with hostile_target(behave, reads_bodies=expected.reads_bodies) as target:
        outcome(webhook, target, payload=payload_for(expected))
        second = outcome(webhook, target, OTHER, seconds=5)

    assert told(second) == (None, None, "for the other")
    assert target.connections == 2


def test_an_answer_that_comes_late_reaches_no_run(webhook: WebhookTarget) -> None:
    """A second answer that arrives while its connection is idle is no later call's answer."""
    returned, forged = threading.Event(), threading.Event()

    def behave(conversation: Conversation) -> None:
        conversation.say(answer(b"mine"))
        if len(target.heads) == 1:
            returned.wait(5)
            conversation.say(answer(b"forged"))
            forged.set()

    with hostile_target(behave) as target:
        first = told(outcome(webhook, target))[2]
        returned.set()
        forged.wait(5)
        later = [told(outcome(webhook, target, tenant))[2] for tenant in (ACME, OTHER, ACME)]

    assert [first, *later] == ["mine"] * 4


def test_the_reported_attack_gains_nothing(webhook: WebhookTarget) -> None:
    """Early hints, then the real answer: each tenant gets the answer to its own request."""

    def behave(conversation: Conversation) -> None:
        tenant = conversation.head.split(b"X-Tenant: ")[1].split(b"\r\n")[0]
        conversation.say(EARLY, answer(tenant))

    with hostile_target(behave) as target:
        texts = []
        for tenant in (ACME, OTHER, ACME, OTHER):
            action = WebhookAction(url=target.url(), headers={"X-Tenant": tenant})
            texts.append(webhook.invoke(call_factory(tenant=tenant), action).text)

    assert texts == ["acme", "umbrella", "acme", "umbrella"]
    assert target.connections == 2


@pytest.mark.parametrize("name", ["drips headers", "silent", "half open", "never reads"])
def test_thirty_calls_leave_no_thread_and_no_socket(
    webhook: WebhookTarget, settled: Callable[..., bool], name: str
) -> None:
    """The deadline ends a call and closes its socket: no call is abandoned."""
    expected = BEHAVIOURS[name]
    with hostile_target(expected.behaviour, reads_bodies=expected.reads_bodies) as target:
        sockets, threads = open_sockets(), set(threading.enumerate())
        calls = [
            threading.Thread(target=outcome, args=(webhook, target), name="call") for _ in range(30)
        ]
        for call in calls:
            call.start()
        for call in calls:
            call.join(SECONDS + 10)
        left = [thread for thread in threading.enumerate() if thread.name == "call"]
        ours = {each for each in open_sockets() if each not in sockets}
        theirs = len(target._open)
        target.stop()

    assert left == []
    assert len(ours) <= theirs  # A socket that is still open is the target's own end.
    assert settled(lambda: open_sockets() <= sockets)
    assert settled(lambda: set(threading.enumerate()) <= threads)


@pytest.mark.parametrize("name", ["gzip in gzip", "endless body", "endless chunks"])
def test_an_answer_costs_no_memory(webhook: WebhookTarget, name: str) -> None:
    """The read part of an answer, some copies of it, and nothing that it would unpack to."""
    assert len(TWICE_ZIPPED) < 1_000
    with hostile_target(BEHAVIOURS[name].behaviour) as target:
        tracemalloc.start()
        try:
            outcome(webhook, target, seconds=20)
            _, peak = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()

    assert peak < 12 * MAX_ANSWER_BYTES


def test_a_connection_that_waits_too_long_is_not_used(webhook: WebhookTarget) -> None:
    """A target that closes what is idle closes it before the next call."""

    closed = Semaphore(0)

    def behave(conversation: Conversation) -> None:
        conversation.say(answer())
        conversation.socket.shutdown(2)
        closed.release()

    with hostile_target(behave) as target:
        results = []
        for _ in range(3):
            results.append(told(outcome(webhook, target, seconds=5)))
            assert closed.acquire(timeout=5)

    assert results == [(None, None, "ok")] * 3
    assert target.connections == 3


def test_a_request_is_never_sent_twice(webhook: WebhookTarget) -> None:
    """A target that takes a request on a kept connection and closes may have acted on it."""

    def behave(conversation: Conversation) -> None:
        if conversation.number == 0:
            conversation.say(answer())
        else:
            conversation.socket.shutdown(2)

    with hostile_target(behave) as target:
        first = outcome(webhook, target, seconds=5)
        second = outcome(webhook, target, seconds=5)

    assert told(first) == (None, None, "ok")
    assert told(second) == ("connection_failed", "AnswerCutShort", None)
    assert len(target.heads) == 2


def test_a_head_within_the_bound_may_drip(webhook: WebhookTarget) -> None:
    """A slow target is no hostile one as long as it ends in time."""
    with hostile_target(drips(b"\r\n", first=answer(b"")[:-2])) as target:
        result = outcome(webhook, target, seconds=5)

    assert told(result) == (None, None, "")


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_in_any_chunks_is_the_same(webhook: WebhookTarget, status: int) -> None:
    """Boundaries of packets mean nothing."""
    text = f"HTTP/1.1 {status} X\r\nTransfer-Encoding: chunked\r\n\r\n1\r\no\r\n1\r\nk\r\n0\r\n\r\n"
    with hostile_target(says(*text)) as target:
        result = outcome(webhook, target, seconds=5)

    assert told(result)[0] == (None if status == 200 else "http_500")
