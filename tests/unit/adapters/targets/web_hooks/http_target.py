"""A web hook's other end: a real HTTP server on a thread, scripted by the test."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ssl import SSLContext
from threading import Event, Thread


@dataclass(frozen=True)
class Received:
    """A request as it arrived."""

    method: str
    path: str
    headers: Message
    body: str


Script = Callable[[BaseHTTPRequestHandler], None]


def reply(status: int, body: bytes = b"", **headers: str) -> Script:
    """Answer at once; ``Retry_After="3"`` gives the header ``Retry-After``."""

    def answer(exchange: BaseHTTPRequestHandler) -> None:
        exchange.send_response(status)
        for name, value in headers.items():
            exchange.send_header(name.replace("_", "-"), value)
        exchange.send_header("Content-Length", str(len(body)))
        exchange.end_headers()
        exchange.wfile.write(body)

    return answer


@dataclass
class LocalTarget:
    """The server's script and what it has seen."""

    port: int = 0
    script: Script = field(default_factory=lambda: reply(200, b"ok"))
    requests: list[Received] = field(default_factory=list)
    #: TCP connections that were made to it.
    connections: list[object] = field(default_factory=list)
    #: Scripts that keep a client waiting wait for this.
    over: Event = field(default_factory=Event)

    def url(self, path: str = "/", *, host: str = "127.0.0.1", scheme: str = "http") -> str:
        """Return the address at which the target listens."""
        return f"{scheme}://{host}:{self.port}{path}"


@contextmanager
def local_target(tls: SSLContext | None = None) -> Iterator[LocalTarget]:
    """Serve until the test is over."""
    target = LocalTarget()

    class Exchange(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            target.connections.append(self.client_address)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
            """Say nothing."""

        def serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
            target.requests.append(Received(self.command, self.path, self.headers, body))
            target.script(self)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = serve  # noqa: N815 - their names there

    with ThreadingHTTPServer(("127.0.0.1", 0), Exchange) as server:
        if tls is not None:
            server.socket = tls.wrap_socket(server.socket, server_side=True)
        target.port = server.server_address[1]
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield target
        finally:
            target.over.set()
            server.shutdown()
            thread.join()
