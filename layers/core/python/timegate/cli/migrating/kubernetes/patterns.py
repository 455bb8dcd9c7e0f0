"""Patterns of Kubernetes, which are those of robfig/cron version 3.

Source: ``parser.go`` and ``spec.go`` of robfig/cron.
"""

import re
from collections.abc import Sequence

from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.values.errors import InvalidInput

_STAR = re.compile(r"\*(?:/0*+1)?+")
_STEPS = re.compile(r"\*/(\d{1,4}+)")
_LIST_OF_DAYS = (
    "*/n in a day field is a list of days there, so that either field is enough. "
    "The same text asks for both here"
)
_ANY_DAY = "* in a list of days is any day there, and the other field decides"
_FIELDS = 5
_DAY, _WEEKDAY = 2, 4
_ITEM = re.compile(
    r"(?:\*|(?P<low>\w{1,9}+)(?:-(?P<high>\w{1,9}+))?+)(?:/(?P<step>\d{1,9}+))?+", re.ASCII
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
#: Values of each field, and the names of them from the first on. Sunday is 0 and never 7.
_FIELD_VALUES: tuple[tuple[range, Sequence[str]], ...] = (
    (range(60), ()),
    (range(24), ()),
    (range(1, 32), ()),
    (range(1, 13), _MONTHS),
    (range(7), _DAYS),
)
_DESCRIPTORS = frozenset(
    {"@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly"}
)


def rewritten(pattern: str) -> tuple[str, str]:
    """Check the number of fields, and write days so that they mean the same here; and say why.

    robfig/cron forgets the star of ``*/2``: with both day fields given, either is enough. It keeps
    that of ``1,*``, wherever it stands in a list: the other field decides.
    """
    if pattern.startswith("@"):
        _refuse_descriptor(pattern)
        return pattern, ""
    # A question mark is a star in each field there.
    parts = pattern.replace("?", "*").split()
    if len(parts) != _FIELDS:
        detail = f"It has {len(parts)} fields instead of {_FIELDS} (Kubernetes)."
        raise InvalidInput("schedule.cron", "invalid_cron", detail)
    parse_cron(" ".join(parts))
    _refuse_fields(parts)
    detail = ""
    for at in (_DAY, _WEEKDAY):
        items = parts[at].split(",")
        if any(map(_STAR.fullmatch, items)):
            parts[at] = "*"
            detail = _ANY_DAY if len(items) > 1 else detail
    if "*" in {parts[_DAY], parts[_WEEKDAY]}:
        return " ".join(parts), detail
    written = list(parts)
    parts[_DAY] = _STEPS.sub(r"1-31/\1", parts[_DAY])
    parts[_WEEKDAY] = _STEPS.sub(r"0-6/\1", parts[_WEEKDAY])
    return " ".join(parts), _LIST_OF_DAYS if parts != written else ""


def _refuse_fields(parts: Sequence[str]) -> None:
    """Raise ``InvalidInput`` for five fields that the program does not take."""
    for part, (values, names) in zip(parts, _FIELD_VALUES, strict=True):
        for item in part.split(","):
            if not _takes(item.lower(), values, names):
                detail = (
                    f"Kubernetes refuses {item!r}: it takes values from {values[0]} to"
                    f" {values[-1]}, ranges that rise, and steps of them."
                )
                raise InvalidInput("schedule.cron", "invalid_cron", detail)


def _refuse_descriptor(text: str) -> None:
    """Raise ``InvalidInput`` for a word that is none of the program's, in small letters."""
    if text not in _DESCRIPTORS and not text.startswith("@every "):
        detail = (
            f"Kubernetes knows no {text!r}; it has @every and {', '.join(sorted(_DESCRIPTORS))}."
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
