"""Fires of converted CronJobs against a calculation of their own: every minute is tried.

It follows ``parser.go`` of robfig/cron: each field is a set of values and a mark that it had a
star, which a step takes away. Both day fields must match if one has the mark, else either is
enough.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import product
from random import Random
from zoneinfo import ZoneInfo

import pytest

from timegate.cli.migrating.entries import ScheduleEntry
from timegate.cli.migrating.kubernetes.cron_jobs import read_cron_jobs
from timegate.domain.recurrence.fires import fires_between

#: Patterns of public repositories.
PUBLIC = (
    *("0 0 * * *", "*/5 * * * *", "0 */1 * * *", "10 03 * * *", "10,40 * * * *", "0 10 * * 2"),
    *("0 0,4 * * *", "42 0 * * *", "0 6 * * 1-5", "30 1 1,15 * *", "0 3 */2 * *", "5/15 * * * *"),
    *("@hourly", "@daily", "@midnight", "@weekly", "@monthly", "? 8-18/2 ? * MON-FRI"),
)
BOUNDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 6))
NAMES = {"jan": 1, "mar": 3, "oct": 10, "sun": 0, "mon": 1, "fri": 5, "sat": 6}
MACROS = {
    "@hourly": "0 * * * *",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *",
}
#: Both changes of the clock in Berlin, and the end of a month.
SPANS = (
    (datetime(2026, 3, 26, tzinfo=UTC), datetime(2026, 4, 3, tzinfo=UTC)),
    (datetime(2026, 10, 22, tzinfo=UTC), datetime(2026, 11, 3, tzinfo=UTC)),
)
BERLIN = ZoneInfo("Europe/Berlin")


def values(field: str, low: int, high: int) -> tuple[set[int], bool]:
    """The values of a field, and if its star is kept."""
    found: set[int] = set()
    has_star = False
    for item in field.lower().split(","):
        whole, _, step = item.partition("/")
        begin, _, end = whole.partition("-")
        if whole in {"*", "?"}:
            first, last = low, high
            has_star |= not step or int(step) == 1
        else:
            first = NAMES[begin] if begin in NAMES else int(begin)
            last = (NAMES[end] if end in NAMES else int(end)) if end else first
            # A step behind one value goes on to the last one of the field.
            last = high if step and not end else last
        found |= set(range(first, last + 1, int(step or 1)))
    return found, has_star


def minutes() -> Iterator[datetime]:
    """Each minute of the spans."""
    for begin, end in SPANS:
        for number in range(int((end - begin) / timedelta(minutes=1))):
            yield begin + timedelta(minutes=number + 1)


#: Each minute with what the clock of Berlin shows.
SHOWN = [
    (at, (local.minute, local.hour, local.day, local.month, local.isoweekday() % 7))
    for at in minutes()
    for local in (at.astimezone(BERLIN),)
]


def computed(pattern: str) -> list[datetime]:
    """The minutes that match."""
    fields = MACROS.get(pattern, pattern).split()
    read = [values(field, *bounds) for field, bounds in zip(fields, BOUNDS, strict=True)]
    (minute, _), (hour, _), (day, any_day), (month, _), (weekday, any_weekday) = read
    either = not (any_day or any_weekday)
    found = []
    for at, (m, h, d, mo, w) in SHOWN:
        in_days = (d in day or w in weekday) if either else (d in day and w in weekday)
        if m in minute and h in hour and mo in month and in_days:
            found.append(at)
    return found


def converted(pattern: str) -> list[datetime]:
    """The fires of the CronJob as Kubernetes has them."""
    text = f"kind: CronJob\nspec: {{schedule: '{pattern}', timeZone: Europe/Berlin}}\n"
    (read,) = read_cron_jobs(text, timezone=None)
    assert isinstance(read, ScheduleEntry), read
    return [
        fire
        for begin, end in SPANS
        for fire in fires_between(read.there, created_at=begin, after=begin, until=end)
    ]


def patterns() -> Iterator[str]:
    """Patterns with each form of an item in each field."""
    random = Random(29)
    minute = ("0", "*/20", "7,37", "50-59/3", "*/1", "45/7", "?")
    hour = ("2", "*", "1-3", "*/6", "0,23", "20/2")
    day = ("*", "1", "*/2", "29-31", "1,*", "*/1", "?", "28,*/9", "15/5")
    month = ("*", "3,10", "MAR-Oct", "*/5", "1-4")
    weekday = ("*", "0", "MON-fri", "*/2", "sat,SUN", "*/1", "1,*", "?", "4/2")
    every = [" ".join(each) for each in product(minute, hour, day, month, weekday)]
    yield from random.sample(every, 60)
    # Each pair of day fields.
    yield from (f"30 2 {each} * {other}" for each, other in product(day, weekday))


@pytest.mark.parametrize("pattern", PUBLIC)
def test_public_patterns_fire_as_they_do_there(pattern: str) -> None:
    """Through both changes of the clock."""
    assert converted(pattern) == computed(pattern)


def test_each_form_of_a_field_fires_as_it_does_there() -> None:
    """Forms in every field, and both day fields with one another."""
    assert [each for each in patterns() if converted(each) != computed(each)] == []
