"""Connections that send a request at once, from a pool that is found once.

Urllib3 sends a request's headers and its body by two calls of the socket: two packets, and two
records of TLS. Botocore reads the address of the pool anew for each request.
"""

from functools import cache
from typing import Any

from botocore.awsrequest import (
    AWSHTTPConnection,
    AWSHTTPConnectionPool,
    AWSHTTPSConnection,
    AWSHTTPSConnectionPool,
)

#: The stubs know few parts of them.
_Plain: Any = AWSHTTPConnection
_Tls: Any = AWSHTTPSConnection
_PlainPool: Any = AWSHTTPConnectionPool
_TlsPool: Any = AWSHTTPSConnectionPool


class _SendingAtOnce:
    """Headers that wait for the body, where the whole body follows them."""

    _held: list[bytes] | None = None

    def request(
        self, method: str, url: str, body: Any = None, headers: Any = None, **options: Any
    ) -> Any:
        """Send a request."""
        whole = isinstance(body, bytes) and body and "Expect" not in (headers or {})
        self._held = [] if whole else None
        return super().request(method, url, body, headers, **options)  # type: ignore[misc]

    def send(self, data: Any) -> Any:
        """Send a part of a request, or keep the first one for the second."""
        if self._held is None:
            return super().send(data)  # type: ignore[misc]
        if not self._held:
            self._held.append(data)
            return None
        (headers,) = self._held
        self._held = None
        return super().send(headers + data)  # type: ignore[misc]


class PlainConnection(_SendingAtOnce, _Plain):  # type: ignore[misc]
    """A connection of this machine's cloud."""


class TlsConnection(_SendingAtOnce, _Tls):  # type: ignore[misc]
    """A connection of AWS."""


class PlainPool(_PlainPool):  # type: ignore[misc]
    """Connections of this machine's cloud."""

    ConnectionCls = PlainConnection


class TlsPool(_TlsPool):  # type: ignore[misc]
    """Connections of AWS."""

    ConnectionCls = TlsConnection


def send_at_once(client: Any) -> None:
    """Let a client's requests be sent at once; it has sent none yet."""
    manager = client._endpoint.http_session._manager
    manager.pool_classes_by_scheme = {"http": PlainPool, "https": TlsPool}
    manager.connection_from_url = cache(manager.connection_from_url)
