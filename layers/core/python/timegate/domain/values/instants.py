"""Instants: aware UTC datetimes with millisecond precision, and the two ways they are written."""

from datetime import UTC, datetime, timedelta

from timegate.domain.values.errors import InvalidInput

_MINUTE = "%Y%m%dT%H%M"
MILLISECOND = timedelta(milliseconds=1)


def to_milliseconds(instant: datetime) -> datetime:
    """Drop what is finer than a millisecond: the precision at which instants are identity."""
    return instant.replace(microsecond=instant.microsecond // 1000 * 1000)


def compact(instant: datetime) -> str:
    """Sortable and URL-safe, as used in keys and run ids: ``20261121T070000000Z``."""
    utc = instant.astimezone(UTC)
    # Not ``strftime`` and ``strptime``: they were a tenth of what planning a job costs.
    return (
        f"{utc.year:04d}{utc.month:02d}{utc.day:02d}T"
        f"{utc.hour:02d}{utc.minute:02d}{utc.second:02d}{utc.microsecond // 1000:03d}Z"
    )


def from_compact(text: str) -> datetime:
    """Read what ``compact`` wrote; raises ``InvalidInput`` on anything else."""
    try:
        date = int(text[:4]), int(text[4:6]), int(text[6:8])
        time = int(text[9:11]), int(text[11:13]), int(text[13:15])
        instant = datetime(*date, *time, int(text[15:18]) * 1000, tzinfo=UTC)
    except ValueError as error:
        raise InvalidInput("instant", "invalid_instant", f"{text!r} is no instant.") from error
    if compact(instant) != text:
        raise InvalidInput("instant", "invalid_instant", f"{text!r} is no instant.")
    return instant


def rfc3339(instant: datetime) -> str:
    """The form users see: ``2026-11-21T07:00:00.000Z``."""
    return instant.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def minute_of(instant: datetime) -> str:
    """The minute an instant falls into: the time half of an index bucket."""
    return instant.astimezone(UTC).strftime(_MINUTE)


def minute_start(minute: str) -> datetime:
    """The first instant of a minute written by ``minute_of``."""
    return datetime.strptime(minute, _MINUTE).replace(tzinfo=UTC)


def minutes_between(first: datetime, last: datetime) -> list[str]:
    """Every minute from the one holding ``first`` to the one holding ``last``, both included."""
    minute = first.astimezone(UTC).replace(second=0, microsecond=0)
    minutes = []
    while minute <= last:
        minutes.append(minute_of(minute))
        minute += timedelta(minutes=1)
    return minutes


def milliseconds_between(earlier: datetime, later: datetime) -> int:
    """Whole milliseconds from ``earlier`` to ``later``; negative when it is the other way round."""
    return round((later - earlier).total_seconds() * 1000)
