"""A web hook that kills the worker that calls it, if its path says so."""

import os
import signal
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler
from threading import Lock, Thread

from tests.support.deployed.fault_proxy import QuietServer
from tests.support.deployed.killer import holders


class DeadlyTarget:
    """Kills the process that calls ``/kill…``, and answers any other call."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.calls: Counter[str] = Counter()
        self.killed: set[int] = set()
        #: Answers every call from now on.
        self.is_repaired = False
        self.port = 0

    def url(self, name: str) -> str:
        """Address a call by its name."""
        return f"http://localhost:{self.port}/{name}"

    def called(self, name: str, port: int) -> None:
        """Count a call that came from this port, and kill its caller where it is to be killed."""
        with self._lock:
            self.calls[name] += 1
            if name.startswith("kill") and not self.is_repaired:
                self._kill(port)

    def _kill(self, port: int) -> None:
        for pid in set(holders([port], to=self.port).values()):
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
                self.killed.add(pid)


@contextmanager
def deadly_target() -> Iterator[DeadlyTarget]:
    """Serve one on a free port of this machine."""
    target = DeadlyTarget()
    with QuietServer(_handler(target)) as server:
        target.port = int(server.server_address[1])
        Thread(target=server.serve_forever, daemon=True).start()
        yield target
        server.shutdown()


def _handler(target: DeadlyTarget) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("content-length", 0)))
            target.called(self.path.strip("/"), self.client_address[1])
            with suppress(OSError):
                self.send_response(200)
                self.send_header("content-length", "2")
                self.end_headers()
                self.wfile.write(b"ok")

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
