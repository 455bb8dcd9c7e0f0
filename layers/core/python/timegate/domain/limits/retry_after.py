"""``Retry-After``: the header by which a server asks to be left alone."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime


def retry_after_seconds(header: str | None, now: datetime | None) -> float | None:
    """Read ``Retry-After`` as seconds or as a date (RFC 9110, section 10.2.3).

    ``now``: the instant of the answer. ``None``: it is not known, and a date counts as no header,
    as any other text does.
    """
    if header is None:
        return None
    if header.strip().isdecimal():
        return float(header)
    date = read_date(header)
    if date is None or now is None:
        return None
    return max((date - now).total_seconds(), 0.0)


def read_date(header: str) -> datetime | None:
    """Read a date of HTTP; ``None`` for text that is none."""
    try:
        date = parsedate_to_datetime(header)
    except (ValueError, OverflowError):
        # A hostile server may write numbers beyond a machine word: those overflow.
        return None
    return date if date.tzinfo is not None else date.replace(tzinfo=UTC)
