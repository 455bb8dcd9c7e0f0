"""Cron against cronsim, another implementation of Debian's rules, over years.

Where the two differ on purpose, the expressions are kept out of the comparison, and the
difference is stated by a test below. What the comparison leaves out:

- six fields: cronsim follows the clock as it runs for all of them, fixed or not;
- the policies ``skip`` and ``both``, which cronsim does not have;
- ``?``, ranges that wrap around, and names with ``L``, which cronsim does not read;
- a weekday with a step: cronsim counts to 7, so ``1/2`` has Sundays;
- intervals in zones that jump over midnight or by half an hour, where cronsim loses its way.
"""

from datetime import UTC, datetime, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.property.cron_strategies import Cron, minutely_crons
from timegate.domain.recurrence import fires_between
from timegate.domain.recurrence.cron_pattern import parse_cron
from timegate.domain.schedule import Schedule, ScheduleKind

#: Their clocks jump by whole hours and never over midnight.
WHOLE_HOUR_ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Europe/Dublin"]
OTHER_ZONES = ["Australia/Lord_Howe", "America/Santiago", "America/Havana", "Pacific/Chatham"]
FIRES = 12
FAR = datetime(2200, 1, 1, tzinfo=UTC)

starts = st.datetimes(
    min_value=datetime(2015, 1, 1),  # noqa: DTZ001 - st wants naive
    max_value=datetime(2045, 1, 1),  # noqa: DTZ001 - st wants naive
).map(lambda start: start.replace(microsecond=0, tzinfo=UTC))
portable = minutely_crons.filter(lambda cron: not _steps_from_a_weekday(cron))


def _steps_from_a_weekday(cron: Cron) -> bool:
    parts = cron.weekday.text.split(",")
    return any("/" in part and not part.startswith("*") and "-" not in part for part in parts)


def cronsim_fires(expression: str, zone: str, start: datetime, count: int) -> list[datetime]:
    """Its first instants."""
    fires = CronSim(expression, start.astimezone(ZoneInfo(zone)))
    return [fire.astimezone(UTC) for fire in islice(fires, count)]


def own_fires(expression: str, zone: str, start: datetime, count: int) -> list[datetime]:
    """Ours."""
    schedule = Schedule(kind=ScheduleKind.CRON, cron=expression, timezone=zone)
    return list(islice(fires_between(schedule, created_at=start, after=start, until=FAR), count))


@settings(max_examples=400)
@given(cron=portable, zone=st.sampled_from(WHOLE_HOUR_ZONES), start=starts)
def test_both_name_the_same_instants(cron: Cron, zone: str, start: datetime) -> None:
    """Fixed times and intervals, across leap years and clock changes."""
    assume(parse_cron(cron.text).can_match)

    ours = own_fires(cron.text, zone, start, FIRES)
    assert cronsim_fires(cron.text, zone, start, FIRES) == ours


@settings(max_examples=200)
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


@settings(max_examples=200)
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


def test_cronsim_steps_over_an_hour_when_a_clock_jumps_half_of_one() -> None:
    """Ours fires at 03:00 at Lord Howe on the day its clock jumps from 02:00 to 02:30."""
    start = datetime(2026, 10, 3, 15, 15, tzinfo=UTC)
    three = datetime(2026, 10, 3, 16, tzinfo=UTC)

    assert own_fires("*/15 3 * * *", "Australia/Lord_Howe", start, 1) == [three]
    assert cronsim_fires("*/15 3 * * *", "Australia/Lord_Howe", start, 1) != [three]
