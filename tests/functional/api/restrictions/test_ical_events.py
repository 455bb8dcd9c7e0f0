"""Events of an iCal file are told apart by their whole UIDs."""

from datetime import UTC, datetime

import pytest

from api.ical.events import read_events
from api.ical.refusal import InvalidIcal
from api.ical.spans import ReadWindow, gather
from tests.support.documents.ical_files import event, file

BEGIN = datetime(2026, 12, 1, tzinfo=UTC)
WINDOW = ReadWindow(first=BEGIN, last=datetime(2026, 12, 31, tzinfo=UTC), zone=UTC)


DAILY = ("DTSTART:20261201T100000Z", "RRULE:FREQ=DAILY;COUNT=3")


@pytest.mark.parametrize("length", [0, 119, 130, 2000])
def test_a_moved_occurrence_is_none_of_another_event(length: int) -> None:
    """Programs write UIDs of which only the last characters differ."""
    alike = "0" * length
    text = file(
        event(*DAILY, "DURATION:PT1H", uid=f"{alike}1"),
        event(*DAILY, "DURATION:PT2H", uid=f"{alike}2"),
        event(
            "RECURRENCE-ID:20261202T100000Z",
            "DTSTART:20261202T200000Z",
            "STATUS:CANCELLED",
            uid=f"{alike}1",
        ),
    )
    found = gather(read_events(text, None).events, WINDOW)

    assert [(f"{start:%d %H}", f"{end:%d %H}") for start, end in found.periods] == [
        (f"{day:02} 10", f"{day:02} 12") for day in (1, 2, 3)
    ]


def test_a_mark_of_the_byte_order_is_no_text() -> None:
    """Outlook writes one in front of a file."""
    text = file(event("DTSTART;VALUE=DATE:20261201"))

    assert read_events(f"\ufeff{text}", None).events == read_events(text, None).events


@pytest.mark.parametrize(
    "rule",
    ["FREQ=MONTHLY;BYDAY=17SU", "FREQ=YEARLY;BYMONTH=12;BYDAY=6MO", "FREQ=YEARLY;BYDAY=54MO"],
)
def test_a_weekday_that_no_month_has_is_refused(rule: str) -> None:
    """The library fails for it in the midst of a year: the file was answered as a fault."""
    events = read_events(file(event("DTSTART:20261201T100000Z", f"RRULE:{rule}")), None).events

    with pytest.raises(InvalidIcal) as refused:
        gather(events, WINDOW)

    assert refused.value.code == "unsupported_recurrence"
