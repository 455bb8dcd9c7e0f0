"""A Lambda target that works for minutes is waited for over a connection that stays open."""

import gc
import json
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, ClassVar

import pytest
from botocore.exceptions import ClientError
from botocore.httpsession import URLLib3Session
from botocore.session import Session

from timegate.adapters.system_clock import SystemClock
from timegate.runtime import clients
from timegate.runtime.long_calls import (
    IDLE_SECONDS,
    INTERVAL_SECONDS,
    PROBES,
    UNUSED_SECONDS,
    AwakeSessions,
    keep_alive,
)

#: Gateways between a function and Lambda's endpoint drop a silent connection after this:
#: https://docs.aws.amazon.com/vpc/latest/userguide/nat-gateway-basics.html
GATEWAY_IDLE_SECONDS = 350


class _Lambda(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    status = 200
    calls = 0
    #: The client's ports: one for each connection.
    ports: ClassVar[list[int]] = []

    def do_POST(self) -> None:
        """Answer as Lambda does, and keep the connection."""
        type(self).calls += 1
        self.ports.append(self.client_address[1])
        self.rfile.read(int(self.headers["Content-Length"]))
        body = json.dumps({"said": "done"}).encode()
        self.send_response(self.status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch, socket_enabled: None) -> Iterator[int]:
    """A Lambda of this machine, by its port."""
    del socket_enabled
    _Lambda.status, _Lambda.calls = 200, 0
    _Lambda.ports.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Lambda)
    Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    monkeypatch.setenv("AWS_ENDPOINT_URL_LAMBDA", f"http://127.0.0.1:{port}")
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    yield port
    server.shutdown()
    server.server_close()


def _connected_to(port: int) -> list[socket.socket]:
    return [
        each
        for each in gc.get_objects()
        if isinstance(each, socket.socket) and _peer(each) == ("127.0.0.1", port)
    ]


def _peer(each: socket.socket) -> object:
    try:
        return each.getpeername()
    except OSError:
        return None


def test_a_silent_connection_is_probed_before_a_gateway_forgets_it(endpoint: int) -> None:
    """The connection that the call used has keep-alive on, with times of its own."""
    client = clients.target(Session(), "lambda", now=SystemClock().now, waits=True)

    answer = client.invoke(FunctionName="target", Payload=b"{}")

    assert json.loads(answer["Payload"].read()) == {"said": "done"}
    (used,) = _connected_to(endpoint)
    assert used.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) == IDLE_SECONDS
    assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPINTVL) == INTERVAL_SECONDS
    assert used.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPCNT) == PROBES
    assert IDLE_SECONDS + INTERVAL_SECONDS < GATEWAY_IDLE_SECONDS


def test_a_call_that_fails_is_not_repeated_by_the_client(endpoint: int) -> None:
    """A second call would be an attempt without a record."""
    del endpoint
    _Lambda.status = 500

    client = clients.target(Session(), "lambda", now=SystemClock().now, waits=True)

    with pytest.raises(ClientError):
        client.invoke(FunctionName="target", Payload=b"{}")

    assert _Lambda.calls == 1


def test_the_client_waits_as_long_as_a_function_may_work() -> None:
    """Lambda's own limit of 900 seconds, for the reading of the answer."""
    assert clients.LONGEST_CALL_SECONDS == 900


@pytest.mark.parametrize(
    ("seconds", "connections"), [(0.0, 1), (UNUSED_SECONDS - 0.1, 1), (UNUSED_SECONDS, 2)]
)
def test_no_connection_is_used_that_may_have_died_while_the_function_was_frozen(
    seconds: float, connections: int, endpoint: int
) -> None:
    """The peer closes it meanwhile, and the call would fail: no call is repeated."""
    del endpoint
    now = 1_000_000.0
    client: Any = Session().create_client("lambda")
    keep_alive(client, connect_timeout=2, read_timeout=5, connections=1, clock=lambda: now)

    client.invoke(FunctionName="target", Payload=b"{}")["Payload"].read()
    now += seconds
    client.invoke(FunctionName="target", Payload=b"{}")["Payload"].read()

    assert len(set(_Lambda.ports)) == connections


@pytest.mark.parametrize(("wanted", "connections"), [(True, 2), (False, 1)])
def test_other_calls_of_a_client_keep_its_own_connections(
    endpoint: int, *, wanted: bool, connections: int
) -> None:
    """They are repeated where a connection has died."""
    del endpoint
    now = 1_000_000.0
    client: Any = Session().create_client("lambda")
    keep_alive(
        client,
        connect_timeout=2,
        read_timeout=5,
        connections=1,
        clock=lambda: now,
        wanted=lambda: wanted,
    )

    client.invoke(FunctionName="target", Payload=b"{}")["Payload"].read()
    now += UNUSED_SECONDS
    client.invoke(FunctionName="target", Payload=b"{}")["Payload"].read()

    assert len(set(_Lambda.ports)) == connections


def test_a_call_under_way_keeps_the_session_of_its_environment() -> None:
    """An environment at work is not frozen, however long its call lasts."""
    now = 0.0
    sessions = AwakeSessions(URLLib3Session, lambda: now)

    with sessions.session() as first:
        now = 900.0
        with sessions.session() as second:
            pass
    now += UNUSED_SECONDS
    with sessions.session() as third:
        pass

    assert second is first
    assert third is not first
