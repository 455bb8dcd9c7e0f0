"""Connecting: TCP to the very address that was checked, TLS to the name that was asked for."""

import socket
import ssl

from timegate.adapters.targets.http.channel import Channel
from timegate.adapters.targets.http.deadline import Deadline
from timegate.adapters.targets.http.messages import Destination

#: A target that accepts no connection, or ends no handshake, in this time is tried again later.
CONNECT_SECONDS = 5.0
HANDSHAKE_SECONDS = 5.0


class HandshakeFailed(Exception):
    """The TLS handshake did not succeed; its cause says why."""


class ConnectionTimedOut(Exception):
    """The target accepted no connection in time."""


def connect(destination: Destination, tls: ssl.SSLContext | None, deadline: Deadline) -> Channel:
    """Open a channel; raises ``OSError``, ``HandshakeFailed`` or ``ConnectionTimedOut``."""
    connected = dial(destination.address, destination.port, deadline)
    if tls is None:
        return Channel(connected)
    try:
        return Channel(_secured(connected, tls, destination.host, deadline))
    except BaseException:
        connected.close()
        raise


def dial(address: str, port: int, deadline: Deadline) -> socket.socket:
    """Connect by TCP; raises ``OSError`` or ``ConnectionTimedOut``."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    dialled = socket.socket(family, socket.SOCK_STREAM)
    try:
        dialled.settimeout(deadline.within(CONNECT_SECONDS).remaining())
        dialled.connect((address, port))
        dialled.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except TimeoutError as error:
        dialled.close()
        raise ConnectionTimedOut from error
    except BaseException:
        dialled.close()
        raise
    return dialled


def _secured(
    connected: socket.socket, tls: ssl.SSLContext, host: str, deadline: Deadline
) -> ssl.SSLSocket:
    """Do the handshake, whose time-out bounds it as a whole."""
    # An end without the other side's word for it is an answer cut short: it is not suppressed.
    secured = tls.wrap_socket(
        connected, server_hostname=host, do_handshake_on_connect=False, suppress_ragged_eofs=False
    )
    try:
        secured.settimeout(deadline.within(HANDSHAKE_SECONDS).remaining())
        secured.do_handshake()
    except TimeoutError as error:
        secured.close()
        raise ConnectionTimedOut from error
    except OSError as error:
        secured.close()
        raise HandshakeFailed from error
    except BaseException:
        secured.close()
        raise
    return secured


def tls_context() -> ssl.SSLContext:
    """Trust the system's authorities, check names, speak HTTP/1.1, and tell a cut from an end.

    Python before 3.11.3 lets OpenSSL pass a connection that is cut off for one that ended: an
    answer without a length would succeed with a part of it
    (https://github.com/python/cpython/issues/95494).
    """
    context = ssl.create_default_context()
    context.options &= ~ssl.OP_IGNORE_UNEXPECTED_EOF
    context.set_alpn_protocols(["http/1.1"])
    return context
