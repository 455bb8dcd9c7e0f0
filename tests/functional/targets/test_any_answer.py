"""Any bytes at all, as an answer: a success or a classified failure, and never another error."""

import socket

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.factories import TENANT
from timegate.adapters.targets.http.breakage import classified
from timegate.adapters.targets.http.channel import Channel
from timegate.adapters.targets.http.deadline import Deadline
from timegate.adapters.targets.http.exchange import MAX_ANSWER_BYTES, Exchange
from timegate.adapters.targets.http.messages import Request, Response
from timegate.ports.surroundings import TargetFailed

REQUEST = Request(
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


def outcome(answer: bytes) -> Response | str:
    """What is made of bytes that come in one piece and end."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(answer)
        theirs.shutdown(socket.SHUT_WR)
        exchange = Exchange(Channel(ours), REQUEST, Deadline.after(5))
        try:
            with classified(REQUEST):
                response = exchange.run()
        except TargetFailed as failed:
            return failed.failure.code
        # The other end has closed: such a connection is kept by nobody for long.
        assert not (exchange.ended_cleanly and Channel(ours).is_quiet())
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
