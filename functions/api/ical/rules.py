"""Rules as RFC 5545 reads them, where ``dateutil`` reads them otherwise."""

import re
from datetime import datetime

_DAYS = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
_TIMES = ("BYHOUR", "BYMINUTE", "BYSECOND")
_ORDINAL = re.compile(r"[+-]?\d")


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
    numbered = [_ORDINAL.match(day) is not None for day in parts.get("BYDAY", "MO").split(",")]
    if any(numbered) and not all(numbered):
        message = "BYDAY has weekdays with and without a number: write an event for each kind"
        raise ValueError(message)
    if parts.get("FREQ") == "WEEKLY" and "BYSETPOS" in parts and not _begins_week(parts, starts):
        message = "BYSETPOS counts the days of a week that begins before the event"
        raise ValueError(message)


def _begins_week(parts: dict[str, str], starts: datetime) -> bool:
    return starts.weekday() == _DAYS.index(parts.get("WKST", "MO"))
