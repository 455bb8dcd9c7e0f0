"""Recurrence rules as text: one form of each, the lines of calendars, and refusals."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from tests.unit.domain.recurrence.schedules import rrule, utc
from tests.unit.domain.recurrence.test_validate_schedule import refusal
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.rrule.lines import read_lines
from timegate.domain.recurrence.rrule.parts import MAX_RRULE_CHARACTERS
from timegate.domain.recurrence.schedule import (
    MAX_DATES,
    MAX_LINES_CHARACTERS,
    GapPolicy,
    Schedule,
    ScheduleKind,
)
from timegate.domain.recurrence.spelling import as_written
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.recurrence.words import describe
from timegate.domain.values.errors import InvalidInput

NOW = utc("2026-11-22 07:00")
LINES = """DTSTART;TZID=Europe/Berlin:20261127T090000
RRULE:FREQ=MONTHLY;BYD
 AY=-1FR
EXDATE;TZID=Europe/Berlin:20261225T090000,20261127T090000
EXDATE:20261127T080000Z
RDATE;VALUE=DATE-TIME:20261228T090000
"""


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ("freq=daily", "FREQ=DAILY"),
        ("RRULE:FREQ=DAILY;", "FREQ=DAILY"),
        ("WKST=MO;INTERVAL=1;FREQ=DAILY", "FREQ=DAILY"),
        ("BYDAY=fr,mo,FR;FREQ=WEEKLY;WKST=SU", "FREQ=WEEKLY;BYDAY=MO,FR;WKST=SU"),
        ("FREQ=MONTHLY;BYDAY=+1MO,-1FR", "FREQ=MONTHLY;BYDAY=1MO,-1FR"),
        ("FREQ=DAILY;BYHOUR=+9,8,09", "FREQ=DAILY;BYHOUR=8,9"),
        ("FREQ=DAILY;UNTIL=20271231t000000z", "FREQ=DAILY;UNTIL=20271231T000000Z"),
    ],
)
def test_equal_rules_are_stored_alike(written: str, stored: str) -> None:
    """However they are written; and the stored form is stored as it is."""
    assert rrule(written).rrule == stored == rrule(stored).rrule


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_the_lines_of_a_calendar_fill_the_fields(newline: str) -> None:
    """Folded lines are joined, dates are read on the zone's wall, each once and in order."""
    text = LINES.replace("\n", newline)
    found = as_written(Schedule(kind=ScheduleKind.RRULE, rrule=text))

    assert found == Schedule(
        kind=ScheduleKind.RRULE,
        rrule="FREQ=MONTHLY;BYDAY=-1FR",
        timezone="Europe/Berlin",
        starts_at=utc("2026-11-27 08:00"),
        exdates=(utc("2026-11-27 08:00"), utc("2026-12-25 08:00")),
        rdates=(utc("2026-12-28 08:00"),),
    )
    assert as_written(found) == found
    validate_schedule(found, now=NOW)


def test_a_time_that_the_clock_skips_is_the_end_of_the_gap() -> None:
    """A rule moves such a time alike, so a left-out date meets the run in its place."""
    text = "DTSTART;TZID=Europe/Berlin:20270327T023000\nRRULE:FREQ=DAILY\n"
    text += "EXDATE;TZID=Europe/Berlin:20270328T023000"
    found = as_written(Schedule(kind=ScheduleKind.RRULE, rrule=text))

    assert found.exdates == (utc("2027-03-28 01:00"),)


@pytest.mark.parametrize(
    ("zone", "skipped", "shown"),
    [
        ("Australia/Lord_Howe", "20271003T021500", "20271003T023000"),
        # Its clock skips midnight, ...
        ("America/Santiago", "20270905T000000", "20270905T010000"),
        # ... this one the last hour of a day, ...
        ("America/Nuuk", "20270327T233000", "20270328T000000"),
        # ... and this one a day.
        ("Pacific/Apia", "20111230T120000", "20111231T000000"),
    ],
)
def test_a_rule_does_not_begin_at_a_time_that_the_clock_skips(
    zone: str, skipped: str, shown: str
) -> None:
    """It would take the end of the gap for its time of day, and for its day, for ever."""
    text = f"DTSTART;TZID={zone}:%s\nRRULE:FREQ=DAILY"
    refused = Schedule(kind=ScheduleKind.RRULE, rrule=text % skipped)

    with pytest.raises(InvalidInput, match=f"DTSTART {skipped} is a time that the clock"):
        read_lines(refused)
    assert read_lines(Schedule(kind=ScheduleKind.RRULE, rrule=text % shown)).timezone == zone
    assert as_written(refused) == refused


@pytest.mark.parametrize(
    "text",
    [
        *("", "DAILY", "FREQ", "FREQ=", "FREQ=FORTNIGHTLY", "INTERVAL=2", "FREQ=DAILY;FREQ=DAILY"),
        *("FREQ=DAILY;BYEASTER=0", "FREQ=DAILY;RSCALE=HEBREW", "FREQ=DAILY;;COUNT=1"),
        *("FREQ=DAILY;INTERVAL=0", "FREQ=DAILY;INTERVAL=1000001", "FREQ=DAILY;COUNT=0"),
        *("FREQ=DAILY;COUNT=1000000001", "FREQ=DAILY;COUNT=1;UNTIL=20271231"),
        *("FREQ=DAILY;UNTIL=2027", "FREQ=DAILY;UNTIL=20271331", "FREQ=DAILY;UNTIL=20271231T0000"),
        *("FREQ=DAILY;BYHOUR=24", "FREQ=DAILY;BYMINUTE=60", "FREQ=DAILY;BYSECOND=61"),
        *(
            "FREQ=DAILY;BYHOUR=-1",
            "FREQ=DAILY;BYHOUR=",
            "FREQ=DAILY;BYMONTH=0",
            "FREQ=DAILY;WKST=1",
        ),
        *("FREQ=MONTHLY;BYMONTHDAY=32", "FREQ=MONTHLY;BYMONTHDAY=0", "FREQ=MONTHLY;BYDAY=54MO"),
        *("FREQ=MONTHLY;BYDAY=0MO", "FREQ=MONTHLY;BYDAY=XX", "FREQ=YEARLY;BYWEEKNO=54"),
        *("FREQ=YEARLY;BYWEEKNO=-52", "FREQ=MONTHLY;BYWEEKNO=1", "FREQ=WEEKLY;BYMONTHDAY=1"),
        *("FREQ=MONTHLY;BYYEARDAY=1", "FREQ=WEEKLY;BYYEARDAY=1", "FREQ=DAILY;BYYEARDAY=1"),
        *("FREQ=WEEKLY;BYDAY=1MO", "FREQ=YEARLY;BYWEEKNO=1;BYDAY=1MO", "FREQ=DAILY;BYSETPOS=1"),
        *("FREQ=DAILY\nFREQ=DAILY", "FREQ=DAILY\nEXRULE:FREQ=DAILY", "FREQ=DAILY\nhello"),
        *("FREQ=DAILY\nRDATE;VALUE=DATE:20261225", "FREQ=DAILY\nEXDATE:20261325T000000"),
        *("DTSTART:20261127", "FREQ=DAILY\nDTSTART:20261127", "FREQ=DAILY\nRDATE:1"),
        *("FREQ=DAILY;UNTIL=00010101", "FREQ=DAILY;UNTIL=18991231T235959"),
    ],
)
def test_a_text_that_is_no_rule_is_refused(text: str) -> None:
    """With one code, and the part in words."""
    assert refusal(rrule(text)) == ("rrule", "invalid_rrule")


ZONES = ("UTC", "Pacific/Kiritimati", "Pacific/Niue", "Africa/Monrovia")


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("line", ["DTSTART", "EXDATE", "RDATE"])
@pytest.mark.parametrize(
    ("time", "is_read"),
    [
        ("00010101T000000", False),
        ("18991231T235959", False),
        ("19000101T000000", True),
        ("90001231T235959", True),
        ("90010101T000000", False),
        ("99991231T235959", False),
    ],
)
def test_a_line_has_times_that_can_be_reckoned_with(
    time: str, line: str, zone: str, *, is_read: bool
) -> None:
    """In every zone, however far its clock is ahead; with a Z as well."""
    for written in (f"{line};TZID={zone}:{time}", f"{line}:{time}", f"{line}:{time}Z"):
        given = Schedule(
            kind=ScheduleKind.RRULE, rrule=f"{written}\nRRULE:FREQ=DAILY", timezone=zone
        )
        if is_read:
            assert as_written(given).rrule == "FREQ=DAILY"
        else:
            assert refusal(given) == ("rrule", "invalid_rrule")


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("until", ["90010101", "99991231", "99991231T235959", "99991231T235959Z"])
def test_an_end_behind_the_last_year_bounds_nothing(until: str, zone: str) -> None:
    """Some calendars write so of a rule that has no end."""
    unbounded = rrule("FREQ=YEARLY", zone, starts_at=utc("8990-06-01 12:00"))
    bounded = replace(unbounded, rrule=f"FREQ=YEARLY;UNTIL={until}")
    spans = [
        span_between(each, created_at=NOW, first=NOW, until=utc("9000-12-31 23:59"))
        for each in (unbounded, bounded)
    ]

    assert refusal(bounded) is None
    assert spans[0] is not None
    assert spans[0] == spans[1]
    assert spans[0].count == 11
    assert describe(bounded)


@pytest.mark.parametrize(("length", "accepted"), [(0, True), (1, False)])
def test_a_rule_has_a_longest_text(length: int, *, accepted: bool) -> None:
    """Every distinct rule is kept for a while."""
    rule = "FREQ=DAILY;BYHOUR="
    rule += "9," * ((MAX_RRULE_CHARACTERS - len(rule)) // 2 - 1)
    rule += "9".rjust(MAX_RRULE_CHARACTERS - len(rule) + length, "0")[-3:]
    rule = rule.ljust(MAX_RRULE_CHARACTERS + length, ";")

    assert (rrule(rule).rrule == "FREQ=DAILY;BYHOUR=9") is accepted


#: Fields beside a daily rule in Berlin, and the refusal.
REFUSED: list[tuple[dict[str, Any], str, str]] = [
    ({"starts_at": None}, "starts_at", "required"),
    ({"starts_at": utc("2026-11-22 09:00:00.5")}, "starts_at", "not_a_whole_second"),
    ({"starts_at": utc("1899-12-31 23:59:59")}, "starts_at", "out_of_range"),
    ({"exdates": (utc("2026-11-22 09:00:00.5"),)}, "exdates", "not_a_whole_second"),
    ({"rdates": (utc("2026-11-22 09:00").replace(tzinfo=None),)}, "rdates", "no_utc_offset"),
    ({"rdates": (utc("2026-11-01 08:59:59"),)}, "rdates", "out_of_range"),
    (
        {"rdates": (utc("2026-12-01 00:00:01"),), "ends_at": utc("2026-12-01 00:00")},
        "rdates",
        "out_of_range",
    ),
    ({"rrule": "FREQ=DAILY;COUNT=36601"}, "rrule", "out_of_range"),
    ({"rrule": "FREQ=DAILY;UNTIL=20261120"}, "rrule", "never_fires"),
    ({"rrule": "FREQ=DAILY;COUNT=1"}, "rrule", "never_fires"),
    ({"rrule": "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30"}, "rrule", "never_fires"),
    ({"rrule": "FREQ=SECONDLY;INTERVAL=7;BYHOUR=9"}, "rrule", "too_complex"),
    ({"rrule": "FREQ=HOURLY", "gap": GapPolicy.SKIP}, "gap", "without_effect"),
    ({"timezone": "Europe/Bern"}, "timezone", "unknown_timezone"),
    ({"cron": "@daily"}, "cron", "not_for_this_kind"),
    ({"rrule": None}, "rrule", "required"),
    (
        {"rrule": "DTSTART;TZID=Asia/Tokyo:20261127T090000\nRRULE:FREQ=DAILY"},
        "timezone",
        "contradictory",
    ),
    ({"rrule": "DTSTART:20261127T090000\nRRULE:FREQ=DAILY"}, "starts_at", "contradictory"),
]


@pytest.mark.parametrize(("fields", "field", "code"), REFUSED)
def test_a_schedule_that_contradicts_itself_is_refused(
    fields: dict[str, Any], field: str, code: str
) -> None:
    """With the field to change."""
    given = {"rrule": "FREQ=DAILY", "timezone": "Europe/Berlin", **fields}
    given = {"starts_at": utc("2026-11-01 09:00"), **given}
    schedule = as_written(Schedule(kind=ScheduleKind.RRULE, **given))

    assert refusal(schedule) == (field, code)


@pytest.mark.parametrize("rule", ["FREQ=SECONDLY;INTERVAL=7", "FREQ=SECONDLY;INTERVAL=8;BYHOUR=9"])
def test_seconds_are_stepped_on_where_that_is_cheap(rule: str) -> None:
    """Any step alone, and steps that divide a day among chosen hours."""
    validate_schedule(rrule(rule), now=NOW)


def test_dates_are_bounded_together() -> None:
    """The job's record is written whole, so each date costs."""
    dates = tuple(utc("2027-01-01 00:00") + n * timedelta(hours=1) for n in range(MAX_DATES))
    validate_schedule(rrule("FREQ=DAILY", exdates=dates), now=NOW)
    one_more = rrule("FREQ=DAILY", exdates=dates, rdates=(utc("2026-12-01 00:00"),))

    assert refusal(one_more) == ("rdates", "too_complex")


def test_lines_have_a_longest_text() -> None:
    """Before anything of them is read."""
    text = "RRULE:FREQ=DAILY".ljust(MAX_LINES_CHARACTERS + 1, "\n")

    assert rrule(text[:-1]).rrule == "FREQ=DAILY"
    assert refusal(rrule(text)) == ("rrule", "invalid_rrule")
