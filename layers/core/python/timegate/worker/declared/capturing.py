"""Capturing: what handlers print and log goes into their runs' logs, and where it went before."""

import logging
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from contextlib import ExitStack, contextmanager
from io import TextIOBase
from threading import Lock
from typing import Any, TextIO
from weakref import WeakKeyDictionary

from timegate.domain.ledger.worker_log import MAX_LINE_CHARACTERS
from timegate.worker.context import CURRENT, Context
from timegate.worker.logs.run_logs import RunLogHandler

#: They report each request, and each would be a line of every run.
_CHATTY = ("httpx", "httpcore", "watchfiles")


class CapturedStream(TextIOBase):
    """A stream whose whole lines are lines of the run's log as well, where a run is at work."""

    def __init__(self, stream: TextIO, level: str) -> None:
        self._stream = stream
        self._level = level
        #: Beginnings of lines, by run: handlers print at the same time, and threads that they
        #: leave behind.
        self._begun: MutableMapping[Context, str] = WeakKeyDictionary()

    def write(self, text: str) -> int:
        """Write to the stream, and to the log once a line is whole."""
        context = CURRENT.get()
        if context is not None:
            *lines, rest = (self._begun.pop(context, "") + text).split("\n")
            for line in lines:
                context.log(line, self._level)
            if rest:
                # A log keeps no more of a line. A bar of progress is a line that never ends, and
                # each of its steps would copy all those before.
                self._begun[context] = rest[:MAX_LINE_CHARACTERS]
        return self._stream.write(text)

    def flush(self) -> None:
        """Flush the stream."""
        self._stream.flush()

    def fileno(self) -> int:
        """Return the stream's: programs that a handler starts write there."""
        return self._stream.fileno()

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - any attribute
        """Return what a stream has besides, as its buffer; nothing of that is in the log."""
        return getattr(self._stream, name)

    def isatty(self) -> bool:
        """Tell if the stream is a terminal."""
        return self._stream.isatty()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The stream's."""
        return self._stream.encoding

    def say_rest(self) -> None:
        """Log the line that the run at work began and did not end."""
        context = CURRENT.get()
        rest = self._begun.pop(context, "") if context is not None else ""
        if context is not None and rest:
            context.log(rest, self._level)


def say_end(failure: BaseException | None) -> None:
    """Log what the run at work printed last without an end of line, and the trace of its failure.

    Does nothing where prints are not captured.
    """
    context, out = CURRENT.get(), sys.stdout
    if context is None or not isinstance(out, CapturedStream):
        return
    out.say_rest()
    if failure is not None:
        for line in _trace(failure):
            context.log(line, "error")


def _trace(failure: BaseException) -> list[str]:
    """Return the lines of a trace; of an error that cannot be written, those that lead to it."""
    try:
        return "".join(traceback.format_exception(failure)).splitlines()
    except Exception:  # noqa: BLE001 - of the error's own code
        return "".join(traceback.format_tb(failure.__traceback__)).splitlines()


class _Capture:
    """The process's one capture, from its first worker to its last."""

    def __init__(self) -> None:
        self._changing = Lock()
        self._users = 0
        self._before = ExitStack()

    def begin(self) -> None:
        """Capture, unless that has begun."""
        with self._changing:
            if self._users == 0:
                self._before.enter_context(_capturing())
            self._users += 1

    def end(self) -> None:
        """Capture no more, unless others do."""
        with self._changing:
            self._users -= 1
            if self._users == 0:
                self._before.close()


_CAPTURE = _Capture()


@contextmanager
def captured() -> Iterator[None]:
    """Carry prints and logs of handlers into their runs' logs; as before in the end.

    Workers of one process share that, however they begin and end.
    """
    _CAPTURE.begin()
    try:
        yield
    finally:
        _CAPTURE.end()


@contextmanager
def _capturing() -> Iterator[None]:
    root, handler = logging.getLogger(), RunLogHandler()
    level, out = root.level, sys.stdout
    quiet = {name: logging.getLogger(name).level for name in _CHATTY}
    for name in _CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)
    if not any(isinstance(each, RunLogHandler) for each in root.handlers):
        root.addHandler(handler)
    root.setLevel(min(level, logging.INFO) or logging.INFO)
    sys.stdout = CapturedStream(out, "info")
    try:
        yield
    finally:
        sys.stdout = out
        root.removeHandler(handler)
        root.setLevel(level)
        for name, before in quiet.items():
            logging.getLogger(name).setLevel(before)
