"""Clock changes go by what a pattern means, however it is written."""

import pytest

from tests.unit.domain.recurrence.schedules import cron, fires
from timegate.domain.recurrence.cron.pattern import parse_cron
from timegate.domain.recurrence.schedule import DstPolicy, FoldPolicy, GapPolicy
from timegate.domain.recurrence.zones.clock_changes import is_interval

BERLIN = "Europe/Berlin"
GAP_NIGHT = ("2026-03-28 23:30", "2026-03-29 02:30")
FOLD_NIGHT = ("2026-10-24 23:30", "2026-10-25 02:30")
HOURLY_AT_A_GAP = ["2026-03-29 00:00", "2026-03-29 01:00", "2026-03-29 02:00"]
HOURLY_AT_A_FOLD = ["2026-10-25 00:00", "2026-10-25 01:00", "2026-10-25 02:00"]


@pytest.mark.parametrize(
    "expression", ["0 * * * *", "0 0-23 * * *", "0 */1 * * *", "0 0/1 * * *", "0 0 0/1 * * ?"]
)
def test_every_hour_is_each_real_hour(expression: str) -> None:
    """Three hours of real time around each change have three fires."""
    assert fires(cron(expression, BERLIN), *GAP_NIGHT) == HOURLY_AT_A_GAP
    assert fires(cron(expression, BERLIN), *FOLD_NIGHT) == HOURLY_AT_A_FOLD


@pytest.mark.parametrize("expression", ["0,30 0-23 * * *", "*/30 * * * *", "0/30 * * * *"])
def test_every_half_hour_is_each_real_half_hour(expression: str) -> None:
    """The repeated hour has its two fires again."""
    found = fires(cron(expression, BERLIN), "2026-10-24 23:45", "2026-10-25 01:45")

    assert found == [f"2026-10-25 {time}" for time in ("00:00", "00:30", "01:00", "01:30")]


@pytest.mark.parametrize(
    "expression", ["0 2 * * *", "*/60 2 * * *", "*/90 2 * * *", "0 2/22 * * *"]
)
def test_once_a_day_is_once_a_day(expression: str) -> None:
    """A star that names one minute makes no interval: once in spring, once in autumn."""
    spring = fires(cron(expression, BERLIN), "2026-03-28 12:00", "2026-03-29 12:00")
    autumn = fires(cron(expression, BERLIN), "2026-10-24 12:00", "2026-10-25 12:00")

    assert spring == ["2026-03-29 01:00"]
    assert autumn == ["2026-10-25 00:00"]


def test_midnight_every_24_hours_is_once_a_day() -> None:
    """Havana is set back from 01:00 to 00:00: midnight comes twice, and runs once."""
    schedule = cron("0 */24 * * *", "America/Havana")

    assert fires(schedule, "2026-10-31 12:00", "2026-11-01 12:00") == ["2026-11-01 04:00"]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("* 2 * * *", True),
        ("0-59 2 * * *", True),
        ("0-58 2 * * *", False),
        ("0 0-23 * * *", True),
        ("0 1-23 * * *", False),
        ("*/5 9-17 * * *", False),
        ("0 */2 * * *", False),
        ("*/10 30 2 * * *", False),
    ],
)
def test_an_interval_names_all_hours_or_all_minutes(expression: str, *, expected: bool) -> None:
    """One hour or minute less, and it names fixed times."""
    assert is_interval(cron(expression, BERLIN), parse_cron(expression)) is expected


@pytest.mark.parametrize(
    ("dst", "expected"),
    [
        (DstPolicy.FIXED, ["2026-10-25 00:00", "2026-10-25 02:00"]),
        (DstPolicy.INTERVAL, ["2026-10-25 00:00", "2026-10-25 01:00", "2026-10-25 02:00"]),
    ],
)
def test_a_job_says_which_it_means(dst: DstPolicy, expected: list[str]) -> None:
    """Its word comes before the pattern's."""
    for expression in ("0 * * * *", "0 2,3 * * *"):
        night = ("2026-10-24 23:30", "2026-10-25 02:00")

        assert fires(cron(expression, BERLIN, dst=dst), *night) == expected


def test_fixed_times_may_still_choose() -> None:
    """Gap and fold hold for an hourly pattern that its job calls fixed."""
    both = cron("0 * * * *", BERLIN, dst=DstPolicy.FIXED, fold=FoldPolicy.BOTH)
    skip = cron("30 * * * *", BERLIN, dst=DstPolicy.FIXED, gap=GapPolicy.SKIP)

    assert fires(both, *FOLD_NIGHT) == HOURLY_AT_A_FOLD
    assert fires(skip, "2026-03-29 00:00", "2026-03-29 02:00") == [
        "2026-03-29 00:30",
        "2026-03-29 01:30",
    ]
