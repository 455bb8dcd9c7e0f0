"""A webhook target that remembers every request and answers as it was told."""

import json
import ssl
from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Event, Thread
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Request:
    """One request as it arrived."""

    path: str
    method: str
    headers: dict[str, str]
    body: Any
    arrived_at: datetime

    @property
    def fence(self) -> int:
        """The fence token the caller held."""
        return int(self.headers["timegate-fence"])

    @property
    def run_id(self) -> str:
        """The run that called."""
        return self.headers["timegate-run-id"]


class Recorder:
    """Requests by path, and the answers still to give."""

    def __init__(self) -> None:
        self._requests: dict[str, list[Request]] = defaultdict(list)
        self._statuses: dict[str, deque[int]] = defaultdict(deque)
        self._holds: dict[str, Event] = {}
        self._works: dict[str, Callable[[Request], Any]] = {}
        self._arrived = Condition()
        self.port = 0
        self.scheme = "http"

    def url(self, path: str) -> str:
        """Return the URL of ``path``."""
        return f"{self.scheme}://localhost:{self.port}/{path}"

    def answer(self, path: str, *statuses: int) -> None:
        """Give these answers, in turn, before going back to 200."""
        self._statuses[path].extend(statuses)

    def work(self, path: str, answer: Callable[[Request], Any]) -> None:
        """Let requests to ``path`` be answered with what this makes of them, as JSON."""
        self._works[path] = answer

    def hold(self, path: str) -> Event:
        """Let requests to ``path`` wait for their answer until the event is set."""
        return self._holds.setdefault(path, Event())

    def requests(self, path: str) -> list[Request]:
        """Return the requests that have arrived so far."""
        with self._arrived:
            return list(self._requests[path])

    def wait_for(self, path: str, count: int, *, seconds: float = 90.0) -> list[Request]:
        """Wait until so many requests have arrived."""
        with self._arrived:
            arrived = self._arrived.wait_for(lambda: len(self._requests[path]) >= count, seconds)
            assert arrived, f"{len(self._requests[path])} of {count} requests to {path}"
            return list(self._requests[path])

    def receive(self, request: Request) -> tuple[int, Any]:
        """Keep a request; the status and the JSON it is answered with."""
        with self._arrived:
            self._requests[request.path].append(request)
            self._arrived.notify_all()
            waiting = self._statuses[request.path]
            status = waiting.popleft() if waiting else 200
        hold = self._holds.get(request.path)
        if hold is not None:
            hold.wait(120)
        work = self._works.get(request.path)
        return status, {"received": True} if work is None else work(request)


@contextmanager
def recording(tls: ssl.SSLContext | None = None) -> Iterator[Recorder]:
    """Serve a recorder on a free port of this machine, with ``tls`` over HTTPS."""
    recorder = Recorder()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(recorder.receive))
    server.daemon_threads = True
    if tls is not None:
        recorder.scheme = "https"
        # The thread of each connection shakes hands, so that none holds up another.
        server.socket = tls.wrap_socket(
            server.socket, server_side=True, do_handshake_on_connect=False
        )
    recorder.port = server.server_address[1]
    Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield recorder
    finally:
        server.shutdown()
        server.server_close()


def _handler(receive: Callable[[Request], tuple[int, Any]]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            arrived_at = datetime.now(UTC)
            size = int(self.headers.get("content-length") or 0)
            request = Request(
                path=self.path.strip("/"),
                method=self.command,
                headers={name.lower(): text for name, text in self.headers.items()},
                body=json.loads(self.rfile.read(size) or "null"),
                arrived_at=arrived_at,
            )
            status, said = receive(request)
            answer = json.dumps(said).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        do_GET = do_PUT = do_POST  # noqa: N815 - named by the standard library

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
