"""Events of iCal files as RFC 5545 means them, in the forms that programs write."""

from datetime import UTC, datetime

import pytest

from api.ical.events import read_events
from api.ical.refusal import InvalidIcal
from api.ical.spans import ReadWindow, Spans, gather
from tests.support.documents.ical_files import event, file

BEGIN = datetime(2026, 12, 1, tzinfo=UTC)
WINDOW = ReadWindow(first=BEGIN, last=datetime(2028, 1, 1, tzinfo=UTC), zone=UTC)
WEEKLY = ("DTSTART;VALUE=DATE:20261203", "RRULE:FREQ=WEEKLY;COUNT=2")


def read(*events: str) -> Spans:
    """The time that these events take up."""
    return gather(read_events(file(*events), None).events, WINDOW)


def days(*events: str) -> list[tuple[str, str]]:
    """First and last days of what they take up."""
    return [(f"{first:%m-%d}", f"{last:%m-%d}") for first, last in read(*events).days]


@pytest.mark.parametrize(
    "named",
    [
        "RECURRENCE-ID;TZID=GMT Standard Time:20261210T000000",
        "RECURRENCE-ID;TZID=Asia/Tokyo:20261210T000000",
        "RECURRENCE-ID:20261210T000000Z",
        "RECURRENCE-ID;VALUE=DATE:20261210",
    ],
)
def test_midnight_of_any_zone_names_an_occurrence_of_whole_days(named: str) -> None:
    """Outlook names the day that was moved by a time of its zone."""
    moved = event(named, "DTSTART;VALUE=DATE:20261211")

    assert days(event(*WEEKLY), moved) == [("12-03", "12-03"), ("12-11", "12-11")]


@pytest.mark.parametrize("name", ["EXDATE", "RDATE"])
def test_midnight_of_any_zone_names_a_day(name: str) -> None:
    """In lists of dates as well."""
    found = days(event(*WEEKLY, f"{name};TZID=Asia/Tokyo:20261210T000000,20261217T000000"))

    assert (
        found
        == {
            "EXDATE": [("12-03", "12-03")],
            "RDATE": [("12-03", "12-03"), ("12-10", "12-10"), ("12-17", "12-17")],
        }[name]
    )


def test_the_latest_revision_of_an_event_counts() -> None:
    """Confluence exports what an event was before it was edited, too."""
    old = event("DTSTART;VALUE=DATE:20261203", "RRULE:FREQ=WEEKLY;COUNT=3", "SEQUENCE:1")
    new = event("DTSTART;VALUE=DATE:20261204", "SEQUENCE:2")
    first_move = event("RECURRENCE-ID:20261210", "DTSTART;VALUE=DATE:20261211", "SEQUENCE:1")
    second_move = event("RECURRENCE-ID:20261210", "DTSTART;VALUE=DATE:20261212", "SEQUENCE:3")

    assert days(old, new) == days(new, old) == [("12-04", "12-04")]
    assert days(event(*WEEKLY), second_move, first_move) == [("12-03", "12-03"), ("12-12", "12-12")]


def test_events_of_one_uid_without_revisions_all_count() -> None:
    """Careless programs give every event of a file the same one, or none."""
    one, other = (event(f"DTSTART;VALUE=DATE:202612{day}") for day in ("03", "08"))
    nameless = [
        event(f"DTSTART;VALUE=DATE:202612{day}", f"SEQUENCE:{day}", uid="") for day in ("03", "08")
    ]

    assert days(one, other) == days(*nameless) == [("12-03", "12-03"), ("12-08", "12-08")]


def test_a_moved_occurrence_does_not_repeat() -> None:
    """It stands for one, whatever rule it was exported with."""
    moved = event(
        "RECURRENCE-ID;VALUE=DATE:20261210",
        "DTSTART;VALUE=DATE:20261211",
        "RRULE:FREQ=WEEKLY;COUNT=2",
        "RDATE;VALUE=DATE:20261224",
    )

    assert days(event(*WEEKLY), moved) == [("12-03", "12-03"), ("12-11", "12-11")]


def test_an_empty_rule_is_none() -> None:
    """Feeds of holidays have one in each event."""
    assert days(event("DTSTART:20261224", "DTEND:20261224", "RRULE:")) == [("12-24", "12-24")]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            "FREQ=YEARLY;BYWEEKNO=51,53",
            [("12-17", "12-17"), ("12-31", "12-31"), ("12-23", "12-23")],
        ),
        ("FREQ=DAILY;COUNT=2;BYMINUTE=1,2,3,4", [("12-17", "12-18")]),
    ],
)
def test_rules_mean_what_the_rfc_says(rule: str, expected: list[tuple[str, str]]) -> None:
    """A week's number takes the weekday of the beginning; days have no minutes."""
    assert days(event("DTSTART;VALUE=DATE:20261217", f"RRULE:{rule}")) == expected


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("FREQ=WEEKLY;COUNT=-1;BYDAY=MO", "COUNT is below 1"),
        ("FREQ=MONTHLY;BYDAY=1MO,WE", "with and without a number"),
        ("FREQ=WEEKLY;BYDAY=MO,TU,TH;BYSETPOS=1", "a week that begins before the event"),
    ],
)
def test_rules_that_would_lose_days_are_refused(rule: str, why: str) -> None:
    """Half a calendar would let jobs run on days that were meant to be free."""
    with pytest.raises(InvalidIcal, match=why) as refused:
        read(event("DTSTART;VALUE=DATE:20261217", f"RRULE:{rule}"))

    assert refused.value.code == "unsupported_recurrence"
