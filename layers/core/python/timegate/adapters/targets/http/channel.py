"""Channels: a connected socket, plain or TLS, each of whose waits ends at a deadline."""

import select
import socket
import ssl
from math import ceil

from timegate.adapters.targets.http.deadline import Deadline, DeadlinePassed

_RECEIVE_BYTES = 16_384
_WOULD_BLOCK = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
_READABLE = select.POLLIN | select.POLLHUP | select.POLLERR


class Channel:
    """Owns a socket: no other object reads, writes or closes it."""

    def __init__(self, connected: socket.socket) -> None:
        connected.settimeout(0)
        self._socket = connected

    def try_send(self, data: memoryview) -> int:
        """Send what fits without waiting; 0: nothing does."""
        try:
            return self._socket.send(data)
        except _WOULD_BLOCK:
            return 0

    def try_receive(self) -> bytes | None:
        """Receive what has come; ``b""`` is the end, ``None`` nothing yet.

        Raises ``OSError``; it is ``SSLEOFError`` where TLS was cut off without a word. Python
        before 3.11.3 has a plain ``SSLError`` there (https://github.com/python/cpython/issues/95494).
        """
        try:
            return self._socket.recv(_RECEIVE_BYTES)
        except _WOULD_BLOCK:
            return None
        except ssl.SSLError as error:
            if getattr(error, "reason", None) != "UNEXPECTED_EOF_WHILE_READING":
                raise
            raise ssl.SSLEOFError(*error.args) from error

    def receive(self, deadline: Deadline) -> bytes:
        """Wait for bytes and receive them; ``b""`` is the end; raises ``DeadlinePassed``."""
        while True:
            deadline.remaining()
            data = self.try_receive()
            if data is not None:
                return data
            self.wait_readable(deadline)

    def wait_readable(self, deadline: Deadline, *, or_writable: bool = False) -> bool:
        """Wait until something can be received, or sent; tell whether it can be received."""
        poll = select.poll()
        events = select.POLLIN | (select.POLLOUT if or_writable else 0)
        poll.register(self._socket, events)
        ready = poll.poll(ceil(deadline.remaining() * 1000))
        if not ready:
            raise DeadlinePassed
        return bool(ready[0][1] & _READABLE)

    def is_quiet(self) -> bool:
        """Tell whether the other end has neither closed nor sent anything unasked."""
        try:
            return self.try_receive() is None
        except OSError:
            return False

    def close(self) -> None:
        """Give the socket back to the system."""
        self._socket.close()
