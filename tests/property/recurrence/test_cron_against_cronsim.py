"""Cron against cronsim, another implementation of Debian's rules, over years.

Expressions on which the two differ on purpose are kept out of the comparison, and a test below
states each difference. The comparison leaves out:

- six fields: cronsim follows the clock as it runs for all of them, fixed or not;
- expressions whose spelling and meaning differ: ``*/60 2`` starts with a star, and names one time;
- the policies ``skip`` and ``both``, which cronsim does not have;
- ``W``, ``LW`` and ``L-3``, which cronsim does not read, or not all of;
- ``?``, ranges that wrap around, and names with ``L``, which cronsim does not read;
- a weekday with a step: cronsim counts to 7, so ``1/2`` has Sundays;
- intervals in zones whose clocks change at midnight, off the hour, or by half an hour, where
  cronsim loses its way: it moves by real hours and expects to find itself at full ones.

``test_zone_transitions`` looks at every change of every clock.
"""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import pytest
from cronsim import CronSim, CronSimError
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import some
from tests.property.recurrence.strategies.cron_strategies import Cron, minutely_crons
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import DstPolicy, Schedule, ScheduleKind

#: Their clocks jump by whole hours and never over midnight.
WHOLE_HOUR_ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Europe/Dublin"]
OTHER_ZONES = ["Australia/Lord_Howe", "America/Santiago", "America/Havana", "Pacific/Chatham"]
FIRES = 12
HOUR = timedelta(hours=1)
FAR = datetime(2200, 1, 1, tzinfo=UTC)

starts = st.datetimes(
    min_value=datetime(2015, 1, 1),  # noqa: DTZ001 - st wants naive
    max_value=datetime(2045, 1, 1),  # noqa: DTZ001 - st wants naive
).map(lambda start: start.replace(microsecond=0, tzinfo=UTC))
portable = minutely_crons.filter(
    lambda cron: cron.is_read_alike and not _steps_from_a_weekday(cron) and not _is_special(cron)
)


def _steps_from_a_weekday(cron: Cron) -> bool:
    parts = cron.weekday.text.split(",")
    return any("/" in part and not part.startswith("*") and "-" not in part for part in parts)


def _is_special(cron: Cron) -> bool:
    return bool(cron.day.before_last or cron.day.workdays)


def cronsim_fires(expression: str, zone: str, start: datetime, count: int) -> list[datetime]:
    """Its first instants."""
    fires = CronSim(expression, start.astimezone(ZoneInfo(zone)))
    return [fire.astimezone(UTC) for fire in islice(fires, count)]


def own_fires(
    expression: str, zone: str, start: datetime, count: int, dst: DstPolicy | None = None
) -> list[datetime]:
    """Ours."""
    schedule = Schedule(kind=ScheduleKind.CRON, cron=expression, timezone=zone, dst=dst)
    return list(islice(fires_between(schedule, created_at=start, after=start, until=FAR), count))


@settings(max_examples=some(400))
@given(cron=portable, zone=st.sampled_from(WHOLE_HOUR_ZONES), start=starts)
def test_both_name_the_same_instants(cron: Cron, zone: str, start: datetime) -> None:
    """Fixed times and intervals, across leap years and clock changes."""
    assume(parse_cron(cron.text).can_match)

    ours = own_fires(cron.text, zone, start, FIRES)
    assert cronsim_fires(cron.text, zone, start, FIRES) == ours


@settings(max_examples=some(200))
@given(
    cron=portable.filter(lambda cron: not cron.is_interval),
    zone=st.sampled_from(OTHER_ZONES),
    start=starts,
)
def test_both_name_the_same_fixed_times_in_odd_zones(
    cron: Cron, zone: str, start: datetime
) -> None:
    """Half an hour at Lord Howe, midnight in Santiago and Havana."""
    assume(parse_cron(cron.text).can_match)

    ours = own_fires(cron.text, zone, start, FIRES)
    assert cronsim_fires(cron.text, zone, start, FIRES) == ours


@settings(max_examples=some(200))
@given(cron=portable)
def test_both_refuse_the_same_dates(cron: Cron) -> None:
    """Except those that cronsim looks for in vain, such as a fifth Monday on day 31 of June."""
    try:
        CronSim(cron.text, datetime(2026, 1, 1, tzinfo=UTC))
    except CronSimError:
        assert not parse_cron(cron.text).can_match


def test_cronsim_counts_a_weekdays_steps_to_seven() -> None:
    """Ours end with Saturday, as croniter's do: ``1/2`` is Monday, Wednesday, Friday."""
    saturday = datetime(2026, 11, 21, 12, tzinfo=UTC)
    sunday = datetime(2026, 11, 22, tzinfo=UTC)

    assert cronsim_fires("0 0 * * 1/2", "UTC", saturday, 1) == [sunday]
    assert own_fires("0 0 * * 1/2", "UTC", saturday, 1) == [sunday + timedelta(days=1)]


def test_cronsim_follows_the_clock_for_six_fields() -> None:
    """A fixed time with seconds is lost in a gap there; here it is made up."""
    start = datetime(2026, 3, 28, 12, tzinfo=UTC)
    after_the_gap = datetime(2026, 3, 29, 1, tzinfo=UTC)
    next_day = datetime(2026, 3, 30, 0, 30, tzinfo=UTC)

    assert cronsim_fires("0 30 2 * * *", "Europe/Berlin", start, 1) == [next_day]
    assert own_fires("0 30 2 * * *", "Europe/Berlin", start, 1) == [after_the_gap]


def test_cronsim_goes_by_the_spelling() -> None:
    """A star makes it run ``*/60 2`` twice where the clock is set back; it names one time a day."""
    start = datetime(2026, 10, 24, 12, tzinfo=UTC)
    two = datetime(2026, 10, 25, 0, tzinfo=UTC)

    assert cronsim_fires("*/60 2 * * *", "Europe/Berlin", start, 2) == [two, two + HOUR]
    assert own_fires("*/60 2 * * *", "Europe/Berlin", start, 2) == [two, two + 25 * HOUR]


def test_cronsim_steps_over_an_hour_when_a_clock_jumps_half_of_one() -> None:
    """Ours fires at 03:00 at Lord Howe on the day its clock jumps from 02:00 to 02:30."""
    start = datetime(2026, 10, 3, 15, 15, tzinfo=UTC)
    three = datetime(2026, 10, 3, 16, tzinfo=UTC)

    assert own_fires("*/15 3 * * *", "Australia/Lord_Howe", start, 1) == [three]
    assert cronsim_fires("*/15 3 * * *", "Australia/Lord_Howe", start, 1) != [three]


def test_cronsim_begins_late_when_a_clock_is_set_back_by_half_an_hour() -> None:
    """At Lord Howe 01:30 is shown again before 02:00; ours fires from 02:00 on."""
    start = datetime(2003, 3, 29, 13, tzinfo=UTC)
    two = datetime(2003, 3, 29, 15, 30, tzinfo=UTC)

    assert own_fires("*/7 2 * * *", "Australia/Lord_Howe", start, 1) == [two]
    assert cronsim_fires("*/7 2 * * *", "Australia/Lord_Howe", start, 1) > [two]


def test_cronsim_fires_an_interval_at_an_hour_that_it_does_not_name() -> None:
    """Bahia's clock jumps from 00:00 to 01:00: that day has no hour 0, and cronsim fires at 1."""
    start = datetime(2000, 10, 7, 12, tzinfo=UTC)
    one = datetime(2000, 10, 8, 3, tzinfo=UTC)
    next_sunday = datetime(2000, 10, 15, 2, tzinfo=UTC)

    assert one.astimezone(ZoneInfo("America/Bahia")).hour == 1
    assert cronsim_fires("*/15 0 * * sun", "America/Bahia", start, 1) == [one]
    assert own_fires("*/15 0 * * sun", "America/Bahia", start, 1, DstPolicy.INTERVAL) == [
        next_sunday
    ]


def test_cronsim_misses_an_hour_that_begins_off_the_hour() -> None:
    """At Chatham 02:45 is followed by 03:45; ours fires at 03:50."""
    start = datetime(2020, 9, 26, 13, tzinfo=UTC)
    ten_to_four = datetime(2020, 9, 26, 14, 5, tzinfo=UTC)

    assert own_fires("*/25 3 * * sun", "Pacific/Chatham", start, 1, DstPolicy.INTERVAL) == [
        ten_to_four
    ]
    assert cronsim_fires("*/25 3 * * sun", "Pacific/Chatham", start, 1) > [ten_to_four]


def test_cronsim_loses_what_a_fold_over_midnight_shows_again() -> None:
    """At St John's 00:01 was followed by 23:01; ours fires at 23:20 and 23:40 a second time."""
    start = datetime(2002, 10, 27, 2, 31, tzinfo=UTC)
    again = [datetime(2002, 10, 27, 2, 50, tzinfo=UTC), datetime(2002, 10, 27, 3, 10, tzinfo=UTC)]

    assert own_fires("*/20 0,23 * * *", "America/St_Johns", start, 2, DstPolicy.INTERVAL) == again
    assert own_fires("*/20 0,23 * * 1-6", "America/St_Johns", start, 2, DstPolicy.INTERVAL) == again


class Lost(Exception):
    """It has ticked more often than a day has seconds, and stands where it stood."""


class Bounded(CronSim):
    """Gives up where cronsim runs in a circle."""

    ticks = 0

    def tick(self, seconds: int = 1) -> None:
        """One step."""
        self.ticks += 1
        if self.ticks > 86_400:
            raise Lost
        super().tick(seconds)


def test_cronsim_runs_in_a_circle_where_a_fold_begins_after_midnight() -> None:
    """Moncton's 00:01 was followed by 23:01: from each midnight it falls back by a day."""
    start = datetime(2000, 10, 28, 3, 1, tzinfo=UTC)
    expected = datetime(2000, 10, 29, 4, 18, tzinfo=UTC)
    zone = ZoneInfo("America/Moncton")

    with pytest.raises(Lost):
        next(Bounded("18 * 29 * *", start.astimezone(zone)))
    assert own_fires("18 * 29 * *", "America/Moncton", start, 1) == [expected]
