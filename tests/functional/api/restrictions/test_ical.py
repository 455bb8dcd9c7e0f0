"""An iCal file becomes days, periods and repetitions, across clock changes."""

from datetime import UTC, date, datetime, timedelta

import pytest

from api.ical.events import read_events
from api.ical.recurrence import RecurrenceBudget, starts_of
from api.ical.refusal import InvalidIcal
from api.ical.spans import ReadWindow, Spans, gather
from tests.support.documents.ical_files import OWN_ZONE, event, file

FIRST = datetime(2026, 11, 21, 7, tzinfo=UTC)
LAST = FIRST + timedelta(days=400)
BERLIN = "Europe/Berlin"


def spans(text: str, timezone: str | None = None) -> Spans:
    document = read_events(text, timezone)
    return gather(document.events, ReadWindow(first=FIRST, last=LAST, zone=document.zone))


def days(*lines: str) -> list[str]:
    """The days of one event, as ``first/last``."""
    return [f"{first}/{last}" for first, last in spans(file(event(*lines))).days]


def periods(*lines: str) -> list[str]:
    """The periods of one event, in UTC, as ``start/end``."""
    found = spans(file(event(*lines))).periods
    return [f"{start:%m-%d %H:%M}/{end:%m-%d %H:%M}" for start, end in found]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["DTSTART;VALUE=DATE:20261225"], ["2026-12-25/2026-12-25"]),
        (
            ["DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227"],
            ["2026-12-24/2026-12-26"],
        ),
        # The same day as its own end is a common slip.
        (
            ["DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261224"],
            ["2026-12-24/2026-12-24"],
        ),
        (["DTSTART;VALUE=DATE:20261224", "DURATION:P2D"], ["2026-12-24/2026-12-25"]),
        (
            ["DTSTART;VALUE=DATE:20200101", "RRULE:FREQ=YEARLY"],
            ["2027-01-01/2027-01-01"],
        ),
        # Days that follow one another become one entry.
        (
            ["DTSTART;VALUE=DATE:20261221", "RRULE:FREQ=DAILY;COUNT=3"],
            ["2026-12-21/2026-12-23"],
        ),
        (
            [
                "DTSTART;VALUE=DATE:20261201",
                "RRULE:FREQ=MONTHLY;UNTIL=20270301",
                "EXDATE;VALUE=DATE:20270101",
                "RDATE;VALUE=DATE:20270110",
            ],
            [
                *("2026-12-01/2026-12-01", "2027-01-10/2027-01-10"),
                *("2027-02-01/2027-02-01", "2027-03-01/2027-03-01"),
            ],
        ),
        (
            ["DTSTART;VALUE=DATE:20261126", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH"],
            ["2026-11-26/2026-11-26", "2027-11-25/2027-11-25"],
        ),
        # An event that began before the range and reaches into it counts.
        (
            ["DTSTART;VALUE=DATE:20261119", "DTEND;VALUE=DATE:20261122"],
            ["2026-11-19/2026-11-21"],
        ),
        (["DTSTART;VALUE=DATE:20261119", "DTEND;VALUE=DATE:20261121"], []),
        (["DTSTART;VALUE=DATE:20261225", "STATUS:CANCELLED"], []),
    ],
)
def test_an_event_of_whole_days_becomes_days(lines: list[str], expected: list[str]) -> None:
    """First and last included; DTEND is the day after the last."""
    assert days(*lines) == expected


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (["DTSTART:20261201T100000Z", "DURATION:PT90M"], ["12-01 10:00/12-01 11:30"]),
        (
            ["DTSTART:20261201T100000Z", "DTEND:20261202T100000Z"],
            ["12-01 10:00/12-02 10:00"],
        ),
        # Without an end it has no length, and covers nothing.
        (["DTSTART:20261201T100000Z"], []),
        (
            [f"DTSTART;TZID={BERLIN}:20261201T090000", f"DTEND;TZID={BERLIN}:20261201T100000"],
            ["12-01 08:00/12-01 09:00"],
        ),
        # Windows and Outlook have names of their own.
        (
            ["DTSTART;TZID=W. Europe Standard Time:20261201T090000", "DURATION:PT1H"],
            ["12-01 08:00/12-01 09:00"],
        ),
        # Until an instant in UTC, which is a time of the event's own clock.
        (
            [
                f"DTSTART;TZID={BERLIN}:20261201T090000",
                "DURATION:PT1H",
                "RRULE:FREQ=DAILY;UNTIL=20261203T080000Z",
                "EXDATE:20261202T080000Z",
            ],
            ["12-01 08:00/12-01 09:00", "12-03 08:00/12-03 09:00"],
        ),
        # Until a day, which is included.
        (
            [
                "DTSTART:20261201T200000Z",
                "DURATION:PT1H",
                "RRULE:FREQ=DAILY;UNTIL=20261202",
            ],
            ["12-01 20:00/12-01 21:00", "12-02 20:00/12-02 21:00"],
        ),
        (
            [
                "DTSTART:20261201T200000Z",
                "DURATION:PT1H",
                "RDATE;VALUE=PERIOD:20261205T100000Z/PT5M,20261206T100000Z/20261206T110000Z",
            ],
            ["12-01 20:00/12-01 21:00", "12-05 10:00/12-05 10:05", "12-06 10:00/12-06 11:00"],
        ),
        # A day left out leaves out every time of it.
        (
            [
                "DTSTART:20261201T200000Z",
                "DURATION:PT1H",
                "RRULE:FREQ=HOURLY;INTERVAL=3;COUNT=3",
                "EXDATE;VALUE=DATE:20261202",
            ],
            ["12-01 20:00/12-01 21:00", "12-01 23:00/12-02 00:00"],
        ),
        # Periods that touch are one.
        (
            ["DTSTART:20261201T200000Z", "DURATION:PT1H", "RRULE:FREQ=HOURLY;COUNT=3"],
            ["12-01 20:00/12-01 23:00"],
        ),
        (
            [
                "DTSTART:20261201T200000Z",
                "DURATION:PT1H",
                "RRULE:FREQ=DAILY;COUNT=4",
                "EXRULE:FREQ=DAILY;INTERVAL=2;COUNT=4",
            ],
            ["12-02 20:00/12-02 21:00", "12-04 20:00/12-04 21:00"],
        ),
    ],
)
def test_an_event_with_times_becomes_periods(lines: list[str], expected: list[str]) -> None:
    """In UTC, without their ends."""
    assert periods(*lines) == expected


@pytest.mark.parametrize("zone", [BERLIN, "Our Office"])
def test_a_clock_change_moves_the_periods_and_not_their_wall_times(zone: str) -> None:
    """02:30 to 03:30 each day: the gap's comes by the offset before it, the fold's by the first."""
    lines = [f"DTSTART;TZID={zone}:20270327T023000", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3"]
    spring = spans(file(event(*lines), head=OWN_ZONE.splitlines()))
    lines[0] = f"DTSTART;TZID={zone}:20271030T023000"
    autumn = spans(file(event(*lines), head=OWN_ZONE.splitlines()))

    assert [f"{start:%d %H:%M}" for start, _ in spring.periods] == (
        ["27 01:30", "28 01:30", "29 00:30"]
    )
    assert [f"{start:%d %H:%M}" for start, _ in autumn.periods] == (
        ["30 00:30", "31 00:30", "01 01:30"]
    )
    assert {end - start for start, end in spring.periods + autumn.periods} == {timedelta(hours=1)}


def test_a_duration_in_days_ends_at_the_same_wall_time() -> None:
    """And one in hours after so many of them, whatever the clock does."""
    starts = f"DTSTART;TZID={BERLIN}:20270327T120000"

    assert periods(starts, "DURATION:P1D") == ["03-27 11:00/03-28 10:00"]
    assert periods(starts, "DURATION:PT23H") == ["03-27 11:00/03-28 10:00"]


def test_a_moved_occurrence_replaces_the_one_it_names() -> None:
    """And a cancelled one is taken out."""
    rule = event("DTSTART:20261201T090000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=3")
    moved = event("RECURRENCE-ID:20261202T090000Z", "DTSTART:20261202T150000Z", "DURATION:PT2H")
    gone = event("RECURRENCE-ID:20261203T090000Z", "DTSTART:20261203T090000Z", "STATUS:CANCELLED")
    found = spans(file(rule, moved, gone))

    assert [f"{start:%d %H}-{end:%H}" for start, end in found.periods] == ["01 09-10", "02 15-17"]


def test_times_without_a_zone_are_those_of_the_calendar() -> None:
    """The requested zone comes first, then the file's own, then UTC."""
    floating = event("DTSTART:20261201T090000", "DURATION:PT1H")
    own = ["X-WR-TIMEZONE:Asia/Tokyo"]
    starts = [
        spans(text, zone).periods[0][0].hour
        for text, zone in [
            (file(floating), None),
            (file(floating, head=own), None),
            (file(floating, head=own), "America/New_York"),
        ]
    ]

    assert starts == [9, 0, 14]


def test_several_events_are_one_set() -> None:
    """Days that overlap or follow one another are one entry."""
    found = spans(
        file(
            event("DTSTART;VALUE=DATE:20261226", "DTEND;VALUE=DATE:20261229", uid="b"),
            event("DTSTART;VALUE=DATE:20261224", "DTEND;VALUE=DATE:20261227", uid="a"),
            event("DTSTART;VALUE=DATE:20261229", uid="c"),
        )
    )

    assert found.days == [(date(2026, 12, 24), date(2026, 12, 29))]
    assert found.occurrences == 3


def test_a_broken_line_that_says_nothing_of_time_is_passed_over() -> None:
    """Descriptions are written by people."""
    assert days("DTSTART;VALUE=DATE:20261225", "DESCRIPTION:a", "and a line without a name") == (
        ["2026-12-25/2026-12-25"]
    )


@pytest.mark.parametrize(
    ("lines", "code"),
    [
        (["SUMMARY:no start"], "invalid_ical"),
        (["DTSTART:garbage"], "invalid_ical"),
        (["DTSTART:20261201T100000Z", "DTEND:20261201T090000Z"], "invalid_ical"),
        (["DTSTART:20261201T100000Z", "DTEND;VALUE=DATE:20261202"], "invalid_ical"),
        (["DTSTART:20261201T100000Z", "DURATION:-PT1H"], "invalid_ical"),
        (["DTSTART:20261201T100000Z", "RRULE:FREQ=NEVER"], "invalid_ical"),
        (["DTSTART:20261201T100000Z", "EXDATE:garbage"], "invalid_ical"),
        (["DTSTART:20261201T100000Z", "RRULE FREQ=DAILY"], "invalid_ical"),
        (["DTSTART:00010101T000000Z", "DURATION:P999999999D"], "invalid_ical"),
        (["DTSTART;TZID=Mars/Base:20261201T100000", "DURATION:PT1H"], "unknown_timezone"),
        (
            ["DTSTART:20261201T100000Z", "RRULE:FREQ=DAILY;RSCALE=HEBREW"],
            "unsupported_recurrence",
        ),
        (
            ["DTSTART:20261201T100000Z", "RECURRENCE-ID;RANGE=THISANDFUTURE:20261201T090000Z"],
            "unsupported_recurrence",
        ),
        (
            ["DTSTART:20261201T100000Z", "DURATION:PT1S", "RRULE:FREQ=MINUTELY"],
            "too_many",
        ),
    ],
)
def test_an_event_that_cannot_be_taken_as_it_is_refuses_the_file(
    lines: list[str], code: str
) -> None:
    """A calendar with half of its rules would let jobs run on days that were meant to be free."""
    with pytest.raises(InvalidIcal) as refused:
        periods(*lines)

    assert refused.value.code == code


@pytest.mark.parametrize("text", ["", "hello", "\x00\x01", "BEGIN:VEVENT\nEND:VEVENT", "BEGIN:\n"])
def test_what_is_no_file_is_refused(text: str) -> None:
    """Also an event without a calendar around it."""
    with pytest.raises(InvalidIcal, match="It is no iCal file"):
        read_events(text, None)


def test_a_file_of_an_unknown_zone_is_refused() -> None:
    """Its days would be others."""
    with pytest.raises(InvalidIcal, match="no IANA time zone"):
        read_events(file(head=["X-WR-TIMEZONE:Nowhere/Land"]), None)


@pytest.mark.parametrize(("left", "starts"), [(5, 5), (4, None)])
def test_rules_are_followed_for_so_many_steps(left: int, starts: int | None) -> None:
    """The one after the last that is asked for counts as well."""
    text = file(event("DTSTART:20261201T100000Z", "DURATION:PT1H", "RRULE:FREQ=DAILY;COUNT=5"))
    (repeated,) = read_events(text, None).events
    found = starts_of(repeated, until=datetime(2030, 1, 1), steps=RecurrenceBudget(left))  # noqa: DTZ001 - wall

    if starts is None:
        with pytest.raises(InvalidIcal, match="repeats too often since 2026-12-01"):
            list(found)
    else:
        assert len(list(found)) == starts
