"""Unions of eight members that are written to cost: counts are exact, and take bounded time."""

from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from itertools import islice, pairwise

import pytest

from tests.support.values.effort import effort_of
from tests.unit.domain.recurrence.schedules import cron, rate, rrule, union, utc
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.fires import fires_between, next_fire
from timegate.domain.recurrence.kinds import union as union_kind
from timegate.domain.recurrence.kinds.kind import InstantSeries
from timegate.domain.recurrence.minute_counts import minute_counts
from timegate.domain.recurrence.schedule import FoldPolicy, Schedule
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.values.instants import MILLISECOND

ZONES = (
    *("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago"),
    *("Africa/Casablanca", "Asia/Kathmandu"),
)
BEGIN, END = utc("2016-01-01 00:00"), utc("2026-01-01 00:00")
NOW = END
_POSITIONS = ",".join(map(str, range(1, 40)))
_WORKDAYS = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR;BYHOUR=1,2,3,4,5,6;BYMINUTE=0,7,14,21"
#: In plain loops of 50,000 steps: about four times what the most costly takes.
MOST_OF_A_COUNT = 1_000
MOST_OF_THE_NEXT = 100


def of_zones(member: Callable[[str], Schedule], *more: Schedule) -> Schedule:
    """The same in every zone."""
    return union(*map(member, ZONES), *more, starts_at=BEGIN)


HOSTILE = [
    of_zones(lambda zone: cron("* * * * * *", zone), rate(7)),
    of_zones(lambda zone: cron("*/7 * * * *", zone), rate(61)),
    of_zones(lambda zone: cron("30 2 29 2 *", zone), rate(86_399)),
    union(*(rate(60 + number) for number in range(8)), starts_at=BEGIN + timedelta(seconds=0.5)),
    of_zones(lambda zone: rrule("FREQ=MINUTELY;INTERVAL=1439;BYSECOND=0,7", zone, starts_at=None)),
    of_zones(lambda zone: rrule(f"{_WORKDAYS};BYSETPOS={_POSITIONS}", zone, starts_at=None)),
]

#: Places of a union of crons, one of rates and one of rules; the others are more of them.
_OF_EACH_KIND = {0, 3, 4}


@pytest.mark.parametrize(
    "schedule",
    [
        pytest.param(
            each, id=str(number), marks=() if number in _OF_EACH_KIND else pytest.mark.wide
        )
        for number, each in enumerate(HOSTILE)
    ],
)
def test_ten_years_are_counted_in_bounded_time(schedule: Schedule) -> None:
    """And the beginning of their last hundred thousand is found."""
    found: list[InstantSeries | None] = []

    def count() -> None:
        found.append(
            span_between(schedule, created_at=BEGIN, first=BEGIN, until=END, at_most=100_000)
        )

    assert effort_of(count, MOST_OF_A_COUNT) <= MOST_OF_A_COUNT
    last = found[0]
    assert last is not None
    assert span_between(schedule, created_at=BEGIN, first=last.first, until=END) == last


@pytest.mark.parametrize("schedule", HOSTILE, ids=range(len(HOSTILE)))
def test_the_next_instant_and_a_week_of_minutes_take_little_time(schedule: Schedule) -> None:
    """The first walked hour's count per minute holds for each minute of the week."""

    def find_next() -> None:
        validate_schedule(schedule, now=NOW)
        assert next_fire(schedule, created_at=BEGIN, after=NOW) is not None

    assert effort_of(find_next, MOST_OF_THE_NEXT) <= MOST_OF_THE_NEXT
    week = NOW + timedelta(days=7)
    counted: Counter[int] = Counter()

    def count_week() -> None:
        counted.clear()
        for minute, count in minute_counts(schedule, created_at=BEGIN, first=NOW, until=week):
            counted[minute] += count

    assert effort_of(count_week, MOST_OF_A_COUNT) <= MOST_OF_A_COUNT

    fires = list(
        fires_between(schedule, created_at=BEGIN, after=NOW, until=NOW + timedelta(hours=1))
    )
    first = int(NOW.timestamp()) // 60
    walked = Counter(int(at.timestamp()) // 60 for at in fires)
    within = {m: n for m, n in counted.items() if first < m < first + 59}
    assert within == {m: n for m, n in walked.items() if first < m < first + 59}


def test_every_second_for_ten_years_is_one_instant_each() -> None:
    """Counted by hand: seven crons and a rate name the same seconds."""
    schedule = HOSTILE[0]
    span = span_between(schedule, created_at=BEGIN, first=BEGIN, until=END)

    assert span == InstantSeries(
        first=BEGIN, last=END, count=(END - BEGIN) // timedelta(seconds=1) + 1
    )


@pytest.mark.parametrize("count", [1999, 2000, 2001, 2002])
def test_walking_and_counting_by_days_agree_where_they_meet(count: int) -> None:
    """Around the bound, for the whole range and the last ten."""
    schedule = union(rate(120), rate(180), starts_at=BEGIN)
    until = list(
        islice(fires_between(schedule, created_at=BEGIN, after=BEGIN, until=END), count // 2)
    )[-1]
    fires = [BEGIN, *fires_between(schedule, created_at=BEGIN, after=BEGIN, until=until)]
    whole = span_between(schedule, created_at=BEGIN, first=BEGIN, until=until)
    last = span_between(schedule, created_at=BEGIN, first=BEGIN, until=until, at_most=10)

    assert whole == InstantSeries(first=BEGIN, last=until, count=len(fires))
    assert last == InstantSeries(first=fires[-10], last=until, count=10)


@pytest.mark.parametrize("seconds", [0, 0.25], ids=["whole seconds", "a fraction"])
def test_days_of_bits_hold_each_gap_fold_and_fraction(
    monkeypatch: pytest.MonkeyPatch, seconds: float
) -> None:
    """A year of bits holds gaps moved on, folds once or twice, and dates of a rule."""
    monkeypatch.setattr(union_kind, "MOST_WALKED", 0)
    schedule = union(
        cron("30 2 * * *", "Europe/Berlin"),
        cron("15 2 * * *", "Australia/Lord_Howe", fold=FoldPolicy.BOTH),
        rrule(
            "FREQ=DAILY;BYHOUR=2;BYMINUTE=45;UNTIL=20261231T000000Z",
            "America/New_York",
            starts_at=None,
            exdates=(utc("2026-03-08 07:00"),),
            rdates=(utc("2026-07-01 12:00"),),
        ),
        *((rate(86_401),) if not seconds else ()),
        starts_at=utc("2026-01-01 00:00"),
    )
    created = utc("2026-01-01 00:00") + timedelta(seconds=seconds)
    if seconds:
        schedule = union(*schedule.any_of[:2], rate(86_401))
    until = utc("2027-01-15 00:00")
    walked = list(
        fires_between(schedule, created_at=created, after=created - MILLISECOND, until=until)
    )

    for at_most in (None, 1, 100, 300):
        shown = walked[-at_most:] if at_most else walked
        assert span_between(
            schedule, created_at=created, first=created, until=until, at_most=at_most
        ) == InstantSeries(first=shown[0], last=shown[-1], count=len(shown))
    for begin, end in pairwise(walked):
        after = begin + MILLISECOND
        assert span_between(schedule, created_at=created, first=after, until=end) == InstantSeries(
            first=end, last=end, count=1
        )
