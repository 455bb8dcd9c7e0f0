"""Fields of ``crontab`` of Celery, as a pattern of cron.

Source: ``schedules.py`` of Celery 5, ``crontab_parser`` and ``remaining_delta``. Every field must
match there: a day and a weekday at once.
"""

import re
from collections.abc import Sequence
from typing import NoReturn

from timegate.domain.values.errors import InvalidInput

_ITEM = re.compile(
    r"(?:(?P<star>\*)|(?P<low>\w{1,9}+)(?:-(?P<high>\w{1,9}+))?+)(?:/(?P<step>\d{1,3}+))?+",
    re.ASCII,
)
_DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
#: Values of each field, in the order of a pattern.
_VALUES = (range(60), range(24), range(1, 32), range(1, 13), range(7))
_DAY, _WEEKDAY = 2, 4


def pattern_of_fields(fields: Sequence[str]) -> str:
    """Write minute, hour, day, month and weekday as a pattern that names the same times.

    Raises ``InvalidInput`` with code ``invalid_cron`` for fields that Celery refuses, and for a day
    with a weekday that no pattern asks for at once.
    """
    sets = [_values(field, of) for field, of in zip(fields, _VALUES, strict=True)]
    written = [_written(found, of) for found, of in zip(sets, _VALUES, strict=True)]
    if "*" not in {written[_DAY], written[_WEEKDAY]}:
        # A field that begins with a star makes both necessary; such a step names the first alone.
        at = next((n for n in (_DAY, _WEEKDAY) if _VALUES[n][0] in sets[n]), None)
        if at is None:
            detail = (
                "Celery asks for its days and its weekdays at once, which a pattern does only with"
                " day 1 or Sunday among them: write it as an rrule."
            )
            raise InvalidInput("schedule.cron", "invalid_cron", detail)
        rest = written[at].split(",")[1:]
        written[at] = ",".join((f"*/{len(_VALUES[at])}", *rest))
    return " ".join(written)


def _written(found: set[int], of: range) -> str:
    return "*" if len(found) == len(of) else ",".join(map(str, sorted(found)))


def _values(field: str, of: range) -> set[int]:
    found: set[int] = set()
    for item in field.split(","):
        match = _ITEM.fullmatch(item)
        step = int(match["step"] or 1) if match else 0
        if (
            match is None
            or step == 0
            or (match["step"] and not match["star"] and not match["high"])
        ):
            _refuse(item, of)
        found |= set(_range(match, of)[::step])
    return found


def _range(match: re.Match[str], of: range) -> list[int]:
    """Return the values of a range, which may go beyond the last one and on from the first."""
    if match["star"]:
        return list(of)
    low = _number(match["low"], of)
    high = low if match["high"] is None else _number(match["high"], of)
    if low <= high:
        return list(range(low, high + 1))
    return [*range(low, of[-1] + 1), *range(of[0], high + 1)]


def _number(text: str, of: range) -> int:
    """Return a number, or that of a weekday by its first three letters."""
    if text.isdecimal():
        found = int(text)
    else:
        short = text[:3].lower()
        found = _DAYS.index(short) if short in _DAYS else -1
    if found not in of:
        _refuse(text, of)
    return found


def _refuse(text: str, of: range) -> NoReturn:
    detail = (
        f"Celery refuses {text!r}: it takes values from {of[0]} to {of[-1]}, ranges, and steps of"
        " ranges and of *."
    )
    raise InvalidInput("schedule.cron", "invalid_cron", detail)
