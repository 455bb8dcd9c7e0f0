"""Calendars through the API: stored whole, by version, and asked about instants."""

import pytest

from tests.support.api import Answer, Api
from timegate.contracts.calendars import WEEKDAYS
from timegate.domain.calendars.calendar import MAX_CALENDARS, MAX_ENTRIES

OFFICE: dict[str, object] = {
    "timezone": "Europe/Berlin",
    "description": "The office is closed.",
    "tags": {"team": "data"},
    "days": [{"first": "2026-12-24", "last": "2026-12-26"}, {"first": "2027-01-01"}],
    "weekdays": ["sun", "sat"],
    "windows": [{"weekdays": ["fri"], "opens": "18:00", "closes": "00:00"}],
    "periods": [{"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T11:30:00+01:00"}],
}


def put(api: Api, name: str = "office", /, **fields: object) -> Answer:
    return api.send("PUT", f"/v1/calendars/{name}", fields)


def test_a_calendar_is_shown_as_it_was_put(api: Api) -> None:
    """Days have both ends, weekdays their order, and instants are UTC."""
    answer = put(api, **OFFICE)
    read = api.send("GET", "/v1/calendars/office")

    assert answer.status == read.status == 200
    assert answer.headers["etag"] == read.headers["etag"] == '"1"'
    assert (
        answer.body
        == read.body
        == {
            "name": "office",
            "version": 1,
            "updated_at": "2026-11-21T07:00:00.000Z",
            "description": "The office is closed.",
            "tags": {"team": "data"},
            "timezone": "Europe/Berlin",
            "entries": 6,
            "days": [
                {"first": "2026-12-24", "last": "2026-12-26"},
                {"first": "2027-01-01", "last": "2027-01-01"},
            ],
            "weekdays": ["sat", "sun"],
            "windows": [{"weekdays": ["fri"], "opens": "18:00", "closes": "00:00"}],
            "periods": [{"start": "2026-11-30T09:00:00.000Z", "end": "2026-11-30T10:30:00.000Z"}],
            "weekend": ["sat", "sun"],
        }
    )


def test_what_is_shown_can_be_put_again(api: Api) -> None:
    """A calendar can be copied by its entries."""
    shown = put(api, **OFFICE).body
    copy = {name: shown[name] for name in OFFICE}

    assert {n: put(api, "copy", **copy).body[n] for n in OFFICE} == copy


def test_a_put_replaces_the_whole_calendar(api: Api) -> None:
    """A field that is not given takes its default; the version grows."""
    put(api, **OFFICE)
    answer = put(api, weekdays=["mon"])

    assert answer.body["version"] == 2
    assert (answer.body["timezone"], answer.body["days"]) == ("UTC", [])


def test_calendars_are_listed_by_name_without_their_entries(api: Api) -> None:
    """And only the tenant's own."""
    put(api, "b", weekdays=["sun"])
    put(api, "a")
    api.send("PUT", "/v1/calendars/c", {}, tenant="globex")
    listed = api.send("GET", "/v1/calendars").body

    assert [(row["name"], row["entries"]) for row in listed["items"]] == [("a", 0), ("b", 1)]
    assert "days" not in listed["items"][0]
    assert listed["next_cursor"] is None


def test_a_deleted_calendar_is_gone(api: Api) -> None:
    """The answer shows it a last time; its versions go on counting."""
    put(api, **OFFICE)
    deleted = api.send("DELETE", "/v1/calendars/office")
    again = api.send("DELETE", "/v1/calendars/office")

    assert (deleted.status, deleted.body["entries"]) == (200, 6)
    assert (again.status, again.code) == (404, "calendar_not_found")
    assert api.send("GET", "/v1/calendars/office").code == "calendar_not_found"
    assert api.send("GET", "/v1/calendars").body["items"] == []
    assert put(api).body["version"] == 2


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"If_Match": '"1"'}, 200),
        ({"If_Match": "*"}, 200),
        ({"If_Match": '"2"'}, 412),
        ({"If_None_Match": "*"}, 412),
    ],
    ids=str,
)
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_a_condition_decides_which_version_is_changed(
    api: Api, method: str, headers: dict[str, str], status: int
) -> None:
    """The stored one is the first."""
    put(api)
    body: dict[str, object] | None = {} if method == "PUT" else None
    answer = api.send(method, "/v1/calendars/office", body, **headers)

    assert answer.status == status
    assert status == 200 or answer.code == "version_mismatch"


def test_a_calendar_can_be_created_unless_it_exists(api: Api) -> None:
    """With If-None-Match, the first of two wins."""
    answers = [
        api.send("PUT", "/v1/calendars/office", {}, If_None_Match="*").status for _ in range(2)
    ]

    assert answers == [200, 412]


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({"If_None_Match": '"1"'}, "invalid_if_none_match"),
        ({"If_None_Match": "*", "If_Match": '"1"'}, "invalid_if_none_match"),
        ({"If_Match": "1"}, "invalid_if_match"),
    ],
    ids=str,
)
def test_a_condition_that_cannot_be_read_is_refused(
    api: Api, headers: dict[str, str], code: str
) -> None:
    """Its sender relies on it."""
    answer = api.send("PUT", "/v1/calendars/office", {}, **headers)

    assert [error[1] for error in answer.fields] == [code]


@pytest.mark.parametrize(
    ("fields", "refused"),
    [
        ({"timezone": "Mars/Base"}, [("timezone", "unknown_timezone")]),
        ({"timezone": ""}, [("timezone", "too_short")]),
        ({"days": [{"first": "2026-02-30"}]}, [("days.0.first", "invalid_format")]),
        ({"days": [{"first": "24.12.2026"}]}, [("days.0.first", "invalid_format")]),
        ({"days": [{"first": 20261224}]}, [("days.0.first", "invalid_format")]),
        ({"days": [{"first": "0001-01-01"}]}, [("days.0.first", "invalid_format")]),
        (
            {"days": [{"first": "2026-12-26", "last": "2026-12-24"}]},
            [("days.0.last", "range_reversed")],
        ),
        ({"days": [{"first": "2026-12-24"}] * (MAX_ENTRIES + 1)}, [("days", "too_long")]),
        (
            {"days": [{"first": "2026-12-24"}] * MAX_ENTRIES, "weekdays": ["sun"]},
            [("calendar", "too_many")],
        ),
        ({"weekend": ["sunday"]}, [("weekend.0", "invalid_choice")]),
        ({"weekend": [*WEEKDAYS]}, [("weekend", "too_long")]),
        ({"weekdays": ["sunday"]}, [("weekdays.0", "invalid_choice")]),
        ({"weekdays": [6]}, [("weekdays.0", "invalid_choice")]),
        (
            {"windows": [{"opens": "8:00", "closes": "24:00"}]},
            [("windows.0.opens", "invalid_format"), ("windows.0.closes", "invalid_format")],
        ),
        (
            {"windows": [{"weekdays": [], "opens": "08:00", "closes": "09:00"}]},
            [("windows.0.weekdays", "too_short")],
        ),
        ({"windows": [{"opens": "08:00"}]}, [("windows.0.closes", "missing")]),
        (
            {
                "windows": [
                    {
                        "opens": f"{n // 60:02}:{n % 60:02}",
                        "closes": f"{n // 60:02}:{n % 60 + 1:02}",
                    }
                    for n in range(0, 1440, 5)
                ]
            },
            [("windows", "too_complex")],
        ),
        (
            {"periods": [{"start": "2026-12-24T10:00:00Z", "end": "2026-12-24T10:00:00Z"}]},
            [("periods.0.end", "range_reversed")],
        ),
        (
            {"periods": [{"start": "2026-12-24T10:00:00", "end": "2026-12-24T11:00:00Z"}]},
            [("periods.0.start", "no_utc_offset")],
        ),
        ({"description": "x" * 2001}, [("description", "too_long")]),
        ({"holidays": []}, [("holidays", "unknown_field")]),
    ],
    ids=lambda each: str(each)[:60],
)
def test_a_calendar_that_cannot_be_is_refused(
    api: Api, fields: dict[str, object], refused: list[tuple[str, str]]
) -> None:
    """Each wrong field by its name; nothing is stored."""
    answer = put(api, **fields)

    assert (answer.status, answer.fields) == (400, refused)
    assert api.send("GET", "/v1/calendars").body["items"] == []


@pytest.mark.parametrize("name", ["Office", "-a", "a" * 65, "a.b", "a_b"])
def test_a_name_is_a_word(api: Api, name: str) -> None:
    """Lower-case letters, digits and dashes: it stands in paths and on command lines."""
    answer = put(api, name)
    imported = api.send("POST", f"/v1/calendars/{name}/import", {"ical": "never read"})

    assert (answer.status, answer.fields) == (400, [("name", "invalid_format")])
    assert imported.fields == [("name", "invalid_format")]
    assert api.send("GET", f"/v1/calendars/{name}").status == 404


def test_a_tenant_has_so_many_calendars(api: Api) -> None:
    """Replacing one is no further one."""
    answers = [put(api, f"c-{number}") for number in range(MAX_CALENDARS + 1)]

    assert [answer.status for answer in answers] == [200] * MAX_CALENDARS + [409]
    assert answers[-1].code == "too_many_calendars"
    assert put(api, "c-1").status == 200


@pytest.mark.parametrize(
    ("at", "covered", "until"),
    [
        # A Saturday morning; the week begins on Monday, at midnight in Berlin.
        ("2026-11-21T07:00:00Z", True, "2026-11-22T23:00:00.000Z"),
        ("2026-11-22T22:59:59.999Z", True, "2026-11-22T23:00:00.000Z"),
        # The following entry is that Friday's window, then the weekend that touches it.
        ("2026-11-23T08:00:00Z", False, "2026-11-27T17:00:00.000Z"),
        ("2026-11-27T17:00:00Z", True, "2026-11-29T23:00:00.000Z"),
        ("2026-11-30T09:00:00Z", True, "2026-11-30T10:30:00.000Z"),
        # Days, weekend and all.
        ("2026-12-24T00:00:00Z", True, "2026-12-27T23:00:00.000Z"),
    ],
)
def test_a_calendar_says_what_it_covers_and_until_when(
    api: Api, at: str, covered: object, until: str
) -> None:
    """Entries that touch or overlap are one stretch."""
    put(api, **OFFICE)
    answer = api.send("GET", f"/v1/calendars/office/check?at={at}").body

    assert (answer["covered"], answer["until"]) == (covered, until)
    assert (answer["name"], answer["version"]) == ("office", 1)


def test_a_check_is_of_now_unless_said_otherwise(api: Api) -> None:
    """The default is the instant of the request."""
    put(api)
    answer = api.send("GET", "/v1/calendars/office/check").body

    assert (answer["at"], answer["covered"], answer["until"]) == (
        "2026-11-21T07:00:00.000Z",
        False,
        None,
    )


@pytest.mark.parametrize("at", ["1970-01-01T00:00:00Z", "9000-12-31T23:59:59Z"])
def test_a_calendar_of_every_day_is_looked_at_for_a_year(api: Api, at: str) -> None:
    """It never changes, and no search lasts for ever; also at the ends of time."""
    put(api, weekdays=["mon", "tue", "wed", "thu", "fri", "sat", "sun"])
    answer = api.send("GET", f"/v1/calendars/office/check?at={at}")

    assert (answer.status, answer.body["covered"]) == (200, True)
    assert answer.body["until"] > at


def test_each_decision_about_a_calendar_is_told(api: Api) -> None:
    """With tenant, name and version."""
    put(api, **OFFICE)
    api.send("DELETE", "/v1/calendars/office")
    told = [(event.name, event.fields) for event in api.world.telemetry.events]

    assert told == [
        (
            "calendar_stored",
            {"tenant_id": "acme", "calendar": "office", "version": 1, "entries": 6},
        ),
        ("calendar_deleted", {"tenant_id": "acme", "calendar": "office", "version": 1}),
    ]
