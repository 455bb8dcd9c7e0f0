"""The fields of each cron dialect: how many it has, which values, and which marks.

Sources: crontab(5) of Vixie cron; the CronTrigger tutorial and ``CronExpression`` of Quartz 2.3;
"Schedule types" in the user guide of EventBridge Scheduler.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from timegate.domain.recurrence.schedule import CronDialect
from timegate.value_classes import dataclass

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
WEEKDAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")


@dataclass(frozen=True, kw_only=True, slots=True)
class FieldGrammar:
    """The values of one field."""

    title: str
    low: int
    high: int
    #: Names stand for ``low``, ``low + 1``, and so on.
    names: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class DialectGrammar:
    """One dialect."""

    #: For sentences: ``Quartz``.
    title: str
    #: By the number of written fields: the fields to add in front, and behind.
    layouts: Mapping[int, tuple[tuple[str, ...], tuple[str, ...]]]
    #: The same numbers in words.
    sizes: str
    #: From seconds to years.
    fields: tuple[FieldGrammar, ...]
    #: Aliases such as ``@daily`` are read.
    has_aliases: bool = False
    #: ``?``, ``L``, ``W``, ``#``, ``a/n`` and ranges that wrap around are read.
    is_extended: bool = True
    #: Exactly one of day-of-month and day-of-week is ``?``.
    needs_question_mark: bool = False
    #: The expression may stand in ``cron(…)``.
    has_wrapper: bool = False
    #: ``/5`` is ``*/5``.
    has_bare_steps: bool = False

    @property
    def counts_from_sunday_1(self) -> bool:
        """Tell whether Sunday is 1 and Saturday 7, rather than 0 and 6."""
        return self.fields[5].low == 1


_SECONDS: tuple[str, ...] = ("0",)
_YEARS: tuple[str, ...] = ("*",)
_FIELDS = (
    FieldGrammar(title="seconds", low=0, high=59),
    FieldGrammar(title="minutes", low=0, high=59),
    FieldGrammar(title="hours", low=0, high=23),
    FieldGrammar(title="day-of-month", low=1, high=31),
    FieldGrammar(title="month", low=1, high=12, names=MONTHS),
    FieldGrammar(title="day-of-week", low=0, high=7, names=WEEKDAYS),
    FieldGrammar(title="year", low=1970, high=2099),
)
_SUNDAY_1 = replace(_FIELDS[5], low=1)
_LONG_YEARS = replace(_FIELDS[6], high=2199)
GRAMMARS: Mapping[CronDialect, DialectGrammar] = MappingProxyType(
    {
        CronDialect.TIMEGATE: DialectGrammar(
            title="Timegate's cron",
            layouts={5: (_SECONDS, _YEARS), 6: ((), _YEARS), 7: ((), ())},
            sizes="5, or 6 with seconds first, or 7 with years last",
            fields=_FIELDS,
            has_aliases=True,
        ),
        CronDialect.VIXIE: DialectGrammar(
            title="Vixie cron",
            layouts={5: (_SECONDS, _YEARS)},
            sizes="5",
            fields=_FIELDS,
            has_aliases=True,
            is_extended=False,
        ),
        CronDialect.QUARTZ: DialectGrammar(
            title="Quartz",
            layouts={6: ((), _YEARS), 7: ((), ())},
            sizes="6 with seconds first, or 7 with years last",
            fields=(*_FIELDS[:5], _SUNDAY_1, _FIELDS[6]),
            needs_question_mark=True,
            has_bare_steps=True,
        ),
        CronDialect.EVENTBRIDGE: DialectGrammar(
            title="EventBridge",
            layouts={6: (_SECONDS, ())},
            sizes="6 with minutes first and years last",
            fields=(*_FIELDS[:5], _SUNDAY_1, _LONG_YEARS),
            needs_question_mark=True,
            has_wrapper=True,
        ),
    }
)
