"""Connections that wait for another request."""

import socket
from collections.abc import Callable, Iterator

import pytest

from tests.support.factories import TENANT
from timegate.adapters.targets.http.channel import Channel
from timegate.adapters.targets.http.idle_connections import (
    IDLE_SECONDS,
    MAX_IDLE,
    MAX_IDLE_PER_DESTINATION,
    IdleConnections,
)
from timegate.adapters.targets.http.messages import Destination
from timegate.domain.values.tenant import TenantId

HERE = Destination(
    tenant=TENANT, scheme="https", host="hooks.example.com", port=443, address="93.184.215.14"
)

#: Makes a connected socket and its other end.
Connect = Callable[[], tuple[socket.socket, socket.socket]]


@pytest.fixture
def connect() -> Iterator[Connect]:
    made: list[socket.socket] = []

    def pair() -> tuple[socket.socket, socket.socket]:
        ours, theirs = socket.socketpair()
        made.extend((ours, theirs))
        return ours, theirs

    yield pair
    for each in made:
        each.close()


class Seconds:
    """A monotonic clock that stands still."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_connection_is_taken_once(connect: Connect) -> None:
    """Two calls at once never share one."""
    idle = IdleConnections()
    channel = Channel(connect()[0])
    idle.give(HERE, channel)

    assert idle.take(HERE) is channel
    assert idle.take(HERE) is None


@pytest.mark.parametrize(
    "other",
    [
        Destination(
            tenant=TenantId("umbrella"),
            scheme="https",
            host="hooks.example.com",
            port=443,
            address="93.184.215.14",
        ),
        Destination(
            tenant=TENANT,
            scheme="http",
            host="hooks.example.com",
            port=443,
            address="93.184.215.14",
        ),
        Destination(
            tenant=TENANT,
            scheme="https",
            host="other.example.com",
            port=443,
            address="93.184.215.14",
        ),
        Destination(
            tenant=TENANT,
            scheme="https",
            host="hooks.example.com",
            port=8443,
            address="93.184.215.14",
        ),
        Destination(
            tenant=TENANT,
            scheme="https",
            host="hooks.example.com",
            port=443,
            address="93.184.215.15",
        ),
    ],
    ids=["tenant", "scheme", "host", "port", "address"],
)
def test_no_destination_gets_a_connection_of_another(connect: Connect, other: Destination) -> None:
    """Each part of a destination counts."""
    idle = IdleConnections()
    idle.give(HERE, Channel(connect()[0]))

    assert idle.take(other) is None


def test_a_connection_on_which_something_came_is_not_taken(connect: Connect) -> None:
    """An end, a reset or a byte that no request asked for makes it useless."""
    idle = IdleConnections()
    spoken, closed, quiet = connect(), connect(), connect()
    for ours, _ in (quiet, closed, spoken):
        idle.give(HERE, Channel(ours))
    spoken[1].send(b"x")
    closed[1].close()

    assert idle.take(HERE) is not None
    assert (spoken[0].fileno(), closed[0].fileno(), quiet[0].fileno() > 0) == (-1, -1, True)


def test_a_connection_expires(connect: Connect) -> None:
    """At the bound it is closed, and just before it is still there."""
    seconds = Seconds()
    idle = IdleConnections(seconds)
    first, second = connect()[0], connect()[0]
    idle.give(HERE, Channel(first))
    seconds.now += IDLE_SECONDS - 0.001
    kept = idle.take(HERE)
    idle.give(HERE, Channel(second))
    seconds.now += IDLE_SECONDS

    assert kept is not None
    assert idle.take(HERE) is None
    assert second.fileno() == -1


def test_a_destination_keeps_a_few(connect: Connect) -> None:
    """The oldest is closed."""
    idle = IdleConnections()
    ours = [connect()[0] for _ in range(MAX_IDLE_PER_DESTINATION + 1)]
    for each in ours:
        idle.give(HERE, Channel(each))

    assert len(idle) == MAX_IDLE_PER_DESTINATION
    assert [each.fileno() == -1 for each in ours] == [True] + [False] * MAX_IDLE_PER_DESTINATION


def test_all_destinations_together_keep_a_bounded_number(connect: Connect) -> None:
    """One process has so many files."""
    idle = IdleConnections()
    ours = [connect()[0] for _ in range(MAX_IDLE + 1)]
    for number, each in enumerate(ours):
        there = Destination(
            tenant=TenantId(f"tenant-{number}"),
            scheme="https",
            host="hooks.example.com",
            port=443,
            address="93.184.215.14",
        )
        idle.give(there, Channel(each))

    assert len(idle) == MAX_IDLE
    assert ours[0].fileno() == -1


def test_closing_closes_all(connect: Connect) -> None:
    """Nothing is left to the garbage collector."""
    idle = IdleConnections()
    ours = connect()[0]
    idle.give(HERE, Channel(ours))
    idle.close()

    assert (len(idle), ours.fileno()) == (0, -1)
