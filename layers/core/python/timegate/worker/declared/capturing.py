"""Capturing: what handlers print and log goes into their runs' logs, and where it went before."""

import logging
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOBase
from typing import Any, TextIO

from timegate.worker.context import CURRENT
from timegate.worker.logs.run_logs import RunLogHandler

#: They report each request, and each would be a line of every run.
_CHATTY = ("httpx", "httpcore", "watchfiles")


class CapturedStream(TextIOBase):
    """A stream whose whole lines are lines of the run's log as well, where a run is at work."""

    def __init__(self, stream: TextIO, level: str) -> None:
        self._stream = stream
        self._level = level
        #: Beginnings of lines, by run: handlers print at the same time.
        self._begun: dict[int, str] = {}

    def write(self, text: str) -> int:
        """Write to the stream, and to the log once a line is whole."""
        context = CURRENT.get()
        if context is not None:
            *lines, rest = (self._begun.pop(id(context), "") + text).split("\n")
            for line in lines:
                context.log(line, self._level)
            if rest:
                self._begun[id(context)] = rest
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
        rest = self._begun.pop(id(context), "") if context is not None else ""
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
        for line in "".join(traceback.format_exception(failure)).splitlines():
            context.log(line, "error")


@contextmanager
def captured() -> Iterator[None]:
    """Carry prints and logs of handlers into their runs' logs; as before in the end."""
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
