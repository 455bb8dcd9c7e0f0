"""Reading a file in a process of its own: what never ends is ended, and credentials are not there.

A rule may be written that no program finishes (every second since 1970; 30 February, for ever),
and no library bounds its time. The process is given the text and nothing else.
"""

import json
import os
import signal
import subprocess
import sys
from datetime import date, datetime
from typing import Any

from api.ical.bounds import cpu_seconds
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

FIELD = "ical"
#: A year of a busy team takes a tenth of it.
MAX_BYTES = 512 * 1024
#: The API's function has 15 s; a file of that size takes three.
TIMEOUT_SECONDS = 8.0
#: How a process ends that has taken what it may.
_KILLED = frozenset({-signal.SIGPROF, -signal.SIGXCPU, -signal.SIGKILL})


@dataclass(frozen=True, kw_only=True, slots=True)
class ReadRange:
    """Range of a file's time that the caller wants."""

    first: datetime
    last: datetime
    #: In which days and times without a zone are read; ``None``: as the file says, or UTC.
    timezone: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class CoveredTime:
    """The time that a file's events take up, in as few pieces as it has."""

    timezone: str
    #: First and last day of each, both included.
    days: tuple[tuple[date, date], ...]
    #: Start, and the end that is no longer part of it; UTC.
    periods: tuple[tuple[datetime, datetime], ...]
    #: How many events the file has, and how many occurrences of them lie in what was asked for.
    events: int
    occurrences: int


def read_ical(text: str, wanted: ReadRange, *, timeout_seconds: float | None = None) -> CoveredTime:
    """Read a file; raises ``InvalidInput`` for the field ``ical``.

    ``timeout_seconds``: by the clock on the wall, ``TIMEOUT_SECONDS`` unless given.
    """
    timeout_seconds = TIMEOUT_SECONDS if timeout_seconds is None else timeout_seconds
    encoded = text.encode(errors="replace")
    if len(encoded) > MAX_BYTES:
        raise InvalidInput(FIELD, "too_long", f"A file may have {MAX_BYTES} bytes.")
    try:
        done = subprocess.run(  # noqa: S603 - our own module, and the text on its standard input
            [
                *(sys.executable, "-m", "api.ical"),
                str(cpu_seconds(len(encoded))),
                *(rfc3339(wanted.first), rfc3339(wanted.last), wanted.timezone or ""),
            ],
            input=encoded,
            env={"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            timeout=timeout_seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _too_complex(timeout_seconds, error.stderr) from error
    if done.returncode in _KILLED:
        raise _too_complex(cpu_seconds(len(encoded)), done.stderr)
    done.check_returncode()
    answer: dict[str, Any] = json.loads(done.stdout)
    if "code" in answer:
        raise InvalidInput(FIELD, answer["code"], answer["detail"])
    return _found(answer)


def _too_complex(seconds: float, named: bytes | None) -> InvalidInput:
    detail = f"Its rules could not be followed within {seconds:.3g} s{_last(named)}."
    return InvalidInput(FIELD, "too_complex", detail)


def _last(named: bytes | None) -> str:
    """The event it was busy with: each is named before it is looked at."""
    lines = (named or b"").decode(errors="replace").splitlines()
    return f" (event {lines[-1]})" if lines else ""


def _found(answer: dict[str, Any]) -> CoveredTime:
    day, instant = date.fromisoformat, datetime.fromisoformat
    return CoveredTime(
        timezone=answer["timezone"],
        days=tuple((day(first), day(last)) for first, last in answer["days"]),
        periods=tuple((instant(start), instant(end)) for start, end in answer["periods"]),
        events=answer["events"],
        occurrences=answer["occurrences"],
    )
