"""The client: one request to one checked address, never sent twice, ended by its deadline."""

import ssl
from functools import cached_property

from timegate.adapters.targets.http.breakage import classified
from timegate.adapters.targets.http.channel import Channel
from timegate.adapters.targets.http.connecting import connect, tls_context
from timegate.adapters.targets.http.deadline import Deadline
from timegate.adapters.targets.http.idle_connections import IdleConnections
from timegate.adapters.targets.http.messages import Destination, HttpRequest, Response
from timegate.adapters.targets.http.request import HttpExchange
from timegate.adapters.targets.http.safe_address import SafeAddresses


class HttpClient:
    """Sends requests; a connection is used again only by the tenant and for the host it served."""

    def __init__(self, addresses: SafeAddresses, idle: IdleConnections | None = None) -> None:
        self._addresses = addresses
        self._idle = idle if idle is not None else IdleConnections()

    def send(self, request: HttpRequest, deadline: Deadline) -> Response:
        """Exchange a request for its final answer; raises ``TargetFailed``.

        A request that fails is not sent again here, however little of it was sent: the job's retry
        policy decides about that, and the run's record shows it.
        """
        with classified(request):
            destination = self._destination(request, deadline)
            channel = self._idle.take(destination) or self._connect(destination, deadline)
            return self._exchange(HttpExchange(channel, request, deadline), channel, destination)

    def close(self) -> None:
        """Close every idle connection."""
        self._idle.close()

    def _destination(self, request: HttpRequest, deadline: Deadline) -> Destination:
        return Destination(
            tenant=request.tenant,
            scheme=request.scheme,
            host=request.host,
            port=request.port,
            address=self._addresses.resolve(request, deadline),
        )

    def _connect(self, destination: Destination, deadline: Deadline) -> Channel:
        return connect(destination, self._tls if destination.scheme == "https" else None, deadline)

    def _exchange(
        self, exchange: HttpExchange, channel: Channel, destination: Destination
    ) -> Response:
        try:
            response = exchange.run()
        except BaseException:
            channel.close()
            raise
        if exchange.ended_cleanly:
            self._idle.give(destination, channel)
        else:
            channel.close()
        return response

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        """Built for the first secure call: reading the authorities costs start-up time."""
        return tls_context()
