"""Patterns drawn as numbers, and written in the dialects of other programs.

The meaning is drawn first, as in ``cron_strategies``; the text is written from the documented rule
of each dialect. Nothing here reads an expression.
"""

from dataclasses import replace

from hypothesis import strategies as st

from tests.property.recurrence.strategies.cron_strategies import (
    DAY,
    WEEKDAYS,
    Cron,
    Field,
    any_of,
    days,
    hours,
    minutes,
    months,
    seconds,
    years,
)
from timegate.domain.recurrence.schedule import CronDialect

ANY_YEAR = Field(text="*", values=frozenset(range(1970, 2100)))
_QUESTION_MARK = Field(text="?", values=frozenset(range(1, 32)))
_NO_WEEKDAY = Field(text="?", values=frozenset(range(7)))
_SUNDAYS_1 = range(1, 8)


def _one(weekday: int) -> Field:
    return Field(text=str(weekday), values=frozenset({weekday - 1}))


def _range(first: int, length: int) -> Field:
    """From a weekday on, round the week: ``6-2`` is Friday to Monday."""
    last = (first + length - 1) % 7 + 1
    values = frozenset((first - 1 + n) % 7 for n in range(length + 1))
    return Field(text=f"{first}-{last}", values=values)


def _steps(first: int, step: int) -> Field:
    """From a weekday to Saturday, which is 7."""
    values = frozenset(number - 1 for number in range(first, 8, step))
    return Field(text=f"{first}/{step}", values=values)


def _special(weekday: int, week: int, *, by_name: bool) -> Field:
    """``6#3``, ``FRI#3`` and ``6L``."""
    name = WEEKDAYS[weekday - 1] if by_name else str(weekday)
    text = f"{name}#{week}" if week else f"{name}L"
    return Field(text=text, values=frozenset(), nth_weekdays=frozenset({(weekday - 1, week)}))


#: Weekdays counted from Sunday 1.
weekdays_from_1 = st.one_of(
    st.builds(_one, st.sampled_from(_SUNDAYS_1)),
    st.builds(_range, st.sampled_from(_SUNDAYS_1), st.integers(1, 6)),
    st.builds(_steps, st.sampled_from(_SUNDAYS_1), st.integers(1, 3)),
    st.builds(_special, st.sampled_from(_SUNDAYS_1), st.integers(0, 5), by_name=st.booleans()),
    st.just(Field(text="L", values=frozenset({6}))),
    st.just(Field(text="*", values=frozenset(range(7)))),
)
#: One of the two day fields, and ``?`` for the other.
_days_of = st.one_of(
    st.tuples(st.just(_QUESTION_MARK), weekdays_from_1),
    st.tuples(days | any_of(DAY), st.just(_NO_WEEKDAY)),
)


@st.composite
def quartz_crons(draw: st.DrawFn) -> Cron:
    """Six fields with seconds first, or seven with years last."""
    day, weekday = draw(_days_of)
    return Cron(
        second=draw(seconds),
        minute=draw(minutes),
        hour=draw(hours),
        day=day,
        month=draw(months),
        weekday=weekday,
        year=draw(st.none() | years),
    )


@st.composite
def eventbridge_crons(draw: st.DrawFn) -> tuple[Cron, str]:
    """Six fields with years last, and the text; the wrapper changes nothing."""
    drawn = draw(quartz_crons())
    cron = replace(drawn, second=None, year=drawn.year or ANY_YEAR)
    text = cron.text.removeprefix("0 ")
    return cron, f"cron({text})" if draw(st.booleans()) else text


#: A pattern, its dialect, and its text.
written = st.one_of(
    quartz_crons().map(lambda cron: (cron, CronDialect.QUARTZ, cron.text)),
    eventbridge_crons().map(lambda drawn: (drawn[0], CronDialect.EVENTBRIDGE, drawn[1])),
)
