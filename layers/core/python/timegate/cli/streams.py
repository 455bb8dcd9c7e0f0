"""Standard streams that take any text, whatever the terminal, pipe or file behind them."""

import codecs
import io
import os
import sys
from pathlib import Path
from typing import TextIO

_ERRORS = "timegate-json-escapes"
#: The size of a terminal, as shells and tools that wrap a command export it.
_SIZES = ("COLUMNS", "LINES")


def open_streams() -> None:
    """Let no text and no missing stream end a command that has done its work.

    A stream that the caller closed is the null device. Characters that its encoding lacks are
    written as JSON escapes them, so that JSON stays JSON.
    """
    codecs.register_error(_ERRORS, _escaped)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # Open as long as the process.
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=_ERRORS)


def drop_impossible_sizes() -> None:
    """Forget a width or height that is no number above 0: nothing has room in it."""
    for name in _SIZES:
        text = os.environ.get(name, "")
        if not (text.isdecimal() and int(text) > 0):
            os.environ.pop(name, None)


def writes_unicode(stream: TextIO) -> bool:
    """Tell if a stream has every character of Unicode."""
    return (stream.encoding or "utf-8").lower().replace("_", "-").startswith("utf")


def _escaped(error: UnicodeError) -> tuple[str, int]:
    r"""Write characters as ``\uXXXX``; those beyond 16 bits as two."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = (units[at : at + 2].hex() for at in range(0, len(units), 2))
    return "".join(f"\\u{each}" for each in pairs), error.end
