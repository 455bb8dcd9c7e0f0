"""Rules as RFC 5545 reads them, where ``dateutil`` reads them otherwise."""

import re
from datetime import datetime

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_TIMES = ("BYHOUR", "BYMINUTE", "BYSECOND")
_ORDINAL = re.compile(r"[+-]?\d+")
#: A month has no weekday more often.
_MOST_IN_MONTH = 5
_MOST_IN_YEAR = 53


def as_meant(text: str, starts: datetime, *, whole_days: bool) -> str:
    """Return a rule in words that ``dateutil`` reads so; raises ``ValueError`` without any."""
    parts = dict(part.split("=", 1) for part in text.split(";"))
    if whole_days:
        # Days have no times: the RFC has these ignored.
        parts = {name: value for name, value in parts.items() if name not in _TIMES}
    _check(parts, starts)
    if "BYWEEKNO" in parts and not parts.keys() & {"BYDAY", "BYMONTHDAY", "BYYEARDAY"}:
        parts["BYDAY"] = _DAYS[starts.weekday()]
    return ";".join(f"{name}={value}" for name, value in parts.items())


def _check(parts: dict[str, str], starts: datetime) -> None:
    if int(parts.get("COUNT", "1")) < 1:
        message = "COUNT is below 1"
        raise ValueError(message)
    numbers = [_ORDINAL.match(day) for day in parts.get("BYDAY", "MO").split(",")]
    if any(numbers) and not all(numbers):
        message = "BYDAY has weekdays with and without a number: write an event for each kind"
        raise ValueError(message)
    if any(abs(int(each[0])) > _most(parts) for each in numbers if each is not None):
        message = "BYDAY counts to a weekday that no month has"
        raise ValueError(message)
    if parts.get("FREQ") == "WEEKLY" and "BYSETPOS" in parts and not _begins_week(parts, starts):
        message = "BYSETPOS counts the days of a week that begins before the event"
        raise ValueError(message)


def _most(parts: dict[str, str]) -> int:
    """Return the largest number of a weekday: ``dateutil`` fails where no month has so many."""
    in_months = parts.get("FREQ") == "MONTHLY" or "BYMONTH" in parts
    return _MOST_IN_MONTH if in_months else _MOST_IN_YEAR


def _begins_week(parts: dict[str, str], starts: datetime) -> bool:
    return starts.weekday() == _DAYS.index(parts.get("WKST", "MO"))
