"""Months of UTC, as seals are named by them."""

import re
from datetime import date

#: A year and a month.
MONTH = r"20[0-9]{2}-(0[1-9]|1[0-2])"
_MONTH = re.compile(MONTH)


def month_of(day: str) -> str:
    """Return the month of a day: ``2026-11`` of ``2026-11-21``."""
    return day[:7]


def first_day(month: str) -> date:
    """Return the first day of a month."""
    return date.fromisoformat(f"{month}-01")


def month_after(month: str) -> str:
    """Return the month after a month."""
    year, number = _parts(month)
    return f"{year + number // 12:04d}-{number % 12 + 1:02d}"


def month_before(month: str) -> str:
    """Return the month before a month."""
    year, number = _parts(month)
    return f"{year - (number == 1):04d}-{(number - 2) % 12 + 1:02d}"


def is_month(text: str) -> bool:
    """Tell if text is a month as seals are named by it."""
    return _MONTH.fullmatch(text) is not None


def _parts(month: str) -> tuple[int, int]:
    year, _, number = month.partition("-")
    return int(year), int(number)
