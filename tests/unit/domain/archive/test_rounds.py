"""Rounds: when one is due, and which days it has."""

from datetime import UTC, date, datetime, timedelta

import pytest

from timegate.domain.archive.rounds import ArchivedTable, Round, Span, next_span
from timegate.domain.values.errors import Malformed

#: A day's last instant that is not settled, and its first that is.
BEFORE = datetime(2026, 11, 28, 23, 59, 59, 999_000, tzinfo=UTC)
SETTLED = BEFORE + timedelta(milliseconds=1)


def test_a_round_is_due_a_week_after_the_last_and_a_day_later() -> None:
    """Not before every write of its last day is over."""
    until = date(2026, 11, 21)

    assert next_span(until, BEFORE) is None
    assert next_span(until, SETTLED) == Span(begin=until, end=date(2026, 11, 28))


def test_a_round_that_is_late_takes_all_days() -> None:
    """No day is left out between two rounds."""
    span = next_span(date(2026, 11, 1), SETTLED)

    assert span == Span(begin=date(2026, 11, 1), end=date(2026, 11, 28))


def test_the_first_round_has_no_beginning() -> None:
    """It takes whatever there is."""
    assert next_span(None, SETTLED) == Span(begin=None, end=date(2026, 11, 28))


def test_a_span_ends_a_millisecond_before_midnight() -> None:
    """The next one begins there: no instant is in two."""
    span = Span(begin=date(2026, 11, 21), end=date(2026, 11, 28))

    assert span.first == datetime(2026, 11, 21, tzinfo=UTC)
    assert span.last == datetime(2026, 11, 27, 23, 59, 59, 999_000, tzinfo=UTC)


@pytest.mark.parametrize("begin", [None, date(2026, 11, 21)])
def test_a_plan_is_read_back(begin: date | None) -> None:
    """A plan survives its JSON form."""
    span = Span(begin=begin, end=date(2026, 11, 28))
    planned = Round(span=span, segments={ArchivedTable.RUNS: 3, ArchivedTable.JOBS: 1})

    assert Round.from_json(planned.as_json()) == planned


@pytest.mark.parametrize("told", [{}, {"begin": None, "end": "soon", "segments": {}}])
def test_what_is_no_plan_is_refused(told: dict[str, object]) -> None:
    """A person wrote it, or a later version."""
    with pytest.raises(Malformed):
        Round.from_json(told)
