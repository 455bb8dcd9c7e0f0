"""Idle connections: kept for the tenant, host and address they were opened for."""

import time
from collections.abc import Callable
from threading import Lock

from timegate.adapters.targets.http.channel import Channel
from timegate.adapters.targets.http.messages import Destination
from timegate.value_classes import dataclass

#: Shorter than the five seconds after which Node.js and uvicorn close an idle connection: a
#: request that meets such a close is lost, as no request is ever sent twice.
IDLE_SECONDS = 4.0
MAX_IDLE = 64
MAX_IDLE_PER_DESTINATION = 10


@dataclass(frozen=True, slots=True)
class _Idle:
    destination: Destination
    channel: Channel
    since: float


class IdleConnections:
    """A bounded store of connections that ended cleanly; the newest is used first."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = Lock()
        #: From the oldest to the newest.
        self._idle: list[_Idle] = []

    def take(self, destination: Destination) -> Channel | None:
        """Take a connection that still is as it was left; ``None``: there is none."""
        while (idle := self._newest(destination)) is not None:
            if idle.channel.is_quiet():
                return idle.channel
            idle.channel.close()
        return None

    def give(self, destination: Destination, channel: Channel) -> None:
        """Keep a connection, in place of the oldest one where there are too many."""
        with self._lock:
            self._idle.append(_Idle(destination, channel, self._monotonic()))
            same = [idle for idle in self._idle if idle.destination == destination]
            surplus = same[:-MAX_IDLE_PER_DESTINATION] or self._idle[:-MAX_IDLE]
            self._idle = [idle for idle in self._idle if idle not in surplus]
        _close(surplus)
        self._drop_expired()

    def close(self) -> None:
        """Close every connection."""
        with self._lock:
            idle, self._idle = self._idle, []
        _close(idle)

    def __len__(self) -> int:
        """Return how many connections are kept."""
        return len(self._idle)

    def _newest(self, destination: Destination) -> _Idle | None:
        self._drop_expired()
        with self._lock:
            for place in range(len(self._idle) - 1, -1, -1):
                if self._idle[place].destination == destination:
                    return self._idle.pop(place)
        return None

    def _drop_expired(self) -> None:
        oldest = self._monotonic() - IDLE_SECONDS
        with self._lock:
            expired = [idle for idle in self._idle if idle.since <= oldest]
            self._idle = self._idle[len(expired) :]
        _close(expired)


def _close(idle: list[_Idle]) -> None:
    for each in idle:
        each.channel.close()
