"""Cron as users write it: aliases, the fields of each dialect, and what each field accepts."""

import re
from typing import NamedTuple, NoReturn

from timegate.domain.recurrence.cron.grammar import (
    GRAMMARS,
    WEEKDAYS,
    DialectGrammar,
    FieldGrammar,
)
from timegate.domain.recurrence.schedule import CronDialect
from timegate.domain.values.errors import InvalidInput

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


class CronFields(NamedTuple):
    """The seven fields, lower case; seconds are ``0`` and years ``*`` where they are missing."""

    second: str
    minute: str
    hour: str
    day: str
    month: str
    weekday: str
    year: str


_QUESTION_MARK = frozenset({"day-of-month", "day-of-week"})
_ITEM = re.compile(r"(?:\*|(?P<value>\w+)(?:-(?P<last>\w+))?)(?:/(?P<step>\d{1,4}))?", re.ASCII)
_NTH_WEEKDAY = re.compile(r"(?P<weekday>\w+)#(?P<nth>[1-5])", re.ASCII)
_LAST_WEEKDAY = re.compile(r"(?P<before>\w+)l|l(?P<behind>\w+)", re.ASCII)
_LAST_DAY = re.compile(r"l(?:-(?P<back>\d{1,2}))?|lw|wl|(?P<near>\d{1,2})w", re.ASCII)
_WRAPPED = re.compile(r"cron\((.*)\)")
_MAX_BACK = 30
_SUNDAY = 7
_SATURDAY = "6"
#: Every value of a field.
ANY = "*"


def read_fields(text: str, dialect: CronDialect = CronDialect.TIMEGATE) -> CronFields:
    """Split and check an expression; raises ``InvalidInput`` naming the part that is wrong.

    Names come back as numbers, weekdays counted from Sunday 0, a range of one value as that value,
    and ``5l`` as ``l5``, whatever the dialect.
    """
    if len(text) > MAX_CRON_CHARACTERS:
        _refuse(f"It is longer than {MAX_CRON_CHARACTERS} characters.")
    return CronFields(*_Reader(GRAMMARS[dialect]).read(text.strip().lower()))


class _Reader:
    """Reads the expressions of one dialect."""

    def __init__(self, dialect: DialectGrammar) -> None:
        self._dialect = dialect

    def read(self, lowered: str) -> list[str]:
        """Split an expression into its fields, and read each."""
        parts = self._split(lowered)
        fields = list(map(self._field, parts, self._dialect.fields))
        if self._dialect.needs_question_mark and (parts[3], parts[5]).count("?") != 1:
            _refuse(
                f"{self._dialect.title} wants ? in exactly one of day-of-month and day-of-week."
            )
        return fields

    def _split(self, lowered: str) -> list[str]:
        dialect = self._dialect
        wrapped = _WRAPPED.fullmatch(lowered)
        if wrapped and not dialect.has_wrapper:
            _refuse("cron(…) is how EventBridge writes it: set dialect to eventbridge.")
        if lowered.startswith("@") and not dialect.has_aliases:
            _refuse(f"{dialect.title} has no aliases such as {lowered}. Write the fields.")
        if lowered.startswith("@") and lowered not in ALIASES:
            named = f"{', '.join(ALIASES)}, and @every with a span: @every 5m"
            _refuse(f"{lowered!r} is no alias; there are {named}.")
        parts = ALIASES.get(lowered, wrapped[1] if wrapped else lowered).split()
        layout = dialect.layouts.get(len(parts))
        if layout is None:
            _refuse(f"It has {len(parts)} fields instead of {dialect.sizes} ({dialect.title}).")
        return [*layout[0], *parts, *layout[1]]

    def _field(self, text: str, grammar: FieldGrammar) -> str:
        if text == "?" and grammar.title in _QUESTION_MARK and self._dialect.is_extended:
            return ANY
        return ",".join(self._item(item, grammar) for item in text.split(","))

    def _item(self, item: str, grammar: FieldGrammar) -> str:
        if self._dialect.has_bare_steps and item.startswith("/"):
            item = f"{ANY}{item}"
        if self._dialect.is_extended:
            if grammar.title == "day-of-month" and (special := _LAST_DAY.fullmatch(item)):
                return self._special_day(special, grammar)
            if grammar.names is WEEKDAYS and (named := self._special_weekday(item, grammar)):
                return named
        return self._steps(item, grammar)

    def _special_weekday(self, item: str, grammar: FieldGrammar) -> str | None:
        """Check ``L``, ``fri#2`` and ``friL``."""
        if item == "l":
            return _SATURDAY
        if nth := _NTH_WEEKDAY.fullmatch(item):
            return f"{self._value(nth['weekday'], grammar, item) % _SUNDAY}#{nth['nth']}"
        if last := _LAST_WEEKDAY.fullmatch(item):
            edge = last["before"] or last["behind"]
            return f"l{self._value(edge, grammar, item) % _SUNDAY}"
        return None

    def _special_day(self, special: re.Match[str], grammar: FieldGrammar) -> str:
        """Check ``L-3`` and ``15W``; ``WL`` comes back as ``LW``."""
        if special["near"] is not None:
            return f"{self._value(special['near'], grammar, special[0])}w"
        if special["back"] is not None and not 1 <= int(special["back"]) <= _MAX_BACK:
            _refuse(f"{special[0]!r} is outside l-1 to l-{_MAX_BACK} ({grammar.title}).")
        return "lw" if special[0] == "wl" else special[0]

    def _steps(self, item: str, grammar: FieldGrammar) -> str:
        match = _ITEM.fullmatch(item)
        if match is None:
            self._refuse_value(item, grammar)
        base = self._range(match, grammar, item)
        if match["step"] is None:
            return base
        if int(match["step"]) == 0:
            _refuse(f"{item!r} has a step of 0.")
        if match["last"] is None and match["value"] and not self._dialect.is_extended:
            _refuse(f"{item!r} has a step but no range: {self._dialect.title} wants a-b/n or */n.")
        # ``5-5/2`` is 5 alone, while ``5/2`` counts on from 5.
        written_single = match["last"] is not None and "-" not in base
        return base if written_single else f"{base}/{match['step']}"

    def _range(self, match: re.Match[str], grammar: FieldGrammar, item: str) -> str:
        if match["value"] is None:
            return ANY
        first = self._value(match["value"], grammar, item)
        weekday = grammar.names is WEEKDAYS
        if match["last"] in {None, match["value"]}:
            return str(first % _SUNDAY if weekday else first)
        last = self._value(match["last"], grammar, item)
        if first > last and not self._dialect.is_extended:
            _refuse(f"{item!r} wraps around, which {self._dialect.title} does not read.")
        if weekday:
            # Sunday begins a range as 0 and ends one as 7: ``fri-sun`` does not wrap around.
            first, last = first % _SUNDAY, last or (_SUNDAY if first % _SUNDAY else 0)
        if first > last and match["step"]:
            _refuse(f"{item!r} wraps around and has a step; list its values instead.")
        return str(first) if first == last else f"{first}-{last}"

    def _value(self, text: str, grammar: FieldGrammar, item: str) -> int:
        """Read a number or a name; weekdays come back counted from Sunday 0."""
        if text in grammar.names:
            return grammar.names.index(text) + (0 if grammar.names is WEEKDAYS else grammar.low)
        if not text.isdigit():
            self._refuse_value(item, grammar)
        value = int(text)
        if not grammar.low <= value <= grammar.high:
            sunday = "; Sunday is 1" if self._dialect.counts_from_sunday_1 else ""
            weekday = sunday if grammar.names is WEEKDAYS else ""
            _refuse(
                f"{item!r} is outside {grammar.low} to {grammar.high} ({grammar.title}{weekday})."
            )
        return value - 1 if grammar.names is WEEKDAYS and grammar.low else value

    def _refuse_value(self, item: str, grammar: FieldGrammar) -> NoReturn:
        """Name the field, and the dialect where it reads less than the default."""
        by = "" if self._dialect.is_extended else f" of {self._dialect.title}"
        _refuse(f"{item!r} is no {grammar.title} value{by}.")


def _refuse(detail: str) -> NoReturn:
    raise InvalidInput("schedule.cron", "invalid_cron", detail)
