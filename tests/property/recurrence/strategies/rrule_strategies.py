"""Recurrence rules drawn by lot, as numbers."""

from datetime import datetime

from hypothesis import strategies as st

from tests.property.recurrence.oracles.rrule_oracle import UNITS, Rule

_FREQUENCIES = ("YEARLY", "MONTHLY", "WEEKLY", "DAILY", *UNITS)
#: Intervals that divide a day, and some that do not.
_INTERVALS = (1, 1, 1, 2, 3, 5, 6, 7, 8, 15, 24, 25, 36, 45, 60, 90)


def _some(low: int, high: int, most: int = 3) -> st.SearchStrategy[tuple[int, ...]]:
    """Mostly none."""
    numbers = st.lists(st.integers(low, high), unique=True, min_size=1, max_size=most)
    return st.one_of(st.just(()), st.just(()), numbers.map(tuple))


def _signed(high: int) -> st.SearchStrategy[tuple[int, ...]]:
    """From both ends."""
    return _some(1, 2 * high).map(
        lambda them: tuple(each if each <= high else high - each for each in them)
    )


@st.composite
def rules(draw: st.DrawFn, *, year: int, frequencies: tuple[str, ...] = _FREQUENCIES) -> Rule:
    """A rule that the RFC allows, beginning in a year."""
    freq = draw(st.sampled_from(frequencies))
    dated = freq in {"YEARLY", *UNITS}
    weeks = draw(_signed(51)) if freq == "YEARLY" else ()
    ordinals = st.sampled_from([0, 1, 2, 5, 20, -1, -2])
    nth = ordinals if freq in {"YEARLY", "MONTHLY"} and not weeks else st.just(0)
    weekdays = st.lists(st.tuples(nth, st.integers(0, 6)), unique=True, min_size=1, max_size=4)
    rule = Rule(
        start=datetime(  # noqa: DTZ001 - a wall clock
            year,
            draw(st.integers(1, 12)),
            draw(st.sampled_from([1, 2, 15, 27, 28])),
            draw(st.integers(4, 23)),
            draw(st.sampled_from([0, 0, 1, 30, 59])),
            draw(st.sampled_from([0, 0, 0, 7])),
        ),
        freq=freq,
        interval=draw(st.sampled_from(_INTERVALS)),
        count=draw(st.none() | st.integers(1, 40)),
        months=draw(_some(1, 12, 4)),
        weeks=weeks,
        yeardays=draw(_signed(366)) if dated else (),
        monthdays=draw(_signed(31)) if freq != "WEEKLY" else (),
        weekdays=draw(st.just(()) | weekdays.map(tuple)),
        hours=draw(_some(0, 23)),
        minutes=draw(_some(0, 59)),
        seconds=draw(_some(0, 59, 2)) if freq != "SECONDLY" else (),
        week_start=draw(st.integers(0, 6)),
    )
    if freq == "SECONDLY" and 86_400 % rule.interval:
        rule = _replaced(rule, hours=(), minutes=())
    by_parts = (rule.months, rule.weeks, rule.yeardays, rule.monthdays, rule.weekdays)
    if any(by_parts) or rule.hours or rule.minutes or rule.seconds:
        positions = st.lists(st.sampled_from([1, 2, 3, -1, -2]), unique=True, max_size=2)
        rule = _replaced(rule, positions=tuple(draw(st.just([]) | positions)))
    return rule


def _replaced(rule: Rule, **fields: tuple[int, ...]) -> Rule:
    return Rule(**{**rule.__dict__, **fields})
