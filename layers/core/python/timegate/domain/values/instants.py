"""Instants: aware UTC datetimes with millisecond precision, and the two ways they are written."""

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from timegate.domain.values.errors import InvalidInput

#: ISO 8601 has other forms as well, and later Pythons read 24:00 as the next day's midnight.
_COMPACT = re.compile(r"\d{8}T(?:[01]\d|2[0-3])\d{7}Z", re.ASCII)
MILLISECOND = timedelta(milliseconds=1)
#: Texts of so many instants are kept: a batch's, and the minutes that a look passes.
_KEPT_TEXTS = 1024


def to_milliseconds(instant: datetime) -> datetime:
    """Drop what is finer than a millisecond: the precision at which instants are identity."""
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def compact(instant: datetime) -> str:
    """Sortable and URL-safe, as used in keys and run ids: ``20261121T070000000Z``."""
    return _compact_in_utc(instant.astimezone(UTC))


def from_compact(text: str) -> datetime:
    """Read what ``compact`` wrote; raises ``InvalidInput`` on anything else."""
    try:
        if _COMPACT.fullmatch(text):
            return datetime.fromisoformat(f"{text[:15]}.{text[15:]}")
    except ValueError:
        # A day or an hour that no calendar has.
        pass
    raise InvalidInput("instant", "invalid_instant", f"{text!r} is no instant.")


def rfc3339(instant: datetime) -> str:
    """The form users see: ``2026-11-21T07:00:00.000Z``."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def minute_of(instant: datetime) -> str:
    """The minute an instant falls into: the time half of an index bucket."""
    return _minute_in_utc(instant.astimezone(UTC))


def minute_start(minute: str) -> datetime:
    """The first instant of a minute written by ``minute_of``."""
    return datetime.fromisoformat(f"{minute}Z")


def minutes_between(first: datetime, last: datetime) -> list[str]:
    """Every minute from the one holding ``first`` to the one holding ``last``, both included."""
    minute = first.astimezone(UTC).replace(second=0, microsecond=0)
    minutes = []
    while minute <= last:
        minutes.append(minute_of(minute))
        minute += timedelta(minutes=1)
    return minutes


# One instant stands in several keys of each attempt, and the minutes around now in each look.
# In UTC alone, equal datetimes are one instant: elsewhere two may differ by their fold.
@lru_cache(maxsize=_KEPT_TEXTS)
def _compact_in_utc(instant: datetime) -> str:
    return f"{_digits(instant, 'milliseconds').replace('.', '')}Z"


@lru_cache(maxsize=_KEPT_TEXTS)
def _minute_in_utc(instant: datetime) -> str:
    return _digits(instant, "minutes")


def _digits(instant: datetime, precision: str) -> str:
    """Write an instant in UTC without signs but the ``T``.

    ``strftime`` takes several times as long.
    """
    text = instant.isoformat("T", precision)
    return text.removesuffix("+00:00").replace("-", "").replace(":", "")


def milliseconds_between(earlier: datetime, later: datetime) -> int:
    """Whole milliseconds from ``earlier`` to ``later``; negative when it is the other way round."""
    return round((later - earlier).total_seconds() * 1000)
