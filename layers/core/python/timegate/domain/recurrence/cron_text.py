"""Cron as users write it: aliases, five to seven fields, and what each field accepts."""

import re
from dataclasses import dataclass
from typing import NamedTuple, NoReturn

from timegate.domain.errors import InvalidInput

#: Longer expressions name nothing a shorter one could not, and every distinct one is cached.
MAX_CRON_CHARACTERS = 255

ALIASES = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * 0",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


class CronFields(NamedTuple):
    """The seven fields, lower case; seconds are ``0`` and years ``*`` where they are missing."""

    second: str
    minute: str
    hour: str
    day: str
    month: str
    weekday: str
    year: str


@dataclass(frozen=True, kw_only=True, slots=True)
class _Grammar:
    """What one field accepts."""

    title: str
    low: int
    high: int
    #: Names stand for ``low``, ``low + 1``, and so on.
    names: tuple[str, ...] = ()


_GRAMMARS = (
    _Grammar(title="seconds", low=0, high=59),
    _Grammar(title="minutes", low=0, high=59),
    _Grammar(title="hours", low=0, high=23),
    _Grammar(title="day-of-month", low=1, high=31),
    _Grammar(title="month", low=1, high=12, names=MONTHS),
    _Grammar(title="day-of-week", low=0, high=7, names=WEEKDAYS),
    # The years that croniter reads.
    _Grammar(title="year", low=1970, high=2099),
)
_QUESTION_MARK = frozenset({"day-of-month", "day-of-week"})
_ITEM = re.compile(r"(?:\*|(?P<value>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>\d{1,4}))?", re.ASCII)
_NTH_WEEKDAY = re.compile(r"(?P<weekday>\w+)#(?P<nth>[1-5])", re.ASCII)
_LAST_WEEKDAY = re.compile(r"(?P<before>\w+)l|l(?P<behind>\w+)", re.ASCII)
_LAST_DAY = re.compile(r"l(?:-(?P<back>\d{1,2}))?|lw|wl|(?P<near>\d{1,2})w", re.ASCII)
_MAX_BACK = 30
_FIVE_FIELDS = 5
_SUNDAY = 7
_SATURDAY = "6"
#: Every value of a field.
ANY = "*"


def read_fields(text: str) -> CronFields:
    """Split and check an expression; raises ``InvalidInput`` naming the part that is wrong.

    Names come back as numbers, a range of one value as that value, and ``5l`` as ``l5``.
    """
    if len(text) > MAX_CRON_CHARACTERS:
        _refuse(f"It is longer than {MAX_CRON_CHARACTERS} characters.")
    lowered = text.strip().lower()
    if lowered.startswith("@every"):
        _refuse("@every is an interval: use a schedule of kind rate, such as every_seconds 300.")
    if lowered.startswith("@") and lowered not in ALIASES:
        _refuse(f"{text!r} is no alias; there are {', '.join(ALIASES)}.")
    parts = ALIASES.get(lowered, lowered).split()
    if len(parts) == _FIVE_FIELDS:
        parts.insert(0, "0")
    if len(parts) == len(_GRAMMARS) - 1:
        parts.append(ANY)
    if len(parts) != len(_GRAMMARS):
        _refuse(
            f"It has {len(parts)} fields instead of 5, or 6 with seconds first, "
            "or 7 with years last."
        )
    return CronFields(*map(_read_field, parts, _GRAMMARS))


def _read_field(text: str, grammar: _Grammar) -> str:
    if text == "?" and grammar.title in _QUESTION_MARK:
        return ANY
    return ",".join(_read_item(item, grammar) for item in text.split(","))


def _read_item(item: str, grammar: _Grammar) -> str:
    if grammar.title == "day-of-month" and (special := _LAST_DAY.fullmatch(item)):
        return _read_special_day(special, grammar)
    if grammar.names is WEEKDAYS:
        if item == "l":
            return _SATURDAY
        if nth := _NTH_WEEKDAY.fullmatch(item):
            return f"{_read_value(nth['weekday'], grammar, item) % _SUNDAY}#{nth['nth']}"
        if last := _LAST_WEEKDAY.fullmatch(item):
            edge = last["before"] or last["behind"]
            return f"l{_read_value(edge, grammar, item) % _SUNDAY}"
    return _read_steps(item, grammar)


def _read_special_day(special: re.Match[str], grammar: _Grammar) -> str:
    """Check ``L-3`` and ``15W``; ``WL`` comes back as ``LW``."""
    if special["near"] is not None:
        return f"{_read_value(special['near'], grammar, special[0])}w"
    if special["back"] is not None and not 1 <= int(special["back"]) <= _MAX_BACK:
        _refuse(f"{special[0]!r} is outside l-1 to l-{_MAX_BACK} ({grammar.title}).")
    return "lw" if special[0] == "wl" else special[0]


def _read_steps(item: str, grammar: _Grammar) -> str:
    match = _ITEM.fullmatch(item)
    if match is None:
        _refuse(f"{item!r} is no {grammar.title} value.")
    base = _read_range(match, grammar, item)
    if match["step"] is None:
        return base
    if int(match["step"]) == 0:
        _refuse(f"{item!r} has a step of 0.")
    # ``5-5/2`` is 5 alone, while ``5/2`` counts on from 5.
    written_single = match["last"] is not None and "-" not in base
    return base if written_single else f"{base}/{match['step']}"


def _read_range(match: re.Match[str], grammar: _Grammar, item: str) -> str:
    if match["value"] is None:
        return "*"
    first = _read_value(match["value"], grammar, item)
    weekday = grammar.names is WEEKDAYS
    if match["last"] in {None, match["value"]}:
        return str(first % _SUNDAY if weekday else first)
    last = _read_value(match["last"], grammar, item)
    if weekday:
        # Sunday begins a range as 0 and ends one as 7: ``fri-sun`` does not wrap around.
        first, last = first % _SUNDAY, last or (_SUNDAY if first % _SUNDAY else 0)
    if first > last and match["step"]:
        _refuse(f"{item!r} wraps around and has a step; list its values instead.")
    return str(first) if first == last else f"{first}-{last}"


def _read_value(text: str, grammar: _Grammar, item: str) -> int:
    if text in grammar.names:
        return grammar.low + grammar.names.index(text)
    if not text.isdigit():
        _refuse(f"{item!r} is no {grammar.title} value.")
    value = int(text)
    if not grammar.low <= value <= grammar.high:
        _refuse(f"{item!r} is outside {grammar.low} to {grammar.high} ({grammar.title}).")
    return value


def _refuse(detail: str) -> NoReturn:
    raise InvalidInput("schedule.cron", "invalid_cron", detail)
