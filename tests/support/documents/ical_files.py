"""iCal files as calendars export them."""

from collections.abc import Sequence


def event(*lines: str, uid: str = "e-1") -> str:
    """An event with these properties."""
    return "\r\n".join(["BEGIN:VEVENT", f"UID:{uid}", *lines, "END:VEVENT"])


def file(*events: str, head: Sequence[str] = ()) -> str:
    """A whole file."""
    return "\r\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *head, *events, "END:VCALENDAR", ""])


#: A zone that only the file knows, with Berlin's rules.
OWN_ZONE = """BEGIN:VTIMEZONE
TZID:Our Office
BEGIN:STANDARD
DTSTART:19701025T030000
TZOFFSETFROM:+0200
TZOFFSETTO:+0100
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10
END:STANDARD
BEGIN:DAYLIGHT
DTSTART:19700329T020000
TZOFFSETFROM:+0100
TZOFFSETTO:+0200
RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3
END:DAYLIGHT
END:VTIMEZONE"""
