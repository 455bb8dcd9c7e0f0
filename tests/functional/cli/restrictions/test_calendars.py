"""``timegate calendars``: from options or a file to the API's body, and back to a table."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from timegate.contracts.calendars import CalendarBody

Timegate = Callable[..., Outcome]

ROW = {
    "name": "office",
    "version": 3,
    "updated_at": "2026-11-21T07:00:00.000Z",
    "description": "Closed.",
    "tags": {"team": "data"},
    "timezone": "Europe/Berlin",
    "entries": 4,
}
OFFICE = {
    **ROW,
    "days": [
        {"first": "2026-12-24", "last": "2026-12-26"},
        {"first": "2027-01-01", "last": "2027-01-01"},
    ],
    "weekdays": ["sat", "sun"],
    "weekend": ["fri", "sat"],
    "windows": [
        {"weekdays": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "opens": "22:00"}
        | {"closes": "06:00"},
        {"weekdays": ["fri"], "opens": "18:00", "closes": "22:00"},
    ],
    "periods": [{"start": "2026-11-30T09:00:00.000Z", "end": "2026-11-30T10:30:00.000Z"}],
}


@pytest.fixture(autouse=True)
def answered(api: FakeApi) -> None:
    api.will(ok(OFFICE))


def body_of(api: FakeApi) -> dict[str, Any]:
    """The body sent, once the API's own contract has accepted it."""
    CalendarBody.model_validate_json(api.calls[-1].content)
    body: dict[str, Any] = api.body
    return body


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), {}),
        (("--timezone", "Asia/Tokyo"), {"timezone": "Asia/Tokyo"}),
        (("--tag", "team=ops"), {"tags": {"team": "ops"}}),
        (("--weekday", "sat", "--weekday", "sun"), {"weekdays": ["sat", "sun"]}),
        (
            ("--day", "2026-12-24..2026-12-26", "--day", "2027-01-01"),
            {
                "days": [
                    {"first": "2026-12-24", "last": "2026-12-26"},
                    {"first": "2027-01-01"},
                ]
            },
        ),
        (
            ("--window", "mon,fri 22:00-06:00", "--window", "12:00:30-13:00"),
            {
                "windows": [
                    {"weekdays": ["mon", "fri"], "opens": "22:00", "closes": "06:00"},
                    {"opens": "12:00:30", "closes": "13:00"},
                ]
            },
        ),
        (("--weekend", "fri", "--weekend", "sat"), {"weekend": ["fri", "sat"]}),
        (("--description", "Closed."), {"description": "Closed."}),
    ],
    ids=str,
)
def test_options_say_what_a_calendar_covers(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], expected: dict[str, object]
) -> None:
    """An absent option is left to the API."""
    outcome = timegate("calendars", "put", "office", *options)

    assert (outcome.code, api.asked) == (0, ["PUT /v1/calendars/office"])
    assert body_of(api) == expected


def test_a_file_is_the_whole_calendar(api: FakeApi, timegate: Timegate, tmp_path: Path) -> None:
    """And no option goes with it."""
    path = tmp_path / "office.json"
    path.write_text(json.dumps({"weekdays": ["sun"]}))
    outcome = timegate("calendars", "put", "office", "--file", str(path))
    mixed = timegate("calendars", "put", "office", "--file", str(path), "--weekday", "sat")

    assert (outcome.code, body_of(api)) == (0, {"weekdays": ["sun"]})
    assert (mixed.code, len(api.calls)) == (2, 1)


@pytest.mark.parametrize(
    ("words", "header"),
    [
        (("put", "office"), ("if-match", '"3"')),
        (("delete", "office"), ("if-match", '"3"')),
        (("put", "office"), ("if-none-match", "*")),
    ],
)
def test_a_version_is_a_condition(
    api: FakeApi, timegate: Timegate, words: tuple[str, ...], header: tuple[str, str]
) -> None:
    """0 is: only if there is none."""
    version = "0" if header[1] == "*" else "3"
    outcome = timegate("calendars", *words, "--if-version", version)

    assert outcome.code == 0
    assert api.calls[-1].headers[header[0]] == header[1]


def test_a_calendar_is_shown_by_its_entries(timegate: Timegate) -> None:
    """Each kind on its lines."""
    shown = timegate("calendars", "get", "office").out

    assert [line.rstrip() for line in shown.splitlines()] == [
        "name         office",
        "description  Closed.",
        "tags         team=data",
        "timezone     Europe/Berlin",
        "weekdays     sat, sun",
        "weekend      fri, sat",
        "windows      every day 22:00 to 06:00",
        "             fri 18:00 to 22:00",
        "days         2026-12-24 to 2026-12-26",
        "             2027-01-01",
        "periods      2026-11-30 09:00:00 UTC to 2026-11-30 10:30:00 UTC",
        "updated      2026-11-21 07:00:00 UTC, version 3",
    ]


def test_a_long_calendar_is_cut_in_a_terminal(api: FakeApi, timegate: Timegate) -> None:
    """JSON has all of it."""
    days = [{"first": f"2027-01-{day:02}", "last": f"2027-01-{day:02}"} for day in range(1, 24)]
    api.will(ok({**OFFICE, "days": days}))

    assert "2027-01-20\n" in timegate("calendars", "get", "office").out.replace(" ", "")
    assert "and 3 more" in timegate("calendars", "get", "office").out
    assert len(timegate("calendars", "get", "office", "--json").json["days"]) == 23


def test_a_list_names_what_it_leaves_out(api: FakeApi, timegate: Timegate) -> None:
    """On a page, and on all pages together."""
    body: dict[str, Any] = {
        "items": [],
        "damaged": {"count": 1, "names": ["bank"]},
        "next_cursor": None,
    }
    last = {**body, "damaged": {"count": 1, "names": ["zoo"]}}
    api.will(ok(body), ok({**body, "next_cursor": "c"}), ok(last))
    one = timegate("calendars", "list")
    every = timegate("calendars", "list", "--all", "--json")

    assert "Left out, as operators must repair them: bank" in one.out
    assert every.json["damaged"] == {"count": 2, "names": ["bank", "zoo"]}


def test_calendars_are_listed(api: FakeApi, timegate: Timegate) -> None:
    """One a line; or the fact that there is none."""
    api.will(page([ROW]), page([]))
    shown, empty = timegate("calendars", "list").out, timegate("calendars", "list").out

    heading, line = shown.splitlines()

    assert heading.split() == [
        "name",
        "timezone",
        "entries",
        "version",
        "updated",
        "(UTC)",
        "description",
    ]
    assert line.split() == [
        "office",
        "Europe/Berlin",
        "4",
        "3",
        "2026-11-21",
        "07:00:00",
        "Closed.",
    ]
    assert empty == "No calendars.\n"


def test_a_file_is_imported(api: FakeApi, timegate: Timegate, tmp_path: Path) -> None:
    """The file goes out unchanged but for its byte order mark, with the options beside it."""
    answer = {"events": 2, "occurrences": 5, "until": "2028-11-22T07:00:00.000Z"}
    api.will(ok({"calendar": OFFICE, **answer}))
    path = tmp_path / "office.ics"
    path.write_text("\ufeffBEGIN:VCALENDAR\n")
    outcome = timegate(
        *("calendars", "import", "office", str(path)),
        *("--timezone", "Asia/Tokyo", "--horizon", "30", "--if-version", "3"),
    )

    assert api.asked == ["POST /v1/calendars/office/import?timezone=Asia%2FTokyo&horizon_days=30"]
    assert api.body == {"ical": "BEGIN:VCALENDAR\n"}
    assert api.calls[-1].headers["if-match"] == '"3"'
    assert "2 events, which occur 5 times until 2028-11-22 07:00:00 UTC." in outcome.out


def test_a_file_can_come_from_a_pipe(api: FakeApi, timegate: Timegate) -> None:
    """curl can write into the pipe."""
    answer = {"calendar": OFFICE, "events": 0, "occurrences": 0}
    api.will(ok({**answer, "until": "2028-11-22T07:00:00.000Z"}))
    outcome = timegate("calendars", "import", "office", "-", stdin="BEGIN:VCALENDAR\n")

    assert (outcome.code, api.body["ical"]) == (0, "BEGIN:VCALENDAR\n")


@pytest.mark.parametrize("content", [None, b"\xff\xfe\x00"])
def test_a_file_that_cannot_be_read_is_not_sent(
    api: FakeApi, timegate: Timegate, tmp_path: Path, content: bytes | None
) -> None:
    """It is not there, or no text."""
    path = tmp_path / "office.ics"
    if content is not None:
        path.write_bytes(content)
    outcome = timegate("calendars", "import", "office", str(path))

    assert (outcome.code, api.calls) == (2, [])
    assert "cannot be read" in outcome.err


@pytest.mark.parametrize(
    ("covered", "until", "said"),
    [
        (True, "2026-11-23T00:00:00.000Z", "covers 2026-11-21 07:00:00 UTC; so it stays until"),
        (False, None, "does not cover 2026-11-21 07:00:00 UTC; so it stays for ever."),
    ],
)
def test_a_check_is_a_sentence(
    api: FakeApi, timegate: Timegate, covered: object, until: str | None, said: str
) -> None:
    """The check is of the request's instant, or of an instant in any zone."""
    at = "2026-11-21T07:00:00.000Z"
    checked = {"name": "office", "version": 3, "at": at, "covered": covered, "until": until}
    api.will(ok(checked | {"business_day": not covered}))
    outcome = timegate("calendars", "check", "office", "--at", "2026-11-21T08:00:00+01:00")
    timegate("calendars", "check", "office")

    assert said in outcome.out
    assert f"Its day is {'no' if covered else 'a'} business day." in outcome.out
    assert api.asked == [
        "GET /v1/calendars/office/check?at=2026-11-21T07%3A00%3A00.000Z",
        "GET /v1/calendars/office/check",
    ]


@pytest.mark.parametrize("window", ["22-6", "22:00", "mon 22:00", "22:00-06:00 mon", ""])
def test_a_window_that_cannot_be_read_is_not_sent(
    api: FakeApi, timegate: Timegate, window: str
) -> None:
    """The shell hears how to write one."""
    outcome = timegate("calendars", "put", "office", "--window", window)

    assert (outcome.code, api.calls) == (2, [])
    assert "write 22:00-06:00" in outcome.err


@pytest.mark.parametrize("name", ["..", "a/b", "%2e%2e"])
def test_a_name_stays_one_segment_of_the_path(api: FakeApi, timegate: Timegate, name: str) -> None:
    """A name of any text is encoded."""
    timegate("calendars", "get", name)

    assert api.asked[0].removeprefix("GET /v1/calendars/").count("/") == 0
    assert ".." not in api.asked[0]
