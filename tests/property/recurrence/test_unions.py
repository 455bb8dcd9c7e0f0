"""Unions against the sets of instants that slow readings of their members find."""

from collections import Counter
from datetime import datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.strategies.cron_strategies import crons, night_crons
from tests.property.recurrence.strategies.union_strategies import MILLISECOND, Union, unions
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.fires import fires_between, next_fire, nominates
from timegate.domain.recurrence.kinds import union as union_kind
from timegate.domain.recurrence.kinds.kind import minute_number
from timegate.domain.recurrence.minute_counts import minute_counts
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.recurrence.words import describe

#: Some days before and after each change of a clock of the zones.
AROUND = st.sampled_from(
    [
        "2026-03-07",
        "2026-03-28",
        "2026-04-03",
        "2026-04-04",
        "2026-09-05",
        "2026-10-03",
        "2026-10-24",
    ]
)
#: Begin just before a change, at the year, and before a leap day.
YEARS = st.sampled_from(["2026-03-28", "2026-01-01", "2027-10-30"])
STEPS = 40


@pytest.fixture(params=[0, 2_000], ids=["by days", "by walking"])
def most_walked(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Count small spans by the day as well."""
    monkeypatch.setattr(union_kind, "MOST_WALKED", request.param)
    return int(request.param)


def found_of(union: Union) -> list[datetime]:
    """The instants of its days, by the code."""
    return list(
        fires_between(
            as_written(union.schedule),
            created_at=union.created_at,
            after=union.begin - MILLISECOND,
            until=union.end,
        )
    )


@settings(max_examples=some(150))
@given(union=unions(crons | night_crons, AROUND, 3))
def test_a_union_names_what_its_members_name_around_clock_changes(union: Union) -> None:
    """Each instant once, to the millisecond, under each member's own policies."""
    assert union.named() == found_of(union)


@pytest.mark.wide
@settings(max_examples=some(6), suppress_health_check=[HealthCheck.too_slow])
@given(union=unions(night_crons, YEARS, 366))
def test_so_it_does_for_whole_years(union: Union) -> None:
    """And counts as many."""
    named = union.named()
    span = span_between(
        as_written(union.schedule),
        created_at=union.created_at,
        first=union.begin,
        until=union.end,
    )

    assert named == found_of(union)
    assert (span.count if span is not None else 0) == len(named)


@settings(max_examples=some(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    union=unions(crons | night_crons, AROUND, 3),
    cut=st.tuples(st.floats(0, 1), st.floats(0, 1)),
    at_most=st.none() | st.integers(1, 40) | st.integers(41, 5_000),
)
@pytest.mark.usefixtures("most_walked")
def test_instants_and_minutes_are_counted_as_they_are_named(
    union: Union, cut: tuple[float, float], at_most: int | None
) -> None:
    """From and to any millisecond, by walking and by days of bits; the last ones too."""
    schedule, length = as_written(union.schedule), timedelta(days=union.days)
    first, until = (
        union.begin + share * length // MILLISECOND * MILLISECOND for share in sorted(cut)
    )
    until = min(until, union.end)
    whole = [at for at in union.named() if first <= at <= until]
    shown = whole[-at_most:] if at_most else whole
    span = span_between(
        schedule, created_at=union.created_at, first=first, until=until, at_most=at_most
    )
    minutes: Counter[int] = Counter()
    for minute, count in minute_counts(
        schedule, created_at=union.created_at, first=first, until=until
    ):
        minutes[minute] += count

    assert (span is None) is (not shown)
    if span is not None:
        assert (span.first, span.last, span.count) == (shown[0], shown[-1], len(shown))
    assert +minutes == Counter(map(minute_number, whole))


@settings(max_examples=some(60))
@given(union=unions(crons | night_crons, AROUND, 3))
def test_it_is_asked_for_one_instant_at_a_time(union: Union) -> None:
    """The next one is the next of the set, which nominates its members and nothing between."""
    schedule, named = as_written(union.schedule), union.named()
    for before, after in list(pairwise(named))[:STEPS]:
        assert next_fire(schedule, created_at=union.created_at, after=before) == after
        assert nominates(schedule, created_at=union.created_at, instant=after)
        middle = before + (after - before) / 2
        assert not nominates(schedule, created_at=union.created_at, instant=middle)
    assert describe(schedule)
    assert as_written(schedule) == schedule
