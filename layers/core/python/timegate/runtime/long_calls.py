"""Connections that stay open while a target works for minutes and sends nothing."""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from botocore.httpsession import URLLib3Session

if TYPE_CHECKING:
    from botocore.awsrequest import AWSPreparedRequest, AWSResponse
    from botocore.client import BaseClient

#: Gateways on the way forget a connection that was silent for 350 seconds. Linux would send its
#: first probe after two hours, so botocore's own ``tcp_keepalive`` comes too late.
IDLE_SECONDS = 60
INTERVAL_SECONDS = 30
#: Probes without an answer after which the connection is given up.
PROBES = 4
#: Lambda freezes an environment without work. The end of a connection does not reach it there, and
#: the first call over a dead connection fails. No connection is used after so long without calls.
UNUSED_SECONDS = 10.0


def keep_alive(
    client: "BaseClient",
    *,
    connect_timeout: float,
    read_timeout: float,
    connections: int,
    clock: Callable[[], float] = time.time,
    wanted: Callable[[], bool] | None = None,
) -> None:
    """Send this client's calls over connections that are probed while they are silent.

    ``clock``: the wall's, in seconds; a frozen machine's other clocks may stand. ``wanted``: tells
    if the call at hand is sent so; ``None``: each is.
    """

    def connect() -> URLLib3Session:
        # The stubs describe less than botocore takes.
        return URLLib3Session(
            timeout=(connect_timeout, read_timeout),  # type: ignore[arg-type]
            max_pool_connections=connections,
            socket_options=_options(),  # type: ignore[arg-type]
        )

    sessions = AwakeSessions(connect, clock)

    def send(request: "AWSPreparedRequest", **_: object) -> "AWSResponse | None":
        if wanted is not None and not wanted():
            return None
        with sessions.session() as session:
            return session.send(request)

    client.meta.events.register("before-send", send)  # type: ignore[arg-type]


class AwakeSessions:
    """A session for all calls, and a new one after a time without any."""

    def __init__(self, connect: Callable[[], URLLib3Session], clock: Callable[[], float]) -> None:
        self._connect = connect
        self._clock = clock
        self._lock = Lock()
        self._session: URLLib3Session | None = None
        self._under_way = 0
        self._used_at = clock()

    @contextmanager
    def session(self) -> Iterator[URLLib3Session]:
        """Give a call the session; an environment with a call under way is not frozen.

        The session before is not closed: another thread may be about to send by it.
        """
        with self._lock:
            is_old = self._clock() - self._used_at >= UNUSED_SECONDS
            if self._session is None or (is_old and not self._under_way):
                self._session = self._connect()
            self._under_way += 1
            session = self._session
        try:
            yield session
        finally:
            with self._lock:
                self._under_way -= 1
                self._used_at = self._clock()


def _options() -> list[tuple[int, int, int]]:
    options = [
        (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
        (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
    ]
    timing = {
        "TCP_KEEPIDLE": IDLE_SECONDS,
        "TCP_KEEPINTVL": INTERVAL_SECONDS,
        "TCP_KEEPCNT": PROBES,
    }
    # Not every system that runs the local cloud has all three.
    known = {name: value for name, value in timing.items() if hasattr(socket, name)}
    return options + [(socket.IPPROTO_TCP, getattr(socket, name), v) for name, v in known.items()]
