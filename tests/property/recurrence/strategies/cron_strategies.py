"""Cron expressions together with what they mean: drawn as numbers first, then written.

Nothing here is read by the code under test, and nothing here reads an expression: the oracles
know what a field means because they were told before it was written.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

MONTHS = ("JAN", "feb", "Mar", "APR", "may", "Jun", "JUL", "aug", "Sep", "OCT", "nov", "Dec")
WEEKDAYS = ("SUN", "mon", "Tue", "WED", "thu", "Fri", "SAT")


@dataclass(frozen=True, kw_only=True)
class Field:
    """One field, as written and as meant."""

    text: str
    values: frozenset[int]
    #: ``L`` in the day field.
    last_day: bool = False
    #: ``L-3`` in the day field, as 3.
    before_last: frozenset[int] = frozenset()
    #: ``15W`` in the day field, as 15; ``LW`` as 0.
    workdays: frozenset[int] = frozenset()
    #: ``fri#2`` as (5, 2) and ``friL`` as (5, 0): weekday from Sunday 0, week of the month.
    nth_weekdays: frozenset[tuple[int, int]] = frozenset()

    @property
    def begins_with_star(self) -> bool:
        """A star tells an interval from fixed times, and both days from either."""
        return self.text.startswith(("*", "?"))


@dataclass(frozen=True, kw_only=True)
class Cron:
    """Six fields; five are written when the first is absent."""

    second: Field | None
    minute: Field
    hour: Field
    day: Field
    month: Field
    weekday: Field
    #: Written behind six fields.
    year: Field | None = None

    @property
    def text(self) -> str:
        """The expression."""
        second = self.second or (Field(text="0", values=frozenset({0})) if self.year else None)
        fields = [second, self.minute, self.hour, self.day, self.month, self.weekday, self.year]
        return " ".join(part.text for part in fields if part is not None)

    @property
    def seconds(self) -> frozenset[int]:
        """Seconds of each matching minute."""
        return self.second.values if self.second is not None else frozenset({0})

    @property
    def is_interval(self) -> bool:
        """By meaning: all hours, or all minutes of an hour, however they are written."""
        return len(self.hour.values) == 24 or len(self.minute.values) == 60

    @property
    def is_read_alike(self) -> bool:
        """Vixie cron goes by the spelling, and comes to the same answer."""
        by_spelling = self.hour.begins_with_star or self.minute.begins_with_star
        return by_spelling == self.is_interval


@dataclass(frozen=True, kw_only=True)
class Grammar:
    """Values of a field."""

    low: int
    high: int
    names: Sequence[str] = field(default_factory=tuple)

    def write(self, value: int, *, named: bool) -> str:
        """A number, or its name where it has one."""
        return self.names[value - self.low] if named and self.names else str(value)


def _span(first: int, last: int, step: int = 1) -> frozenset[int]:
    return frozenset(range(first, last + 1, step))


@st.composite
def items(draw: st.DrawFn, grammar: Grammar) -> Field:
    """One item of a list: a value, a range, steps, or a star."""
    low, high = grammar.low, grammar.high
    first = draw(st.integers(low, high))
    last = draw(st.integers(first, high))
    step = draw(st.integers(1, high - low + 5))
    named = draw(st.booleans())
    begin, end = grammar.write(first, named=named), grammar.write(last, named=named)
    shape = draw(st.sampled_from(["value", "range", "range/step", "value/step", "*/step", "*"]))
    match shape:
        case "value":
            return Field(text=begin, values=frozenset({first}))
        case "range":
            return Field(text=f"{begin}-{end}", values=_span(first, last))
        case "range/step":
            # ``5-5/2`` is 5 here, and 5, 7, 9 … to cronsim.
            step = step if first < last else 1
            text = f"{begin}-{end}/{step}" if first < last else begin
            return Field(text=text, values=_span(first, last, step))
        case "value/step":
            return Field(text=f"{begin}/{step}", values=_span(first, high, step))
        case "*/step":
            return Field(text=f"*/{step}", values=_span(low, high, step))
        case _:
            return Field(text="*", values=_span(low, high))


def listed(parts: Sequence[Field]) -> Field:
    """Several items, separated by commas."""
    return Field(
        text=",".join(part.text for part in parts),
        values=frozenset().union(*(part.values for part in parts)),
        last_day=any(part.last_day for part in parts),
        before_last=frozenset().union(*(part.before_last for part in parts)),
        workdays=frozenset().union(*(part.workdays for part in parts)),
        nth_weekdays=frozenset().union(*(part.nth_weekdays for part in parts)),
    )


def fields(grammar: Grammar, *extra: st.SearchStrategy[Field]) -> st.SearchStrategy[Field]:
    """A field of up to three items."""
    return st.lists(st.one_of(items(grammar), *extra), min_size=1, max_size=3).map(listed)


def any_of(grammar: Grammar) -> st.SearchStrategy[Field]:
    """A lone star: most fields of most expressions."""
    return st.just(Field(text="*", values=_span(grammar.low, grammar.high)))


MINUTE = Grammar(low=0, high=59)
HOUR = Grammar(low=0, high=23)
DAY = Grammar(low=1, high=31)
MONTH = Grammar(low=1, high=12, names=MONTHS)
WEEKDAY = Grammar(low=0, high=6, names=WEEKDAYS)

_last_day = st.just(Field(text="L", values=frozenset(), last_day=True))
_before_last = st.integers(1, 30).map(
    lambda back: Field(text=f"L-{back}", values=frozenset(), before_last=frozenset({back}))
)
_workday = st.integers(0, 31).map(
    lambda day: Field(
        text=f"{day}W" if day else "LW", values=frozenset(), workdays=frozenset({day})
    )
)
_nth_weekday = st.builds(
    lambda weekday, week: Field(
        # The weekday is a number: cronsim reads no name before ``L``.
        text=f"{weekday}#{week}" if week else f"{weekday}L",
        values=frozenset(),
        nth_weekdays=frozenset({(weekday, week)}),
    ),
    st.integers(0, 6),
    st.integers(0, 5),
)
_sunday = st.just(Field(text="7", values=frozenset({0})))
_to_sunday = st.integers(1, 6).map(
    lambda first: Field(text=f"{first}-7", values=_span(first, 6) | {0})
)
#: Hours around which clocks are changed.
_early = st.sampled_from(
    [Field(text="1-3", values=_span(1, 3)), Field(text="2", values=frozenset({2}))]
)

#: Few of them: every second of three days is a quarter of a million instants.
seconds = st.sets(st.integers(0, 59), min_size=1, max_size=3).map(
    lambda values: Field(text=",".join(map(str, values)), values=frozenset(values))
)
#: Minutes at which clocks are changed.
_round = st.sampled_from(
    [
        Field(text="0", values=frozenset({0})),
        Field(text="0,30", values=frozenset({0, 30})),
        Field(text="30", values=frozenset({30})),
        Field(text="*/30", values=frozenset({0, 30})),
    ]
)
minutes = st.one_of(fields(MINUTE), any_of(MINUTE), _round, _round)
hours = st.one_of(fields(HOUR), any_of(HOUR), _early, _early)
days = st.one_of(
    any_of(DAY), any_of(DAY), any_of(DAY), fields(DAY, _last_day, _before_last, _workday)
)
months = st.one_of(any_of(MONTH), any_of(MONTH), any_of(MONTH), fields(MONTH))


weekdays = st.one_of(
    any_of(WEEKDAY),
    any_of(WEEKDAY),
    fields(WEEKDAY, _nth_weekday, _sunday, _to_sunday),
)

#: Years of the windows, and others.
years = st.sets(st.sampled_from([2007, 2011, 2026, 2027, 2028]), min_size=1).map(
    lambda values: Field(text=",".join(map(str, sorted(values))), values=frozenset(values))
)

#: Five to seven fields.
crons = st.builds(
    Cron,
    second=st.none() | seconds,
    minute=minutes,
    hour=hours,
    day=days,
    month=months,
    weekday=weekdays,
    year=st.none() | st.none() | years,
)


def _set_of(values: list[int], most: int) -> st.SearchStrategy[Field]:
    return st.sets(st.sampled_from(values), min_size=1, max_size=most).map(
        lambda drawn: Field(text=",".join(map(str, sorted(drawn))), values=frozenset(drawn))
    )


#: Fixed times at the hours at which clocks are changed, on most days.
night_crons = st.builds(
    Cron,
    second=st.none() | _set_of([0, 1, 30], 2),
    minute=_set_of([0, 1, 15, 29, 30, 45, 59], 3),
    hour=_set_of([0, 1, 2, 3, 4, 23], 4),
    day=any_of(DAY),
    month=any_of(MONTH),
    weekday=any_of(WEEKDAY) | _set_of([0, 1, 4, 5, 6], 4),
)
#: Five fields.
minutely_crons = st.builds(
    Cron,
    second=st.none(),
    minute=minutes,
    hour=hours,
    day=days,
    month=months,
    weekday=weekdays,
)
