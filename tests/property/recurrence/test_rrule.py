"""Recurrence rules against a slow reading of RFC 5545, and against dateutil, over years."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from dateutil.rrule import rrule, rrulestr
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.oracles.rrule_oracle import (
    UNITS,
    Rule,
    fires_of,
    instants_of,
    walls_of,
)
from tests.property.recurrence.strategies.rrule_strategies import rules
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.fires import fires_between, next_fire
from timegate.domain.recurrence.schedule import FoldPolicy, GapPolicy, Schedule, ScheduleKind
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.recurrence.words import describe

ZONES = [
    *("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "America/Santiago"),
    *("Africa/Casablanca", "Asia/Kathmandu"),
]
#: A year whose clocks change, with what is left of the one in which rules begin.
BEGINNING = 2026
PERIODIC = ("YEARLY", "MONTHLY", "WEEKLY", "DAILY")
MOST = 400

policies = st.tuples(st.sampled_from(GapPolicy), st.sampled_from(FoldPolicy))


def schedule_of(rule: Rule, zone: str, policies: tuple[GapPolicy, FoldPolicy]) -> Schedule:
    """The schedule; its beginning is the first instant at which the clock shows it."""
    instants = instants_of(ZoneInfo(zone), rule.start)
    assume(instants)
    gap, fold = policies
    return as_written(
        Schedule(
            kind=ScheduleKind.RRULE,
            rrule=rule.text,
            timezone=zone,
            starts_at=instants[0],
            gap=gap,
            fold=fold,
        )
    )


def found_of(schedule: Schedule, until: datetime) -> list[datetime]:
    """All from its beginning on."""
    begin = (schedule.starts_at or until) - timedelta(days=1)
    return list(fires_between(schedule, created_at=begin, after=begin, until=until))


@settings(max_examples=some(200))
@given(rule=rules(year=BEGINNING, frequencies=PERIODIC), zone=st.sampled_from(ZONES), how=policies)
def test_a_rule_fires_as_the_rfc_says_for_two_years(
    rule: Rule, zone: str, how: tuple[GapPolicy, FoldPolicy]
) -> None:
    """By years, months, weeks and days; through each gap and fold of its zone."""
    until = datetime(BEGINNING + 2, 1, 1, tzinfo=UTC)

    assert fires_of(rule, zone, how, until) == found_of(schedule_of(rule, zone, how), until)


@settings(max_examples=some(50))
@given(
    rule=rules(year=BEGINNING, frequencies=tuple(UNITS)),
    zone=st.sampled_from(ZONES),
    how=policies,
    day=st.sampled_from(["03-07", "03-28", "04-04", "09-05", "10-03", "10-24", "10-31", "02-14"]),
)
def test_steps_fire_as_the_rfc_says_across_a_clock_change(
    rule: Rule, zone: str, how: tuple[GapPolicy, FoldPolicy], day: str
) -> None:
    """Hours, minutes and seconds, for the three days from a beginning on."""
    month, number = map(int, day.split("-"))
    rule = Rule(**{**rule.__dict__, "start": rule.start.replace(month=month, day=number)})
    hours = 6 if rule.freq == "SECONDLY" else 72
    until = rule.start.replace(tzinfo=UTC) + timedelta(hours=hours)

    assert fires_of(rule, zone, how, until) == found_of(schedule_of(rule, zone, how), until)


def dateutil_walls(rule: Rule, end: datetime) -> list[datetime]:
    """All up to an end, by walking; COUNT is applied here, for dateutil takes one of the two."""
    text = Rule(**{**rule.__dict__, "count": None}).text
    try:
        found = rrulestr(text, dtstart=rule.start)
    except ValueError:
        # Its steps never meet what they are allowed to.
        return []
    assert isinstance(found, rrule)
    return list(islice(found.replace(until=end), rule.count))


@settings(max_examples=some(50))
@given(rule=rules(year=1997), ahead=st.integers(0, 25 * 365))
def test_dateutil_names_the_same_times_decades_later(rule: Rule, ahead: int) -> None:
    """It walks from the beginning; rules that it reads otherwise are left to the slow reading."""
    differs = (
        (rule.positions and rule.freq == "WEEKLY")
        or (rule.weeks and not rule.weekdays)
        or len({bool(nth) for nth, _ in rule.weekdays}) > 1
    )
    assume(not differs)
    if rule.freq in UNITS:
        ahead = ahead % (3 if rule.freq == "SECONDLY" else 90)
    begin = rule.start.replace(tzinfo=UTC) + timedelta(days=ahead)
    end = begin + timedelta(days=1 if rule.freq in UNITS else 400)
    endless = Rule(**{**rule.__dict__, "count": None})
    schedule = schedule_of(endless, "UTC", (GapPolicy.RUN_AFTER, FoldPolicy.FIRST))
    # dateutil looks for an instant after the end, if need be for 8,000 years.
    following = next_fire(schedule, created_at=begin, after=end)
    assume(following is not None and following < end + timedelta(days=800))
    walked = dateutil_walls(rule, end.replace(tzinfo=None))
    expected = [each for wall in walked if (each := wall.replace(tzinfo=UTC)) > begin]
    schedule = schedule_of(rule, "UTC", (GapPolicy.RUN_AFTER, FoldPolicy.FIRST))
    found = fires_between(schedule, created_at=begin, after=begin, until=end)

    assert expected[:MOST] == list(islice(found, MOST))


@settings(max_examples=some(50))
@given(
    rule=rules(year=BEGINNING),
    zone=st.sampled_from(ZONES),
    how=policies,
    hours=st.integers(1, 60 * 24),
    dates=st.lists(st.integers(0, 60 * 24), max_size=6),
    at_most=st.none() | st.integers(1, 20),
)
def test_instants_are_counted_as_they_are_walked(
    rule: Rule,
    zone: str,
    how: tuple[GapPolicy, FoldPolicy],
    hours: int,
    dates: list[int],
    at_most: int | None,
) -> None:
    """With dates that are added and left out, some of which the rule names."""
    hours = hours % 8 if rule.freq == "SECONDLY" else hours
    schedule = schedule_of(rule, zone, how)
    begin = schedule.starts_at or datetime(BEGINNING, 1, 1, tzinfo=UTC)
    until = begin + timedelta(hours=hours)
    named = found_of(schedule, until)
    chosen = [begin + timedelta(hours=n) for n in dates] + named[: len(dates)]
    schedule = as_written(
        Schedule(
            **{
                **{name: getattr(schedule, name) for name in schedule.__slots__},
                "rdates": tuple(chosen[::2]),
                "exdates": tuple(chosen[1::2]),
            }
        )
    )
    expected = sorted({*named, *(d for d in chosen[::2] if d <= until)} - {*chosen[1::2]})
    walked = found_of(schedule, until)
    counted = span_between(schedule, created_at=begin, first=begin, until=until, at_most=at_most)

    assert walked == expected
    shown = expected[-at_most:] if at_most else expected
    if not shown:
        assert counted is None
    else:
        assert counted is not None
        assert (counted.first, counted.last, counted.count) == (shown[0], shown[-1], len(shown))


@settings(max_examples=some(50))
@given(rule=rules(year=BEGINNING), zone=st.sampled_from(ZONES))
def test_a_stored_rule_is_read_as_it_was_written(rule: Rule, zone: str) -> None:
    """Its canonical form is its own, and it has words."""
    schedule = schedule_of(rule, zone, (GapPolicy.RUN_AFTER, FoldPolicy.FIRST))

    assert as_written(schedule) == schedule
    assert describe(schedule)


def test_the_slow_reading_knows_the_examples_of_the_rfc() -> None:
    """Section 3.8.5.3: first Fridays, every other week, week 20, Friday the 13th."""
    start = datetime(1997, 9, 2, 9)  # noqa: DTZ001 - a wall clock
    until = datetime(1998, 12, 31)  # noqa: DTZ001 - a wall clock
    examples = {
        Rule(start=start, freq="MONTHLY", weekdays=((1, 4),), count=3): ["09-05", "10-03", "11-07"],
        Rule(start=start, freq="WEEKLY", interval=2, week_start=6, count=3): [
            *("09-02", "09-16", "09-30")
        ],
        Rule(start=start, freq="MONTHLY", weekdays=((0, 4),), monthdays=(13,), count=3): [
            *("02-13", "03-13", "11-13")
        ],
        Rule(start=start, freq="MONTHLY", monthdays=(-1,), count=2): ["09-30", "10-31"],
        Rule(start=start, freq="YEARLY", weeks=(20,), weekdays=((0, 0),), count=1): ["05-11"],
        Rule(
            start=start,
            freq="MONTHLY",
            weekdays=tuple((0, day) for day in range(5)),
            positions=(-2,),
            count=3,
        ): ["09-29", "10-30", "11-27"],
    }
    for rule, days in examples.items():
        assert [f"{wall:%m-%d}" for wall in walls_of(rule, until)] == days
