"""A proxy before the local cloud that fails now and then, as AWS does."""

import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPResponse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from socket import socket
from threading import Event, Lock, Thread
from typing import Any

#: Answer to a throttled call, by the service that its ``X-Amz-Target`` names.
THROTTLES = {
    "DynamoDB_20120810": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
    "AmazonSQS": "com.amazonaws.sqs#RequestThrottled",
}
#: Sending twice what the caller sent once: the queue then holds two copies of each message.
DOUBLED = "AmazonSQS.SendMessageBatch"
#: A call is held no longer than this.
_HELD_SECONDS = 120
_HOP_BY_HOP = {"connection", "keep-alive", "transfer-encoding", "content-length", "date", "server"}


@dataclass(frozen=True, kw_only=True)
class Faults:
    """Shares of calls that each fault strikes."""

    #: Refused without effect, with the service's own throttling error.
    throttled: float = 0.0
    #: Carried out, but the connection breaks before the answer.
    unanswered: float = 0.0
    #: Batches of messages that are sent twice.
    doubled: float = 0.0


@dataclass
class Hold:
    """One call of an operation that is neither carried out nor answered."""

    #: Name in ``X-Amz-Target``.
    target: str
    #: The call has arrived.
    caught: Event = field(default_factory=Event)
    #: Its connection may be closed: its client does not wait any more.
    dropped: Event = field(default_factory=Event)


@dataclass
class FaultProxy:
    """Forwards every call to the cloud, or does to it what the dice say."""

    upstream: int
    faults: Faults
    dice: Random
    #: Actions done, by name.
    counts: Counter[str] = field(default_factory=Counter)
    port: int = 0
    #: Fate of the next call of an operation; ``None``: the dice decide.
    hold: Hold | None = None
    _lock: Lock = field(default_factory=Lock)

    @property
    def url(self) -> str:
        """Return the proxy's address."""
        return f"http://127.0.0.1:{self.port}"

    def fate(self, target: str) -> str:
        """Draw and count the fate of a call.

        It is ``held``, ``throttled``, ``unanswered``, ``doubled`` or ``forwarded``.
        """
        with self._lock:
            fate = self._drawn(target)
            self.counts[fate] += 1
        return fate

    def _drawn(self, target: str) -> str:
        service = target.partition(".")[0]
        if self.hold is not None and target == self.hold.target and not self.hold.caught.is_set():
            self.hold.caught.set()
            return "held"
        if service in THROTTLES and self.dice.random() < self.faults.throttled:
            return "throttled"
        if service in THROTTLES and self.dice.random() < self.faults.unanswered:
            return "unanswered"
        if target == DOUBLED and self.dice.random() < self.faults.doubled:
            return "doubled"
        return "forwarded"


class QuietServer(ThreadingHTTPServer):
    """Clients that are killed in mid-sentence are nothing to report."""

    daemon_threads = True

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(("127.0.0.1", 0), handler)
        #: Clients hold connections for as long as they live, which may be longer than we do.
        self.connections: list[socket | HTTPConnection] = []

    def get_request(self) -> tuple[socket, Any]:
        """A connection, remembered."""
        connection, address = super().get_request()
        self.connections.append(connection)
        return connection, address

    def server_close(self) -> None:
        """Close whatever is open, here and there."""
        super().server_close()
        for each in self.connections:
            each.close()

    def handle_error(self, *_: object) -> None:
        """Say nothing."""


class _Server(QuietServer):
    def __init__(self, proxy: FaultProxy) -> None:
        super().__init__(_Handler)
        self.proxy = proxy
        proxy.port = self.server_address[1]


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server
    #: One connection to the cloud for each of a client.
    _upstream: HTTPConnection | None = None

    def finish(self) -> None:
        """The client has gone."""
        super().finish()
        if self._upstream is not None:
            self._upstream.close()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0))
        target = self.headers.get("x-amz-target", "")
        fate = self.server.proxy.fate(target)
        if fate == "throttled":
            self._throttle(target)
            return
        if fate == "held" and self.server.proxy.hold is not None:
            self.server.proxy.hold.dropped.wait(_HELD_SECONDS)
            self.close_connection = True
            return
        headers = dict(self.headers.items())
        if fate == "doubled":
            self._forward(headers, body)
        response, answer = self._forward(headers, body)
        if fate == "unanswered":
            self.close_connection = True
            return
        kept = [(n, v) for n, v in response.getheaders() if n.lower() not in _HOP_BY_HOP]
        self._answer(response.status, kept, answer)

    def _forward(self, headers: dict[str, str], body: bytes) -> tuple[HTTPResponse, bytes]:
        """Carry a call out; a connection that the cloud has closed meanwhile opens again."""
        if self._upstream is None:
            self._upstream = HTTPConnection("127.0.0.1", self.server.proxy.upstream, timeout=60)
            self.server.connections.append(self._upstream)
        try:
            return self._ask(self._upstream, headers, body)
        except (HTTPException, ConnectionError):
            self._upstream.close()
            return self._ask(self._upstream, headers, body)

    def _ask(
        self, upstream: HTTPConnection, headers: dict[str, str], body: bytes
    ) -> tuple[HTTPResponse, bytes]:
        upstream.request("POST", self.path, body, headers)
        response = upstream.getresponse()
        return response, response.read()

    def _throttle(self, target: str) -> None:
        kind = THROTTLES[target.partition(".")[0]]
        text = json.dumps({"__type": kind, "message": "Too much at once."})
        headers = [
            ("Content-Type", "application/x-amz-json-1.0"),
            ("x-amzn-query-error", f"{kind.partition('#')[2]};Sender"),
        ]
        self._answer(400, headers, text.encode())

    def _answer(self, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
        # A worker that was killed meanwhile does not listen any more.
        with suppress(ConnectionError):
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def fault_proxy(upstream: int, faults: Faults, *, seed: int) -> Iterator[FaultProxy]:
    """Serve one before the cloud on port ``upstream``."""
    proxy = FaultProxy(upstream=upstream, faults=faults, dice=Random(seed))
    server = _Server(proxy)
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield proxy
    finally:
        server.shutdown()
        server.server_close()
