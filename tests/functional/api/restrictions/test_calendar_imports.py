"""Calendars from iCal files, through the API."""

import base64

import pytest

from tests.support.api import SCOPES, Answer, Api, gateway_event
from tests.support.documents.ical_files import event, file

CHRISTMAS = event("DTSTART;VALUE=DATE:20261225", "DTEND;VALUE=DATE:20261227", uid="christmas")
MEETING = event("DTSTART:20261201T090000", "DURATION:PT1H", uid="meeting")
CLAIMS = {"client_id": "acme", "scope": SCOPES}


def send(api: Api, text: str, query: str = "", **headers: str) -> Answer:
    return api.send("POST", f"/v1/calendars/office/import{query}", {"ical": text}, **headers)


def deliver(api: Api, body: str, content_type: str, *, encoded: bool = False) -> Answer:
    path = "/v1/calendars/office/import"
    headers = {"Content-Type": content_type}
    given = gateway_event("POST", path, body=body, headers=headers, claims=CLAIMS)
    return api.deliver(given | {"isBase64Encoded": encoded})


def test_a_file_becomes_a_calendar(api: Api) -> None:
    """The calendar has the file's zone, with events as days and periods; the answer counts them."""
    answer = send(api, file(CHRISTMAS, MEETING, head=["X-WR-TIMEZONE:Europe/Berlin"]))

    assert (answer.status, answer.headers["etag"]) == (200, '"1"')
    assert answer.body | {"calendar": None} == {
        "calendar": None,
        "events": 2,
        "occurrences": 2,
        "until": "2028-11-22T07:00:00.000Z",
    }
    assert answer.body["calendar"] == api.send("GET", "/v1/calendars/office").body
    assert answer.body["calendar"]["timezone"] == "Europe/Berlin"
    assert answer.body["calendar"]["days"] == [{"first": "2026-12-25", "last": "2026-12-26"}]
    assert answer.body["calendar"]["periods"] == [
        {"start": "2026-12-01T08:00:00.000Z", "end": "2026-12-01T09:00:00.000Z"}
    ]


@pytest.mark.parametrize(
    "content_type",
    [
        "text/calendar",
        "text/calendar; charset=utf-8; method=PUBLISH",
        'Text/Calendar;charset="UTF-8"',
    ],
)
def test_a_file_can_be_sent_as_it_is(api: Api, content_type: str) -> None:
    """Plain text from curl and base64 from the gateway are read alike."""
    text = file(CHRISTMAS)
    plain = deliver(api, text, content_type)
    encoded = deliver(api, base64.b64encode(text.encode()).decode(), content_type, encoded=True)

    assert (plain.status, encoded.status) == (200, 200)
    assert plain.body["calendar"]["days"] == encoded.body["calendar"]["days"]


def test_an_import_replaces_days_and_periods_and_nothing_else(api: Api) -> None:
    """The next edition of the same file leaves nothing of the earlier one."""
    put = {
        "timezone": "Asia/Tokyo",
        "description": "kept",
        "weekdays": ["sun"],
        "windows": [{"opens": "22:00", "closes": "06:00"}],
        "days": [{"first": "2026-11-30"}],
    }
    api.send("PUT", "/v1/calendars/office", put)
    shown = send(api, file(MEETING)).body["calendar"]

    assert (shown["version"], shown["days"]) == (2, [])
    # In the zone of the calendar.
    assert [each["start"] for each in shown["periods"]] == ["2026-12-01T00:00:00.000Z"]
    assert (shown["timezone"], shown["description"]) == ("Asia/Tokyo", "kept")
    assert (shown["weekdays"], len(shown["windows"])) == (["sun"], 1)


def test_the_zone_and_the_horizon_can_be_said(api: Api) -> None:
    """The horizon is where events stop repeating."""
    daily = event("DTSTART;VALUE=DATE:20261201", "RRULE:FREQ=DAILY;INTERVAL=7")
    near = send(api, file(daily), "?horizon_days=20&timezone=America/New_York").body
    far = send(api, file(daily), "?horizon_days=40").body

    assert (near["occurrences"], near["until"]) == (2, "2026-12-11T07:00:00.000Z")
    assert near["calendar"]["timezone"] == far["calendar"]["timezone"] == "America/New_York"
    assert far["occurrences"] == 5


def test_a_condition_holds_for_an_import(api: Api) -> None:
    """The conditions are those of a put."""
    created = send(api, file(CHRISTMAS), If_None_Match="*")
    again = send(api, file(CHRISTMAS), If_None_Match="*")
    changed = send(api, file(CHRISTMAS), If_Match='"1"')

    assert (created.status, again.status, changed.status) == (200, 412, 200)
    assert again.code == "version_mismatch"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("no calendar", "invalid_ical"),
        (file(event("SUMMARY:x")), "invalid_ical"),
        (file(event("DTSTART;TZID=Mars:20261201T090000")), "unknown_timezone"),
        (
            file(event("DTSTART:20261201T090000Z", "RRULE:FREQ=DAILY;RSCALE=X")),
            "unsupported_recurrence",
        ),
        (file("x" * 600_000), "too_long"),
        # Five hundred thousand starts since 1970, none of which is asked for.
        (file(event("DTSTART:19700101T000000Z", "RRULE:FREQ=HOURLY")), "too_complex"),
        (
            file(
                event("DTSTART:20261201T000000Z", "DURATION:PT1M", "RRULE:FREQ=MINUTELY;INTERVAL=2")
            ),
            "too_many",
        ),
    ],
    ids=lambda each: each[:20],
)
def test_a_file_that_cannot_be_taken_changes_nothing(api: Api, text: str, code: str) -> None:
    """The field is the file."""
    answer = send(api, text)

    assert (answer.status, answer.fields) == (400, [("ical", code)])
    assert api.send("GET", "/v1/calendars").body["items"] == []


def test_a_calendar_takes_so_many_entries_of_a_file(api: Api) -> None:
    """Occurrences that do not touch are entries of their own."""
    text = file(event("DTSTART:20261201T000000Z", "DURATION:PT1M", "RRULE:FREQ=HOURLY;COUNT=2001"))
    answer = send(api, text)

    assert answer.fields == [("calendar", "too_many")]


@pytest.mark.parametrize(
    ("body", "content_type", "status", "code"),
    [
        (base64.b64encode(b"\xff\xfe\x00binary").decode(), "text/calendar", 400, "malformed_json"),
        (base64.b64encode(b"  ").decode(), "text/calendar", 400, "missing_body"),
        (
            base64.b64encode(b"x").decode(),
            "text/calendar; charset=utf-16",
            415,
            "unsupported_media_type",
        ),
        (base64.b64encode(b"x").decode(), "text/plain", 415, "unsupported_media_type"),
        (base64.b64encode(b"x").decode(), "application/json", 400, "malformed_json"),
    ],
)
def test_a_body_that_is_no_text_is_refused(
    api: Api, body: str, content_type: str, status: int, code: str
) -> None:
    """Before any file is looked for in it."""
    answer = deliver(api, body, content_type, encoded=True)

    assert (answer.status, answer.code) == (status, code)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("?horizon_days=0", ("horizon_days", "too_small")),
        ("?horizon_days=1831", ("horizon_days", "too_large")),
        ("?timezone=", ("timezone", "too_short")),
        ("?zone=UTC", ("zone", "unknown_field")),
    ],
)
def test_what_is_said_of_an_import_has_limits(api: Api, query: str, field: tuple[str, str]) -> None:
    """The limits are those of every query."""
    assert send(api, file(), query).fields == [field]
