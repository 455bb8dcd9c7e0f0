"""Schedules in words."""

import pytest

from tests.unit.domain.recurrence.schedules import IMMEDIATE, MANUAL, at, cron, delay, rate, utc
from timegate.domain.recurrence.schedule import DstPolicy, FoldPolicy, GapPolicy, Schedule
from timegate.domain.recurrence.words import describe

CHRISTMAS = utc("2026-12-24 18:00")


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        (IMMEDIATE, "Once, at creation"),
        (MANUAL, "Only when it is triggered, or follows another job"),
        (at(CHRISTMAS), "Once, at 2026-12-24T18:00:00.000Z"),
        (delay(0), "Once, 0 seconds after creation"),
        (delay(1), "Once, 1 second after creation"),
        (delay(0.25), "Once, 0.25 seconds after creation"),
        (delay(120), "Once, 2 minutes after creation"),
        (rate(1), "Every second"),
        (rate(90), "Every 90 seconds"),
        (rate(300), "Every 5 minutes"),
        (rate(86_400), "Every day"),
        (rate(604_800), "Every 7 days"),
        (rate(60, starts_at=CHRISTMAS), "Every minute, from 2026-12-24T18:00:00.000Z"),
        (rate(60, ends_at=CHRISTMAS), "Every minute, until 2026-12-24T18:00:00.000Z"),
        (rate(60, max_runs=1), "Every minute, once"),
        (rate(60, max_runs=5), "Every minute, at most 5 times"),
        (rate(60, jitter_seconds=90), "Every minute, each up to 90 seconds late"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_every_kind_says_what_it_does(schedule: Schedule, expected: str) -> None:
    """With the bounds that were given."""
    assert expected == describe(schedule)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("* * * * *", "Every minute"),
        ("* * * * * *", "Every second"),
        ("*/5 * * * *", "Every 5 minutes"),
        ("*/10 * * * * *", "Every 10 seconds"),
        ("*/10 */5 * * * *", "Every 10 seconds of every 5th minute"),
        ("*/10 0 * * * *", "Every 10 seconds of minute 0 of every hour"),
        ("30 * * * * *", "At second 30 of every minute"),
        ("0 * * * *", "At minute 0 of every hour"),
        ("0 */2 * * *", "At minute 0 of every 2nd hour"),
        ("*/7 * * * *", "At minutes 0, 7, 14, 21, 28, 35, 42, 49 and 56 of every hour"),
        ("*/5 9-17 * * mon-fri", "Every 5 minutes of hours 9 to 17 on Monday to Friday"),
        ("* 2 * * *", "Every minute of hour 2"),
        ("* * * * 2", "Every minute on Tuesday"),
        ("0 9 * * *", "At 09:00 every day"),
        ("0 9,17 * * 1-5", "At 09:00 and 17:00 on Monday to Friday"),
        ("5 0 9 * * *", "At 09:00:05 every day"),
        (
            "0 0,3,6,9,12,15,18,21 * * *",
            "At 00:00, 03:00, 06:00, 09:00, 12:00, 15:00, 18:00 and 21:00 every day",
        ),
        ("0 1-9 * * *", "At minute 0 of hours 1 to 9"),
        ("0 0 13 * fri", "At 00:00 on day 13 or on Friday"),
        ("0 0 */10 * mon", "At 00:00 on days 1, 11, 21 and 31 if that is Monday"),
        ("0 0 1-31 * mon", "At 00:00 every day"),
        ("0 0 1,15,L * *", "At 00:00 on days 1 and 15 and the last day of the month"),
        ("0 9 * * fri#2", "At 09:00 on the 2nd Friday"),
        ("0 9 * * mon,friL", "At 09:00 on Monday and the last Friday"),
        ("0 0 29 2 *", "At 00:00 on day 29 in February"),
        ("0 12 * jun-aug sat,sun", "At 12:00 on Saturday and Sunday in June to August"),
    ],
    ids=lambda value: value if "*" in value else "",
)
def test_a_pattern_in_words(expression: str, expected: str) -> None:
    """From what it means, so that two ways to write it read the same."""
    assert f"{expected}, UTC" == describe(cron(expression))


@pytest.mark.parametrize(
    ("expression", "dst", "expected"),
    [
        ("30 2 * * *", None, "At 02:30 every day, Europe/Berlin time"),
        (
            *("*/15 * * * *", None),
            "Every 15 minutes, Europe/Berlin time, following real time when its clock changes",
        ),
        (
            *("*/5 9-17 * * *", None),
            "Every 5 minutes of hours 9 to 17, Europe/Berlin time, as fixed times of the day",
        ),
        (
            *("30 2 * * *", DstPolicy.INTERVAL),
            "At 02:30 every day, Europe/Berlin time, following real time when its clock changes",
        ),
        (
            *("0 * * * *", DstPolicy.FIXED),
            "At minute 0 of every hour, Europe/Berlin time, as fixed times of the day",
        ),
    ],
)
def test_an_interval_and_fixed_times_read_differently(
    expression: str, dst: DstPolicy | None, expected: str
) -> None:
    """The words differ in a zone whose clocks are changed."""
    assert expected == describe(cron(expression, "Europe/Berlin", dst=dst))


def test_zone_and_policies_are_said() -> None:
    """The words name a zone or policy other than the default."""
    schedule = cron(
        "30 2 * * *", "Europe/Berlin", gap=GapPolicy.SKIP, fold=FoldPolicy.BOTH, max_runs=3
    )

    assert describe(schedule) == (
        "At 02:30 every day, Europe/Berlin time, never in place of a time its clock skips, "
        "both times when its clock shows a time twice, at most 3 times"
    )
