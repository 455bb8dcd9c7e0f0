"""Recurrence rules that are written to cost: each question is answered in bounded time."""

from collections.abc import Callable
from datetime import timedelta

import dateutil.rrule
import pytest

from tests.support.values.effort import effort_of
from tests.unit.domain.recurrence.schedules import rrule, utc
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.fires import next_fire
from timegate.domain.recurrence.rrule import (
    days,
    named,
    parts,
    pattern,
    periods,
    positions,
    times,
    walls,
)
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.values.errors import InvalidInput

_HOURS = ",".join(map(str, range(24)))
_SIXTY = ",".join(map(str, range(60)))
_ALL_TIMES = f"BYHOUR={_HOURS};BYMINUTE={_SIXTY};BYSECOND={_SIXTY}"
_POSITIONS = ",".join(map(str, range(1, 200)))
HOSTILE = [
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
    "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30;COUNT=1000000000",
    "FREQ=SECONDLY;COUNT=1000000000",
    "FREQ=DAILY;COUNT=36000",
    f"FREQ=YEARLY;{_ALL_TIMES};BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=-366,366,1,2,3",
    f"FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYHOUR={_HOURS};BYSETPOS={_POSITIONS}",
    "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=300",
    "FREQ=MONTHLY;BYDAY=53SU",
    "FREQ=MONTHLY;BYDAY=1MO,2TU,3WE,4TH,5FR,-1SA,-2SU;BYSETPOS=-366",
    "FREQ=SECONDLY;INTERVAL=86399",
    "FREQ=SECONDLY;INTERVAL=86399;BYDAY=MO;COUNT=1000",
    "FREQ=SECONDLY;INTERVAL=999983;BYMONTH=2;BYMONTHDAY=29",
    "FREQ=MINUTELY;INTERVAL=1439;BYHOUR=3;BYMINUTE=7;BYMONTH=2;BYMONTHDAY=29",
    "FREQ=MINUTELY;INTERVAL=1439;BYHOUR=3;BYMINUTE=7;COUNT=200",
    "FREQ=MINUTELY;INTERVAL=7;BYHOUR=3;BYMINUTE=7;COUNT=1000",
    "FREQ=HOURLY;INTERVAL=168;BYDAY=TU",
    "FREQ=HOURLY;INTERVAL=999983;BYDAY=TU",
    "FREQ=YEARLY;INTERVAL=999983",
    "FREQ=YEARLY;BYWEEKNO=53;BYMONTHDAY=15;BYDAY=MO",
]
NOW = utc("2026-11-22 12:00")
#: Plain loops of 50,000 steps; the most costly answer takes a fifth of it.
MOST = 60


def forget() -> None:
    """Empty every cache: an attacker writes each rule anew."""
    for module in (days, named, parts, pattern, periods, positions, times, walls):
        for value in vars(module).values():
            if hasattr(value, "cache_clear"):
                value.cache_clear()


def validated(schedule: Schedule) -> object:
    """Validate a schedule as creating a job does."""
    try:
        validate_schedule(schedule, now=NOW)
    except InvalidInput as refused:
        return refused
    return None


QUESTIONS: dict[str, Callable[[Schedule], object]] = {
    "validate": validated,
    "describe": describe,
    "next": lambda schedule: next_fire(schedule, created_at=NOW, after=NOW),
    "count ten years": lambda schedule: span_between(
        schedule, created_at=NOW, first=NOW - timedelta(days=3653), until=NOW, at_most=10
    ),
}


def effort_with_nothing_remembered(
    question: Callable[[Schedule], object], schedule: Schedule
) -> float:
    """Return the effort of an answer, in plain loops."""

    def ask() -> None:
        forget()
        question(schedule)

    return effort_of(ask, MOST)


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin"])
@pytest.mark.parametrize("rule", HOSTILE, ids=lambda rule: rule[:60])
def test_no_rule_takes_long(rule: str, zone: str) -> None:
    """Each question on a rule that began 55 years ago stays in its bound, with empty caches."""
    assert dateutil.rrule
    schedule = rrule(rule, zone, starts_at=utc("1971-01-04 04:00"))
    taken = {name: effort_with_nothing_remembered(ask, schedule) for name, ask in QUESTIONS.items()}

    assert {name: effort for name, effort in taken.items() if effort > MOST} == {}


def test_a_thousand_dates_take_no_longer() -> None:
    """Each is compared with the rule once."""
    dates = [utc("2027-01-01 09:00") + n * timedelta(days=1, minutes=n % 2) for n in range(1000)]
    schedule = rrule(
        "FREQ=DAILY", "Europe/Berlin", exdates=tuple(dates[::2]), rdates=tuple(dates[1::2])
    )
    until = utc("2030-01-01 00:00")

    def count(schedule: Schedule) -> object:
        return span_between(schedule, created_at=NOW, first=NOW, until=until, at_most=10)

    assert effort_with_nothing_remembered(count, schedule) < MOST
    assert effort_with_nothing_remembered(QUESTIONS["next"], schedule) < MOST
