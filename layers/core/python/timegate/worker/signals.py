"""Being told to stop, whatever the main thread waits for."""

import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread, current_thread, main_thread

SIGNALS = (signal.SIGTERM, signal.SIGINT)


@contextmanager
def heard(tell: Callable[[], None]) -> Iterator[None]:
    """Call ``tell`` for each SIGTERM and SIGINT, in a thread; as before in the end.

    Python runs handlers of signals in the main thread, between two steps of it. The kernel may give
    two signals that come together to other threads: then nothing wakes the main thread, and they
    would wait for the answer that it waits for. ``signal.set_wakeup_fd`` writes at once, whichever
    thread was interrupted.

    Does nothing in any other thread than the main one, where signals cannot be handled.
    """
    if current_thread() is not main_thread():
        yield
        return
    reader, writer = socket.socketpair()
    writer.settimeout(0)
    Thread(target=_listen, args=(reader, tell), name="signals", daemon=True).start()
    written_to = signal.set_wakeup_fd(writer.fileno(), warn_on_full_buffer=False)
    handlers = {number: signal.signal(number, _leave_it) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            # ``None``: something other than Python handled it, and cannot be put back.
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        signal.set_wakeup_fd(written_to)
        writer.close()


def _listen(reader: socket.socket, tell: Callable[[], None]) -> None:
    with reader:
        while numbers := reader.recv(64):
            for number in numbers:
                if number in SIGNALS:
                    tell()


def _leave_it(*_: object) -> None:
    """The thread that listens knows it already."""
