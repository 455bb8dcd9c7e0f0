"""Stop an executor whose process is sent ``SIGTERM``: let go of its work, then end.

Lambda sends the signal only where an extension is registered, and only between invocations
(docs/decisions/0053-no-signal-on-lambda.md). The local cloud's processes get it at any time.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType


class Termination:
    """Reacts to ``SIGTERM``: at work, the work is let go and its record written; else at once."""

    def __init__(self, close: Callable[[], None]) -> None:
        self._close = close
        self._working = False

    def install(self) -> None:
        """From now on; only a process's main thread can, elsewhere this does nothing."""
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, self._terminate)

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let work inside this block finish: the signal alone does not end the process."""
        self._working = True
        try:
            yield
        finally:
            self._working = False

    def _terminate(self, _number: int, _frame: FrameType | None) -> None:
        self._close()
        if not self._working:
            raise SystemExit(0)
