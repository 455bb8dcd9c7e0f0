"""Any bytes at all, as an answer: a success or a classified failure, and never another error."""

import socket
from contextlib import suppress
from threading import Thread

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.factories import TENANT
from timegate.adapters.targets.http.breakage import classified
from timegate.adapters.targets.http.channel import Channel
from timegate.adapters.targets.http.deadline import Deadline, DeadlinePassed
from timegate.adapters.targets.http.messages import HttpRequest, Response
from timegate.adapters.targets.http.request import MAX_ANSWER_BYTES, MAX_PIECES, HttpExchange
from timegate.ports.call_runner import TargetFailed

REQUEST = HttpRequest(
    tenant=TENANT,
    scheme="http",
    host="hooks.example.com",
    port=80,
    method="POST",
    target="/",
    headers={"Host": "hooks.example.com"},
    body=b"{}",
)
#: The failures that bytes can cause.
CODES = {"connection_failed", "invalid_answer", "timeout"}

lines = st.sampled_from(
    [
        b"HTTP/1.1 200 OK\r\n",
        b"HTTP/1.1 103 Hm\r\n",
        b"HTTP/1.1 204 No\r\n",
        b"HTTP/1.0 500\n",
        b"Content-Length: 3\r\n",
        b"Content-Length: 99999999999999999999\r\n",
        b"Transfer-Encoding: chunked\r\n",
        b"Connection: close\r\n",
        b"Content-Encoding: gzip\r\n",
        b" folded\r\n",
        b"\r\n",
        b"3\r\nabc\r\n",
        b"0\r\n\r\n",
        b"abc",
    ]
)
answers = st.one_of(
    st.binary(max_size=300),
    st.lists(st.one_of(lines, st.binary(max_size=20)), max_size=20).map(b"".join),
    st.lists(lines, max_size=20).map(b"".join),
)


def _send(end: socket.socket, answer: bytes) -> None:
    with suppress(OSError):
        end.sendall(answer)
        end.shutdown(socket.SHUT_WR)


def outcome(answer: bytes) -> Response | str:
    """Return the response, or the failure's code, for bytes that come in one piece and end."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sending = Thread(target=_send, args=(theirs, answer))
        sending.start()
        exchange = HttpExchange(Channel(ours), REQUEST, Deadline.after(5))
        try:
            with classified(REQUEST):
                response = exchange.run()
        except TargetFailed as failed:
            return failed.failure.code
        finally:
            ours.shutdown(socket.SHUT_RD)
            sending.join()
        assert response.is_complete or not exchange.ended_cleanly
        return response


@settings(max_examples=400, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(answers)
def test_any_bytes_have_an_outcome(answer: bytes) -> None:
    """The executor meets no error of a library."""
    result = outcome(answer)

    if isinstance(result, Response):
        assert len(result.body) <= min(len(answer), MAX_ANSWER_BYTES)
        assert 200 <= result.status <= 999
    else:
        assert result in CODES


@pytest.mark.parametrize(
    ("pieces", "is_complete"),
    [(MAX_PIECES - 1, True), (MAX_PIECES, False), (2 * MAX_PIECES, False)],
)
def test_the_cost_of_tiny_chunks_is_bounded(pieces: int, *, is_complete: bool) -> None:
    """Chunks of one byte are read up to a number, not up to the size of an answer."""
    head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    result = outcome(head + b"1\r\nx\r\n" * pieces + b"0\r\n\r\n")

    assert isinstance(result, Response)
    assert (len(result.body), result.is_complete) == (min(pieces, MAX_PIECES), is_complete)


@pytest.mark.parametrize(
    ("length", "is_complete"),
    [(MAX_ANSWER_BYTES - 1, True), (MAX_ANSWER_BYTES, False), (MAX_ANSWER_BYTES + 1, False)],
)
def test_the_size_of_an_answer_is_bounded(length: int, *, is_complete: bool) -> None:
    """A longer answer is kept in part, and marked as a part."""
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n".encode()
    result = outcome(head + b"x" * length)

    assert isinstance(result, Response)
    assert len(result.body) == min(length, MAX_ANSWER_BYTES)
    assert result.is_complete is is_complete


def test_an_answer_that_lies_there_after_the_deadline_is_none() -> None:
    """A target that never stops sending does not outlast it either."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

        with pytest.raises(DeadlinePassed):
            Channel(ours).receive(Deadline.after(0))
