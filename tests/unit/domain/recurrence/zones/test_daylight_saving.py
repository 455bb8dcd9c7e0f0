"""A schedule on the days a zone's clock is set names the instants worked out from its rules.

2026: Berlin jumps 02:00 to 03:00 on 29 March and is set back 03:00 to 02:00 on 25 October, both
at 01:00 UTC. New York jumps at 07:00 UTC on 8 March and is set back 02:00 to 01:00 at 06:00 UTC on
1 November. Lord Howe is set back half an hour, 02:00 to 01:30, on 5 April (15:00 UTC the day
before) and jumps 02:00 to 02:30 on 4 October (15:30 UTC the day before).
"""

import pytest

from tests.unit.domain.recurrence.schedules import cron, fires
from timegate.domain.recurrence.schedule import DstPolicy, FoldPolicy, GapPolicy

BERLIN_GAP = ("Europe/Berlin", "2026-03-28 12:00", "2026-03-30 12:00")
BERLIN_FOLD = ("Europe/Berlin", "2026-10-24 12:00", "2026-10-26 12:00")
NEW_YORK_GAP = ("America/New_York", "2026-03-07 12:00", "2026-03-09 12:00")
NEW_YORK_FOLD = ("America/New_York", "2026-10-31 12:00", "2026-11-02 12:00")
LORD_HOWE_GAP = ("Australia/Lord_Howe", "2026-10-02 20:00", "2026-10-04 20:00")
LORD_HOWE_FOLD = ("Australia/Lord_Howe", "2026-04-03 20:00", "2026-04-05 20:00")

Window = tuple[str, str, str]

FIXED_TIMES_AT_A_GAP: list[tuple[Window, str, list[str]]] = [
    (BERLIN_GAP, "59 1 * * *", ["2026-03-29 00:59", "2026-03-29 23:59"]),
    (BERLIN_GAP, "0 2 * * *", ["2026-03-29 01:00", "2026-03-30 00:00"]),
    (BERLIN_GAP, "30 2 * * *", ["2026-03-29 01:00", "2026-03-30 00:30"]),
    (BERLIN_GAP, "59 2 * * *", ["2026-03-29 01:00", "2026-03-30 00:59"]),
    (BERLIN_GAP, "0 3 * * *", ["2026-03-29 01:00", "2026-03-30 01:00"]),
    (BERLIN_GAP, "0,30 2 * * *", ["2026-03-29 01:00", "2026-03-30 00:00", "2026-03-30 00:30"]),
    (BERLIN_GAP, "0 2,3 * * *", ["2026-03-29 01:00", "2026-03-30 00:00", "2026-03-30 01:00"]),
    (
        BERLIN_GAP,
        "30 2,3 * * *",
        ["2026-03-29 01:00", "2026-03-29 01:30", "2026-03-30 00:30", "2026-03-30 01:30"],
    ),
    (BERLIN_GAP, "15 30 2 * * *", ["2026-03-29 01:00", "2026-03-30 00:30:15"]),
    (BERLIN_GAP, "30 2 * * sun", ["2026-03-29 01:00"]),
    (BERLIN_GAP, "30 2 29 3 *", ["2026-03-29 01:00"]),
    (BERLIN_GAP, "30 2 * * sunL", ["2026-03-29 01:00"]),
    (BERLIN_GAP, "30 2 30 * *", ["2026-03-30 00:30"]),
    (NEW_YORK_GAP, "30 2 * * *", ["2026-03-08 07:00", "2026-03-09 06:30"]),
    (NEW_YORK_GAP, "0 3 * * *", ["2026-03-08 07:00", "2026-03-09 07:00"]),
    (LORD_HOWE_GAP, "0 2 * * *", ["2026-10-03 15:30", "2026-10-04 15:00"]),
    (LORD_HOWE_GAP, "15 2 * * *", ["2026-10-03 15:30", "2026-10-04 15:15"]),
    (LORD_HOWE_GAP, "30 2 * * *", ["2026-10-03 15:30", "2026-10-04 15:30"]),
    (
        LORD_HOWE_GAP,
        "15,45 2 * * *",
        ["2026-10-03 15:30", "2026-10-03 15:45", "2026-10-04 15:15", "2026-10-04 15:45"],
    ),
]
FIXED_TIMES_AT_A_FOLD: list[tuple[Window, str, list[str]]] = [
    (BERLIN_FOLD, "59 1 * * *", ["2026-10-24 23:59", "2026-10-26 00:59"]),
    (BERLIN_FOLD, "0 2 * * *", ["2026-10-25 00:00", "2026-10-26 01:00"]),
    (BERLIN_FOLD, "30 2 * * *", ["2026-10-25 00:30", "2026-10-26 01:30"]),
    (BERLIN_FOLD, "0 3 * * *", ["2026-10-25 02:00", "2026-10-26 02:00"]),
    (
        BERLIN_FOLD,
        "0-59/30 2 * * *",
        ["2026-10-25 00:00", "2026-10-25 00:30", "2026-10-26 01:00", "2026-10-26 01:30"],
    ),
    (BERLIN_FOLD, "15 30 2 * * *", ["2026-10-25 00:30:15", "2026-10-26 01:30:15"]),
    (NEW_YORK_FOLD, "30 1 * * *", ["2026-11-01 05:30", "2026-11-02 06:30"]),
    (NEW_YORK_FOLD, "0 2 * * *", ["2026-11-01 07:00", "2026-11-02 07:00"]),
    (LORD_HOWE_FOLD, "15 1 * * *", ["2026-04-04 14:15", "2026-04-05 14:45"]),
    (LORD_HOWE_FOLD, "45 1 * * *", ["2026-04-04 14:45", "2026-04-05 15:15"]),
    (LORD_HOWE_FOLD, "0 2 * * *", ["2026-04-04 15:30", "2026-04-05 15:30"]),
]


def named(case: tuple[Window, str, list[str]]) -> str:
    return f"{case[0][0]} {case[1]}"


@pytest.mark.parametrize("case", FIXED_TIMES_AT_A_GAP, ids=named)
def test_a_time_the_clock_jumps_over_runs_once_right_after(
    case: tuple[Window, str, list[str]],
) -> None:
    """However many such times there are, and merged with a time that is due then anyway."""
    (zone, after, until), expression, expected = case

    assert expected == fires(cron(expression, zone), after, until)


@pytest.mark.parametrize("case", FIXED_TIMES_AT_A_FOLD, ids=named)
def test_a_time_the_clock_shows_twice_runs_the_first_time(
    case: tuple[Window, str, list[str]],
) -> None:
    """And the time at which the clock is set back is shown once only."""
    (zone, after, until), expression, expected = case

    assert expected == fires(cron(expression, zone), after, until)


@pytest.mark.parametrize(
    ("window", "expression", "expected"),
    [
        (BERLIN_GAP, "30 2 * * *", ["2026-03-30 00:30"]),
        (BERLIN_GAP, "30 2,3 * * *", ["2026-03-29 01:30", "2026-03-30 00:30", "2026-03-30 01:30"]),
        (BERLIN_GAP, "0 3 * * *", ["2026-03-29 01:00", "2026-03-30 01:00"]),
        (NEW_YORK_GAP, "30 2 * * *", ["2026-03-09 06:30"]),
        (LORD_HOWE_GAP, "15 2 * * *", ["2026-10-04 15:15"]),
    ],
    ids=str,
)
def test_a_job_may_skip_the_times_its_clock_skips(
    window: Window, expression: str, expected: list[str]
) -> None:
    """Then that day has no run, and times that exist are not touched."""
    zone, after, until = window

    assert expected == fires(cron(expression, zone, gap=GapPolicy.SKIP), after, until)


@pytest.mark.parametrize(
    ("window", "expression", "expected"),
    [
        (BERLIN_FOLD, "30 2 * * *", ["2026-10-25 00:30", "2026-10-25 01:30", "2026-10-26 01:30"]),
        (BERLIN_FOLD, "0 3 * * *", ["2026-10-25 02:00", "2026-10-26 02:00"]),
        (NEW_YORK_FOLD, "0 1 * * *", ["2026-11-01 05:00", "2026-11-01 06:00", "2026-11-02 06:00"]),
        (
            LORD_HOWE_FOLD,
            "45 1 * * *",
            ["2026-04-04 14:45", "2026-04-04 15:15", "2026-04-05 15:15"],
        ),
    ],
    ids=str,
)
def test_a_job_may_run_both_times_its_clock_shows_a_time(
    window: Window, expression: str, expected: list[str]
) -> None:
    """The second pass counts as well."""
    zone, after, until = window

    assert expected == fires(cron(expression, zone, fold=FoldPolicy.BOTH), after, until)


@pytest.mark.parametrize(
    ("zone", "expression", "after", "until", "expected"),
    [
        pytest.param(
            *("Europe/Berlin", "0 * * * *", "2026-03-28 23:30", "2026-03-29 02:30"),
            ["2026-03-29 00:00", "2026-03-29 01:00", "2026-03-29 02:00"],
            id="Berlin, each hour across the gap",
        ),
        pytest.param(
            *("Europe/Berlin", "0 * * * *", "2026-10-24 23:30", "2026-10-25 02:30"),
            ["2026-10-25 00:00", "2026-10-25 01:00", "2026-10-25 02:00"],
            id="Berlin, each hour across the fold",
        ),
        pytest.param(
            *("Europe/Berlin", "*/30 2 * * *", *BERLIN_GAP[1:]),
            ["2026-03-30 00:00", "2026-03-30 00:30"],
            id="Berlin, within an hour that the day does not have",
        ),
        pytest.param(
            *("Europe/Berlin", "*/30 2 * * *", "2026-10-24 12:00", "2026-10-25 12:00"),
            ["2026-10-25 00:00", "2026-10-25 00:30", "2026-10-25 01:00", "2026-10-25 01:30"],
            id="Berlin, within an hour that the day has twice",
        ),
        pytest.param(
            *("America/New_York", "*/20 * * * *", "2026-03-08 06:30", "2026-03-08 07:30"),
            ["2026-03-08 06:40", "2026-03-08 07:00", "2026-03-08 07:20"],
            id="New York, every 20 minutes across the gap",
        ),
        pytest.param(
            *("America/New_York", "*/30 * * * *", "2026-11-01 05:15", "2026-11-01 07:15"),
            ["2026-11-01 05:30", "2026-11-01 06:00", "2026-11-01 06:30", "2026-11-01 07:00"],
            id="New York, every 30 minutes across the fold",
        ),
        pytest.param(
            *("America/New_York", "0 */2 * * *", "2026-11-01 03:00", "2026-11-01 10:00"),
            ["2026-11-01 04:00", "2026-11-01 07:00", "2026-11-01 09:00"],
            id="New York, every second hour shown by the clock",
        ),
        pytest.param(
            *("Australia/Lord_Howe", "*/30 * * * *", "2026-10-03 14:30", "2026-10-03 16:30"),
            ["2026-10-03 15:00", "2026-10-03 15:30", "2026-10-03 16:00", "2026-10-03 16:30"],
            id="Lord Howe, every 30 minutes across the gap",
        ),
        pytest.param(
            *("Australia/Lord_Howe", "0 * * * *", "2026-10-03 14:00", "2026-10-03 17:00"),
            ["2026-10-03 14:30", "2026-10-03 16:00", "2026-10-03 17:00"],
            id="Lord Howe, full hours shown by a clock that jumps half of one",
        ),
        pytest.param(
            *("Australia/Lord_Howe", "*/15 1 * * *", "2026-04-04 12:00", "2026-04-05 12:00"),
            [
                "2026-04-04 14:00",
                "2026-04-04 14:15",
                "2026-04-04 14:30",
                "2026-04-04 14:45",
                "2026-04-04 15:00",
                "2026-04-04 15:15",
            ],
            id="Lord Howe, the repeated half of an hour",
        ),
        pytest.param(
            *("America/Santiago", "*/60 23 * * sat", "1973-03-11 01:00", "1973-03-11 05:00"),
            # 59 minutes before that change, a window of computed stretches ends.
            ["1973-03-11 02:00", "1973-03-11 03:00"],
            id="Santiago was set back from midnight to 23:00 in 1973",
        ),
    ],
)
def test_an_interval_follows_the_clock_as_it_runs(
    zone: str, expression: str, after: str, until: str, expected: list[str]
) -> None:
    """Each match that the clock shows is a fire: none is made up or dropped."""
    schedule = cron(expression, zone, dst=DstPolicy.INTERVAL)

    assert expected == fires(schedule, after, until)


@pytest.mark.parametrize(
    ("zone", "expression", "after", "until", "expected"),
    [
        pytest.param(
            *("Pacific/Apia", "0 9 * * *", "2011-12-29 00:00", "2011-12-31 00:00"),
            # The 29th, the lost 30th at the jump, and the 31st: west and east of the date line.
            ["2011-12-29 19:00", "2011-12-30 10:00", "2011-12-30 19:00"],
            id="Apia skipped 30 December 2011",
        ),
        pytest.param(
            *("America/Santiago", "0 0 * * *", "2026-09-05 12:00", "2026-09-07 12:00"),
            ["2026-09-06 04:00", "2026-09-07 03:00"],
            id="Santiago jumps over midnight",
        ),
        pytest.param(
            *("America/Santiago", "30 23 * * *", "2026-04-04 12:00", "2026-04-06 12:00"),
            ["2026-04-05 02:30", "2026-04-06 03:30"],
            id="Santiago has the last hour of a day twice",
        ),
        pytest.param(
            *("Asia/Kathmandu", "45 5 * * *", "2026-01-01 00:00", "2026-01-02 23:00"),
            ["2026-01-02 00:00"],
            id="Kathmandu is 05:45 ahead",
        ),
    ],
)
def test_odd_clocks(
    zone: str, expression: str, after: str, until: str, expected: list[str]
) -> None:
    """The rules do not know what a usual change looks like."""
    assert expected == fires(cron(expression, zone), after, until)


@pytest.mark.parametrize("minute", [0, 15, 30, 45], ids=lambda minute: f"minute {minute}")
@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe"])
@pytest.mark.parametrize("hour", [0, 1, 2, 3], ids=lambda hour: f"hour {hour}")
def test_a_daily_job_runs_as_often_as_the_year_has_days(zone: str, hour: int, minute: int) -> None:
    """Never twice in autumn, never zero times in spring."""
    # From one new year of its clock to the next.
    new_year = {"Europe/Berlin": "12-31 22:59", "America/New_York": "01-01 04:59"}
    started = new_year.get(zone, "12-31 12:59")
    first_year = 2026 if started.startswith("01") else 2025
    after, until = f"{first_year}-{started}", f"{first_year + 1}-{started}"

    assert len(fires(cron(f"{minute} {hour} * * *", zone), after, until)) == 365
