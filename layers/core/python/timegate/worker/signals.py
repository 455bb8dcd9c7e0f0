"""Being told to stop, whatever the main thread waits for."""

import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from threading import Thread, current_thread, main_thread
from typing import Any

SIGNALS = (signal.SIGTERM, signal.SIGINT)
#: How the process took its signals before a worker did; empty where none does.
_BEFORE: dict[signal.Signals, Any] = {}
#: Told of each signal: the workers of this process.
_TOLD: list[Callable[[], None]] = []


@contextmanager
def heard(tell: Callable[[], None]) -> Iterator[None]:
    """Call ``tell`` for each SIGTERM and SIGINT, in a thread; as before in the end.

    Python runs handlers of signals in the main thread, between two steps of it. The kernel may give
    two signals that come together to other threads: then nothing wakes the main thread, and they
    would wait for the answer that it waits for. ``signal.set_wakeup_fd`` writes at once, whichever
    thread was interrupted.

    Signals are handled in the main thread alone. In another one ``tell`` is called for those that
    a worker of the main thread takes. Processes that handlers fork take their signals as if there
    were no worker.
    """
    _TOLD.append(tell)
    try:
        with nullcontext() if current_thread() is not main_thread() else _taken():
            yield
    finally:
        # A forked process has none.
        with suppress(ValueError):
            _TOLD.remove(tell)


@contextmanager
def _taken() -> Iterator[None]:
    reader, writer = socket.socketpair()
    writer.settimeout(0)
    Thread(target=_listen, args=(reader,), name="signals", daemon=True).start()
    written_to = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    leave_signals()
    try:
        yield
    finally:
        _take_back()
        signal.set_wakeup_fd(written_to)
        writer.close()


def leave_signals() -> None:
    """Let SIGTERM and SIGINT end this process no more.

    A signal that is ignored stays so in programs that the process starts. One with a handler does
    not: a handler's work can still terminate them.
    """
    _BEFORE.update({number: signal.signal(number, _leave_it) for number in SIGNALS})


def _take_back() -> None:
    for number, handler in _BEFORE.items():
        # ``None``: something other than Python handled it, and cannot be put back.
        signal.signal(number, handler if handler is not None else signal.SIG_DFL)
    _BEFORE.clear()


def _part() -> None:
    """Let a forked process end by its own signals, and tell the worker nothing of them."""
    if _BEFORE:
        signal.set_wakeup_fd(-1)
        _take_back()
    _TOLD.clear()


if hasattr(os, "register_at_fork"):  # Not on Windows, which forks nothing.
    os.register_at_fork(after_in_child=_part)


def _listen(reader: socket.socket) -> None:
    with reader:
        while numbers := reader.recv(64):
            for number in numbers:
                if number in SIGNALS:
                    for tell in [*_TOLD]:
                        tell()


def _leave_it(*_: object) -> None:
    """The thread that listens knows it already."""
