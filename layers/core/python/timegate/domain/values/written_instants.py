"""Reading instants as people and programs write them: RFC 3339, with an offset."""

import re
from datetime import UTC, datetime, timedelta
from typing import NoReturn

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import to_milliseconds

#: Arithmetic with earlier or later instants would leave the calendar.
YEARS = range(1970, 9001)
_INSTANT = re.compile(
    r"(?P<minute>\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d)"
    r"(?::(?P<second>\d\d)(?P<fraction>\.\d+)?)?"
    r"(?P<offset>[Zz]|[+-]\d\d:\d\d)?",
    re.ASCII,
)
_LEAP_SECOND = "60"
_SECOND = timedelta(seconds=1)
_EXAMPLE = "2026-11-21T07:00:00Z"


def read_instant(text: str) -> datetime:
    """Read an instant in UTC, cut to milliseconds; raises ``InvalidInput``.

    A leap second (``:60``, RFC 3339 section 5.7) is the second after it, as on every clock that
    counts no leap seconds. Codes: ``invalid_instant``, ``no_utc_offset``, ``out_of_range``.
    """
    match = _INSTANT.fullmatch(text)
    if match is None:
        _refuse("invalid_instant", f"It must be a date and time as in RFC 3339: {_EXAMPLE}.")
    if match["offset"] is None:
        _refuse("no_utc_offset", f"An instant needs an offset: write {_EXAMPLE}.")
    return to_milliseconds(within_reach(_read(match)))


def within_reach(instant: datetime) -> datetime:
    """Return an instant of UTC; raises ``InvalidInput`` (``out_of_range``) outside ``YEARS``."""
    if instant.year not in YEARS:
        _refuse("out_of_range", f"Instants are from the years {YEARS[0]} to {YEARS[-1]}.")
    return instant


def _read(match: re.Match[str]) -> datetime:
    is_leap = match["second"] == _LEAP_SECOND
    written = f"{match['minute']}:59{match['offset']}" if is_leap else match[0]
    try:
        instant = datetime.fromisoformat(written.upper()).astimezone(UTC)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)
    except ValueError as error:
        detail = f"There is no such date and time. Write one such as {_EXAMPLE}."
        raise InvalidInput("instant", "invalid_instant", detail) from error
    return instant + _SECOND if is_leap else instant


def _refuse(code: str, detail: str) -> NoReturn:
    raise InvalidInput("instant", code, detail)
