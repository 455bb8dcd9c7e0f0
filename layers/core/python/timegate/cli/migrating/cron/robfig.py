"""Patterns of robfig/cron version 3, which Kubernetes and dkron read.

Source: ``parser.go`` and ``spec.go`` of robfig/cron.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.values.errors import InvalidInput

_STAR = re.compile(r"\*(?:/0*+1)?+")
_STEPS = re.compile(r"\*/(\d{1,4}+)")
_LIST_OF_DAYS = (
    "*/n in a day field is a list of days there, so that either field is enough. "
    "The same text asks for both here"
)
_ANY_DAY = "* in a list of days is any day there, and the other field decides"
_ZONE = re.compile(r"(?:CRON_)?TZ=(?P<zone>\S++)\s++(?P<text>.++)")
_ITEM = re.compile(
    r"(?:\*|(?P<low>\w{1,9}+)(?:-(?P<high>\w{1,9}+))?+)(?:/(?P<step>\d{1,9}+))?+", re.ASCII
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
#: Values of each field, and the names of them from the first on. Sunday is 0 and never 7.
_FIELD_VALUES: tuple[tuple[range, Sequence[str]], ...] = (
    (range(60), ()),
    (range(60), ()),
    (range(24), ()),
    (range(1, 32), ()),
    (range(1, 13), _MONTHS),
    (range(7), _DAYS),
)
_DESCRIPTORS = frozenset(
    {"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"}
)


class CronProgram(NamedTuple):
    """A program that reads such patterns."""

    name: str
    #: 5, or 6 with seconds before them.
    fields: int


def parted(text: str) -> tuple[str | None, str]:
    """Return the zone that a schedule begins with, or none, and what follows it."""
    zoned = _ZONE.fullmatch(text)
    return (zoned["zone"], zoned["text"]) if zoned else (None, text)


def rewritten(pattern: str, program: CronProgram) -> tuple[str, str]:
    """Check the number of fields, and write days so that they mean the same here; and say why.

    robfig/cron forgets the star of ``*/2``: with both day fields given, either is enough. It keeps
    that of ``1,*``, wherever it stands in a list: the other field decides. Raises ``InvalidInput``
    with code ``invalid_cron`` for a pattern that the program refuses.
    """
    if pattern.startswith("@"):
        _refuse_descriptor(pattern, program)
        return pattern, ""
    # A question mark is a star in each field there.
    parts = pattern.replace("?", "*").split()
    if len(parts) != program.fields:
        detail = f"It has {len(parts)} fields instead of {program.fields} ({program.name})."
        raise InvalidInput("schedule.cron", "invalid_cron", detail)
    parse_cron(" ".join(parts))
    _refuse_fields(parts, program)
    day, weekday = program.fields - 3, program.fields - 1
    detail = ""
    for at in (day, weekday):
        items = parts[at].split(",")
        if any(map(_STAR.fullmatch, items)):
            parts[at] = "*"
            detail = _ANY_DAY if len(items) > 1 else detail
    if "*" in {parts[day], parts[weekday]}:
        return " ".join(parts), detail
    written = list(parts)
    parts[day] = _STEPS.sub(r"1-31/\1", parts[day])
    parts[weekday] = _STEPS.sub(r"0-6/\1", parts[weekday])
    return " ".join(parts), _LIST_OF_DAYS if parts != written else ""


def _refuse_fields(parts: Sequence[str], program: CronProgram) -> None:
    """Raise ``InvalidInput`` for fields that the program does not take."""
    for part, (values, names) in zip(parts, _FIELD_VALUES[-program.fields :], strict=True):
        for item in part.split(","):
            if not _takes(item.lower(), values, names):
                detail = (
                    f"{program.name} refuses {item!r}: it takes values from {values[0]} to"
                    f" {values[-1]}, ranges that rise, and steps of them."
                )
                raise InvalidInput("schedule.cron", "invalid_cron", detail)


def _refuse_descriptor(text: str, program: CronProgram) -> None:
    """Raise ``InvalidInput`` for a word that is none of the program's, in small letters."""
    if text not in _DESCRIPTORS and not text.startswith("@every "):
        detail = (
            f"{program.name} knows no {text!r}; it has @every and"
            f" {', '.join(sorted(_DESCRIPTORS))}."
        )
        raise InvalidInput("schedule.cron", "invalid_cron", detail)


def _takes(item: str, values: range, names: Sequence[str]) -> bool:
    match = _ITEM.fullmatch(item)
    if match is None or (match["step"] is not None and int(match["step"]) == 0):
        return False
    if match["low"] is None:
        return True
    low = _value(match["low"], values, names)
    high = low if match["high"] is None else _value(match["high"], values, names)
    return low in values and high in values and low <= high


def _value(text: str, values: range, names: Sequence[str]) -> int:
    """Return a number or the number of a name; -1 for any other text."""
    if text.isdecimal():
        return int(text)
    return values[0] + names.index(text) if text in names else -1
