"""Web hooks that answer late, slowly, endlessly or not at all."""

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from tests.support.factories import NOW, after
from tests.unit.adapters.targets.calls import call_factory, told
from tests.unit.adapters.targets.web_hooks.http_target import LocalTarget
from tests.unit.adapters.targets.web_hooks.web_senders import knowing, private_rules
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.http.request import MAX_ANSWER_BYTES
from timegate.adapters.targets.kinds.webhook import WebhookTarget
from timegate.domain.actions.kinds.webhook import WebhookAction
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.ports.call_runner import TargetFailed


@pytest.fixture
def clock() -> MemoryClock:
    return MemoryClock(NOW)


@pytest.fixture
def webhook(clock: MemoryClock) -> Iterator[WebhookTarget]:
    webhook = WebhookTarget(clock, knowing(), private_rules("127.0.0.1"))
    yield webhook
    webhook.close()


def failure_of(webhook: WebhookTarget, url: str, *, seconds: float) -> Failure:
    """Return the failure of a call with a deadline ``seconds`` ahead."""
    with pytest.raises(TargetFailed) as caught:
        webhook.invoke(call_factory(deadline_at=after(seconds)), WebhookAction(url=url))
    return caught.value.failure


def begin(exchange: BaseHTTPRequestHandler, length: int) -> None:
    """Promise an answer of a length."""
    exchange.send_response(200)
    exchange.send_header("Content-Length", str(length))
    exchange.end_headers()


def test_a_target_that_does_not_answer_in_time_has_timed_out(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """It may have acted: the retry carries the same idempotency key."""

    def keep_silent(_: BaseHTTPRequestHandler) -> None:
        target.over.wait()

    target.script = keep_silent

    assert told(failure_of(webhook, target.url(), seconds=0.1)) == (
        FailureKind.TIMEOUT,
        "timeout",
        "TimedOut",
    )


def test_a_target_that_stops_half_way_has_timed_out(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """The head of an answer is no answer."""

    def stop_half_way(exchange: BaseHTTPRequestHandler) -> None:
        begin(exchange, 10)
        target.over.wait()

    target.script = stop_half_way

    assert told(failure_of(webhook, target.url(), seconds=0.1)) == (
        FailureKind.TIMEOUT,
        "timeout",
        "TimedOut",
    )


def test_a_target_that_drips_its_answer_has_timed_out(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """Each byte comes in time, the answer never does; its beginning is no answer."""

    def drip(exchange: BaseHTTPRequestHandler) -> None:
        begin(exchange, 1000)
        while not target.over.wait(0.02):
            exchange.wfile.write(b"a")

    target.script = drip

    assert told(failure_of(webhook, target.url(), seconds=0.2)) == (
        FailureKind.TIMEOUT,
        "timeout",
        "TimedOut",
    )


def test_an_endless_answer_is_not_read_to_its_end(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """A worker's memory is not the target's to fill, and the connection is not kept."""
    sent: list[int] = []

    def flood(exchange: BaseHTTPRequestHandler) -> None:
        begin(exchange, 10**9)
        try:
            while not target.over.is_set():
                sent.append(exchange.wfile.write(b"x" * 4096))
        except ConnectionError:
            target.over.set()

    target.script = flood
    answer = webhook.invoke(call_factory(), WebhookAction(url=target.url()))
    target.over.wait(10)

    assert len(answer.text) == 500
    assert MAX_ANSWER_BYTES < sum(sent) < 10**9


def test_a_closed_port_is_no_time_out(webhook: WebhookTarget) -> None:
    """Nothing was sent, so nothing can have happened twice."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]

    assert told(failure_of(webhook, f"http://127.0.0.1:{port}/", seconds=5)) == (
        FailureKind.RETRYABLE,
        "connection_failed",
        "ConnectionRefused",
    )


def test_a_dropped_connection_may_be_tried_again(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """The target crashed, or something between."""

    def drop(exchange: BaseHTTPRequestHandler) -> None:
        exchange.connection.shutdown(socket.SHUT_RDWR)
        exchange.close_connection = True

    target.script = drop

    assert told(failure_of(webhook, target.url(), seconds=5)) == (
        FailureKind.RETRYABLE,
        "connection_failed",
        "AnswerCutShort",
    )


def test_an_answer_cut_short_may_be_tried_again(
    webhook: WebhookTarget, target: LocalTarget
) -> None:
    """Nine bytes of ten are no answer."""

    def cut_short(exchange: BaseHTTPRequestHandler) -> None:
        begin(exchange, 10)
        exchange.wfile.write(b"123456789")
        exchange.close_connection = True

    target.script = cut_short

    assert told(failure_of(webhook, target.url(), seconds=5)) == (
        FailureKind.RETRYABLE,
        "connection_failed",
        "AnswerCutShort",
    )


def test_a_chunked_answer_is_read_whole(webhook: WebhookTarget, target: LocalTarget) -> None:
    """Its length shows only at its end."""

    def in_chunks(exchange: BaseHTTPRequestHandler) -> None:
        exchange.send_response(200)
        exchange.send_header("Transfer-Encoding", "chunked")
        exchange.end_headers()
        exchange.wfile.write(b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n")

    target.script = in_chunks

    assert webhook.invoke(call_factory(), WebhookAction(url=target.url())).text == "abcde"
