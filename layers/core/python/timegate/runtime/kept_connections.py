"""Requests over connections that are open, in one piece; botocore opens and closes them.

Names, proxies, TLS and time-outs of a new connection are botocore's, and urllib3's pool keeps it.
"""

import http.client
import io
import queue
import socket
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit

from botocore.awsrequest import AWSResponse
from botocore.exceptions import ConnectionClosedError, ReadTimeoutError
from urllib3.util.connection import is_connection_dropped

_DEFAULT_PORTS = {"http": 80, "https": 443}
_RECEIVED_AT_ONCE = 65_536
_END = b"\r\n\r\n"
_LONGEST_HEAD = 65_536


class _Broken(OSError):
    """The connection ended before its answer did."""


class Headers(dict[str, str]):
    """Headers of an answer, by names in lower case; a name is looked up in any case."""

    def get(self, name: str, default: Any = None) -> Any:
        """Return a value."""
        return super().get(name.lower(), default)

    def __getitem__(self, name: str) -> str:
        """Return a value; raises ``KeyError``."""
        return super().__getitem__(name.lower())

    def __contains__(self, name: object) -> bool:
        """Tell if there is such a header."""
        return isinstance(name, str) and super().__contains__(name.lower())


class WholeAnswer(AWSResponse):
    """An answer that has been read to its end."""

    def __init__(self, url: str, status: int, headers: Headers, content: bytes) -> None:
        self.url, self.status_code, self.headers = url, status, headers  # type: ignore[assignment]
        self.raw = None
        self._content = content


class _Place(NamedTuple):
    """A URL: urllib3's pool of connections to it, and how a request to it begins."""

    pool: Any
    head: bytes


class KeptConnections:
    """A session of botocore's whose open connections are used again."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._places: dict[str, _Place | None] = {}

    def send(self, request: Any) -> AWSResponse:
        """Send a request and read its answer; raises as botocore's session does."""
        # Requests of botocore's own making have other headers, and perhaps a file for a body.
        place = self._place(request.url) if type(request.headers) is dict else None
        connection = _open_connection(place.pool) if place is not None else None
        if place is None or connection is None:
            answer: AWSResponse = self._session.send(request)
            return answer
        try:
            return self._exchange(connection, place.head, request)
        finally:
            place.pool._put_conn(connection)

    def close(self) -> None:
        """Close every connection."""
        self._places.clear()
        self._session.close()

    def _place(self, url: str) -> "_Place | None":
        """Return the place of a URL; ``None``: its requests go to a proxy."""
        if url not in self._places:
            self._places[url] = self._found(url)
        return self._places[url]

    def _found(self, url: str) -> "_Place | None":
        if self._session._proxy_config.proxy_url_for(url):
            return None
        pool = self._session._get_connection_manager(url).connection_from_url(url)
        return _Place(pool, _first_lines(url))

    def _exchange(
        self,
        connection: Any,
        head: bytes,
        request: Any,
    ) -> WholeAnswer:
        stays_open = False
        try:
            connection.sock.settimeout(self._session._timeout.read_timeout)
            lines = "".join([f"{name}: {value}\r\n" for name, value in request.headers.items()])
            connection.sock.sendall(b"".join((head, lines.encode(), b"\r\n", request.body)))
            answer, stays_open = _received(connection.sock, request.url)
        except TimeoutError as error:
            raise ReadTimeoutError(endpoint_url=request.url, error=error) from error
        except (OSError, ValueError, http.client.HTTPException) as error:
            raise ConnectionClosedError(
                error=error, request=request, endpoint_url=request.url
            ) from error
        finally:
            if not stays_open:
                connection.close()
        return answer


def _open_connection(pool: Any) -> Any:
    """Take a connection that is open out of a pool; ``None``: none is.

    Botocore alone makes connections: it says which authorities they trust.
    """
    waiting = pool.pool
    if waiting is None:
        return None
    try:
        connection = waiting.get(block=False)
    except queue.Empty:
        return None
    if connection is not None:
        if connection.sock is not None and not is_connection_dropped(connection):
            return connection
        connection.close()
    pool._put_conn(connection)
    return None


def host_of(parts: SplitResult) -> str:
    """Return the host of a URL as its request names it: without the port that its scheme has."""
    host = parts.hostname or ""
    host = f"[{host}]" if ":" in host else host
    is_default = parts.port in {None, _DEFAULT_PORTS.get(parts.scheme)}
    return host if is_default else f"{host}:{parts.port}"


def _first_lines(url: str) -> bytes:
    parts = urlsplit(url)
    target = f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}"
    lines = f"POST {target} HTTP/1.1\r\nHost: {host_of(parts)}\r\nAccept-Encoding: identity\r\n"
    return lines.encode()


def _received(sock: socket.socket, url: str) -> tuple[WholeAnswer, bool]:
    """Read an answer, and tell if its connection can be used again."""
    received = b""
    while (end := received.find(_END)) < 0:
        if len(received) > _LONGEST_HEAD:
            message = "The head of the answer has no end."
            raise _Broken(message)
        received += _more(sock)
    first, *lines = received[:end].decode("iso-8859-1").split("\r\n")
    headers = Headers()
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    length = headers.get("content-length", "")
    is_final = first.startswith(("HTTP/1.1 2", "HTTP/1.1 4", "HTTP/1.1 5"))
    if not is_final or not length.isdecimal() or "transfer-encoding" in headers:
        return _by_library(sock, received, url), False
    parts = [received[end + len(_END) :]]
    missing = int(length) - len(parts[0])
    while missing > 0:
        parts.append(_more(sock))
        missing -= len(parts[-1])
    answer = WholeAnswer(url, int(first[9:12]), headers, b"".join(parts)[: int(length)])
    # Bytes that belong to no answer would be taken for the next one.
    return answer, missing == 0 and headers.get("connection", "").lower() != "close"


def _more(sock: socket.socket) -> bytes:
    more = sock.recv(_RECEIVED_AT_ONCE)
    if not more:
        message = "The connection was closed before the answer was complete."
        raise _Broken(message)
    return more


class _Resumed(io.RawIOBase):
    """A connection whose first bytes were received before."""

    def __init__(self, sock: socket.socket, received: bytes) -> None:
        super().__init__()
        self._sock, self._received = sock, received

    def readable(self) -> bool:
        """Tell that it is read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer."""
        if not self._received:
            return self._sock.recv_into(buffer)
        first = self._received[: len(buffer)]
        buffer[: len(first)] = first
        self._received = self._received[len(first) :]
        return len(first)

    def makefile(self, *_: object) -> io.BufferedReader:
        """Return what ``http.client`` reads from."""
        return io.BufferedReader(self)


def _by_library(sock: socket.socket, received: bytes, url: str) -> WholeAnswer:
    """Read an answer in chunks, without a length, or after another one."""
    response = http.client.HTTPResponse(_Resumed(sock, received), method="POST")  # type: ignore[arg-type]
    response.begin()
    content = response.read()
    headers = Headers({name.lower(): value for name, value in response.getheaders()})
    return WholeAnswer(url, response.status, headers, content)
