"""The next changes of a clock, and the word on what happens then."""

import pytest

from tests.unit.domain.recurrence.schedules import cron, fires, rate, rrule, utc
from timegate.domain.recurrence.clock_notes import next_clock_changes
from timegate.domain.recurrence.schedule import DstPolicy, FoldPolicy, GapPolicy, Schedule

BEGIN = utc("2026-11-21 07:00")
BERLIN = "Europe/Berlin"


def told(schedule: Schedule) -> list[str]:
    """The changes in words."""
    return [change.description for change in next_clock_changes(schedule, after=BEGIN)]


def test_the_next_gap_and_fold_are_told_in_order() -> None:
    """A daily time within both."""
    assert told(cron("30 2 * * *", "Europe/Berlin")) == [
        "The clock skips 02:00 to 03:00 on Sun 2027-03-28. A time within runs once, at 03:00.",
        (
            "The clock shows 02:00 to 03:00 twice on Sun 2027-10-31. "
            "A time within runs once, the first time."
        ),
    ]


@pytest.mark.parametrize(
    ("schedule", "effects"),
    [
        (cron("0 9 * * *", "Europe/Berlin"), ["unaffected", "unaffected"]),
        (cron("30 2 * * mon", "Europe/Berlin"), ["unaffected", "unaffected"]),
        (cron("0 3 * * *", "Europe/Berlin"), ["unaffected", "unaffected"]),
        (cron("0 2 * * *", "Europe/Berlin"), ["runs_after", "runs_once"]),
        (cron("59 2 * * *", "Europe/Berlin"), ["runs_after", "runs_once"]),
        (cron("0 * * * *", "Europe/Berlin"), ["real_time", "real_time"]),
        (
            cron("30 2 * * *", "Europe/Berlin", gap=GapPolicy.SKIP, fold=FoldPolicy.BOTH),
            ["left_out", "runs_twice"],
        ),
        (cron("30 2 * * *", "Europe/Berlin", dst=DstPolicy.INTERVAL), ["real_time", "real_time"]),
        (cron("30 2 * * *", "Europe/Berlin", ends_at=utc("2027-06-01 00:00")), ["runs_after"]),
        (cron("30 2 * * *", "UTC"), []),
        (cron("30 2 * * *", "Asia/Kathmandu"), []),
        (rate(60), []),
    ],
    ids=str,
)
def test_each_effect(schedule: Schedule, effects: list[str]) -> None:
    """Both sides of the gap's edges; bounds; zones and kinds without changes."""
    found = next_clock_changes(schedule, after=BEGIN)

    assert [change.effect for change in found] == effects


@pytest.mark.parametrize(
    ("schedule", "effects"),
    [
        # The gap of 2027 and its fold are over by then.
        (
            cron("30 2 * * *", "Europe/Berlin", starts_at=utc("2027-12-01 00:00")),
            ["2028-03-26 runs_after", "2028-10-29 runs_once"],
        ),
        # The first instant is that to which a gap moves it.
        (
            cron("30 2 * * *", "Europe/Berlin", starts_at=utc("2027-03-28 01:00")),
            ["2027-03-28 runs_after", "2027-10-31 runs_once"],
        ),
        (
            rrule(
                "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
                BERLIN,
                exdates=(utc("2027-03-28 01:00"), utc("2027-10-31 00:30")),
            ),
            ["2027-03-28 unaffected", "2027-10-31 unaffected"],
        ),
        # The end of the fold is none of its times.
        (
            rrule("FREQ=DAILY;BYHOUR=2,3;BYMINUTE=0", BERLIN, exdates=(utc("2027-10-31 00:00"),)),
            ["2027-03-28 runs_after", "2027-10-31 unaffected"],
        ),
        (
            rrule("FREQ=DAILY;BYHOUR=2;UNTIL=20270401T000000Z", BERLIN),
            ["2027-03-28 runs_after", "2027-10-31 unaffected"],
        ),
        (
            rrule("FREQ=DAILY;BYHOUR=2;UNTIL=20270401T000000", BERLIN, fold=FoldPolicy.BOTH),
            ["2027-03-28 runs_after", "2027-10-31 unaffected"],
        ),
    ],
    ids=str,
)
def test_times_that_do_not_run_have_no_effect(schedule: Schedule, effects: list[str]) -> None:
    """Beginnings, ends of rules and dates that are left out decide as well as the pattern."""
    found = next_clock_changes(schedule, after=BEGIN)

    assert [f"{change.at:%Y-%m-%d} {change.effect}" for change in found] == effects


@pytest.mark.parametrize(
    ("schedule", "sentence"),
    [
        (
            rrule(
                "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
                BERLIN,
                fold=FoldPolicy.BOTH,
                exdates=(utc("2027-10-31 01:30"),),
            ),
            "A time within runs once, the first time.",
        ),
        (
            rrule(
                "FREQ=DAILY;BYHOUR=2;BYMINUTE=30",
                BERLIN,
                fold=FoldPolicy.BOTH,
                exdates=(utc("2027-10-31 00:30"),),
            ),
            "A time within runs once, the second time.",
        ),
        (
            # The schedule begins between the two.
            cron("30 2 * * *", BERLIN, fold=FoldPolicy.BOTH, starts_at=utc("2027-10-31 01:00")),
            "A time within runs once, the second time.",
        ),
        (
            cron("30 2 * * *", BERLIN, fold=FoldPolicy.BOTH, ends_at=utc("2027-10-31 01:00")),
            "A time within runs once, the first time.",
        ),
        (
            # 02:30 has both of its instants still.
            rrule(
                "FREQ=DAILY;BYHOUR=2;BYMINUTE=0,30",
                BERLIN,
                fold=FoldPolicy.BOTH,
                exdates=(utc("2027-10-31 00:00"),),
            ),
            "A time within runs both times.",
        ),
    ],
    ids=str,
)
def test_of_two_instants_those_that_are_named_run(schedule: Schedule, sentence: str) -> None:
    """A time of a fold runs twice only where neither a date nor a bound takes one of the two."""
    after = utc("2027-10-01 00:00")
    (fold, *_) = next_clock_changes(schedule, after=after)

    assert fold.description.endswith(f"on Sun 2027-10-31. {sentence}")
    assert (fold.effect == "runs_twice") is ("both" in sentence)


def test_a_clock_that_is_set_back_first_is_told_first() -> None:
    """South of the equator April comes before October."""
    found = next_clock_changes(cron("15 2 * * *", "Australia/Lord_Howe"), after=BEGIN)

    assert [(change.kind, change.effect) for change in found] == [
        ("fold", "unaffected"),
        ("gap", "runs_after"),
    ]
    assert found[1].fields() == {
        "kind": "gap",
        "at": "2027-10-02T15:30:00.000Z",
        "local_from": "2027-10-03T02:00:00",
        "local_to": "2027-10-03T02:30:00",
        "effect": "runs_after",
        "any_of": [],
        "description": "The clock skips 02:00 to 02:30 on Sun 2027-10-03. "
        "A time within runs once, at 02:30.",
    }


@pytest.mark.parametrize("seconds", [-1, 0])
def test_a_change_is_later_than_the_beginning(seconds: int) -> None:
    """One second before it, it is still to come; at its instant, it is over."""
    change = utc("2027-03-28 01:00")
    begin = change.replace(minute=59, second=59, hour=0) if seconds else change
    (first, *_) = next_clock_changes(cron("30 2 * * *", "Europe/Berlin"), after=begin)

    assert (first.at == change) is (seconds < 0)


def test_the_word_is_what_happens() -> None:
    """The fires of both nights are those that the notes announce."""
    schedule = cron("30 2 * * *", "Europe/Berlin")

    assert fires(schedule, "2027-03-27 12:00", "2027-03-28 12:00") == ["2027-03-28 01:00"]
    assert fires(schedule, "2027-10-30 12:00", "2027-10-31 12:00") == ["2027-10-31 00:30"]
