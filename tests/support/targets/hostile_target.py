"""A hostile target: raw sockets that misbehave in every named way, over TCP and TLS."""

import socket
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Lock, Thread

#: Handling of one connection, once the head of a request has come.
Behaviour = Callable[["Conversation"], None]


@dataclass
class Conversation:
    """One connection, and what the target does with it."""

    socket: socket.socket
    over: Event
    #: How many requests came on this connection before.
    number: int = 0
    #: The request's head, as it came.
    head: bytes = b""

    def say(self, *texts: str | bytes) -> None:
        """Send each text in a packet of its own."""
        for text in texts:
            self.socket.sendall(text.encode() if isinstance(text, str) else text)

    def drip(self, text: bytes, *, seconds: float) -> None:
        """Send a text byte by byte, each after a pause, until the test is over."""
        for place in range(len(text)):
            if self.over.wait(seconds):
                return
            self.say(text[place : place + 1])

    def wait(self) -> None:
        """Keep the connection open and say nothing more."""
        self.over.wait(20)

    def reset(self) -> None:
        """Break the connection with a TCP reset."""
        linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        self.socket.close()

    def hear(self, *, body: bool = True) -> bool:
        """Read a request; ``False``: there is none any more."""
        self.head, rest = b"", b""
        while b"\r\n\r\n" not in self.head:
            data = self.socket.recv(65_536)
            if not data:
                return False
            self.head += data
        self.head, _, rest = self.head.partition(b"\r\n\r\n")
        missing = _length(self.head) - len(rest)
        while body and missing > 0:
            missing -= len(self.socket.recv(65_536))
        return True


@dataclass
class HostileTarget:
    """A listener with its behaviour and its conversations."""

    listener: socket.socket
    behaviour: Behaviour
    tls: ssl.SSLContext | None = None
    #: ``False``: behave before the body of a request was read.
    reads_bodies: bool = True
    over: Event = field(default_factory=Event)
    heads: list[bytes] = field(default_factory=list)
    connections: int = 0
    _open: list[socket.socket] = field(default_factory=list)
    _threads: list[Thread] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.listener.getsockname()[1])

    def url(self, host: str = "127.0.0.1") -> str:
        """The address of a job that calls it."""
        scheme = "https" if self.tls is not None else "http"
        return f"{scheme}://{host}:{self.port}/hook"

    def serve(self) -> None:
        """Accept connections until the test is over."""
        while not self.over.is_set():
            try:
                accepted, _ = self.listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = Thread(target=self._meet, args=(accepted,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Close everything and wait for every thread."""
        self.over.set()
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        with self._lock:
            open_sockets = list(self._open)
        for each in open_sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)

    def _meet(self, accepted: socket.socket) -> None:
        with suppress(OSError):
            if self.tls is not None:
                accepted = self.tls.wrap_socket(accepted, server_side=True)
            with self._lock:
                self._open.append(accepted)
            self._converse(Conversation(accepted, self.over))
        with suppress(OSError):
            accepted.close()

    def _converse(self, conversation: Conversation) -> None:
        while conversation.hear(body=self.reads_bodies):
            self.heads.append(conversation.head)
            self.behaviour(conversation)
            conversation.number += 1


@contextmanager
def hostile_target(
    behaviour: Behaviour, *, tls: ssl.SSLContext | None = None, reads_bodies: bool = True
) -> Iterator[HostileTarget]:
    """Serve until the test is over."""
    listener = socket.create_server(("127.0.0.1", 0))
    target = HostileTarget(listener, behaviour, tls=tls, reads_bodies=reads_bodies)
    thread = Thread(target=target.serve, daemon=True)
    thread.start()
    try:
        yield target
    finally:
        target.stop()
        thread.join(5)


def answer(body: bytes = b"ok", status: str = "200 OK", *headers: str) -> bytes:
    """Write a plain answer."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers, "", ""]
    return "\r\n".join(lines).encode() + body


def _length(head: bytes) -> int:
    for line in head.split(b"\r\n"):
        name, _, text = line.partition(b":")
        if name.lower() == b"content-length":
            return int(text)
    return 0
