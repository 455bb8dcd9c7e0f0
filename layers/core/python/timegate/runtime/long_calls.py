"""Connections that stay open while a target works for minutes and sends nothing."""

import socket
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


def keep_alive(
    client: "BaseClient", *, connect_timeout: float, read_timeout: float, connections: int
) -> None:
    """Send this client's calls over connections that are probed while they are silent."""
    # The stubs describe less than botocore takes.
    session = URLLib3Session(
        timeout=(connect_timeout, read_timeout),  # type: ignore[arg-type]
        max_pool_connections=connections,
        socket_options=_options(),  # type: ignore[arg-type]
    )

    def send(request: "AWSPreparedRequest", **_: object) -> "AWSResponse":
        return session.send(request)

    client.meta.events.register("before-send", send)  # type: ignore[arg-type]


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
