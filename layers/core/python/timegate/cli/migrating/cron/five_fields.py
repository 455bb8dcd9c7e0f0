"""Patterns of five fields without additions, as POSIX, Google and GitHub take them."""

import re
from collections.abc import Iterator

from timegate.cli.migrating.entries import Note
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.values.errors import InvalidInput

#: Characters of a pattern there: no L, no #, no W and no question mark.
_PATTERN = re.compile(r"[0-9A-Za-z*,/\s-]++", re.ASCII)
_WORD = re.compile(r"[A-Za-z]++")
_WORDS = frozenset(
    ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
) | frozenset(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))
_FIELDS = 5
_DAY, _WEEKDAY = 2, 4


def five_fields(text: str, *, of: str) -> str:
    """Return a pattern with single blanks; ``of`` names the program.

    Raises ``InvalidInput`` with code ``invalid_cron`` for a pattern that it does not take.
    """
    fields = text.split()
    if len(fields) != _FIELDS:
        detail = f"It has {len(fields)} fields instead of {_FIELDS} ({of})."
        raise InvalidInput("schedule.cron", "invalid_cron", detail)
    words = {word.lower() for word in _WORD.findall(text)}
    if _PATTERN.fullmatch(text) is None or not words <= _WORDS:
        detail = f"{of} has numbers, names, *, lists, ranges and steps, and no L, W or #."
        raise InvalidInput("schedule.cron", "invalid_cron", detail)
    written = " ".join(fields)
    parse_cron(written)
    return written


def notes_of_days(cron: str) -> Iterator[Note]:
    """Yield the difference that a star with a step makes beside another day."""
    fields = cron.split()
    days = (fields[_DAY], fields[_WEEKDAY])
    if "*" not in days and any(each.startswith("*") for each in days):
        detail = (
            "Either day field is enough there unless one is *. Here one that begins with a star"
            " makes both necessary: write */2 as 1-31/2, or as 0-6/2 for weekdays."
        )
        yield Note(code="day_or_weekday", detail=detail)
