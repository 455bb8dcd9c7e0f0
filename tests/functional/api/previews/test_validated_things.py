"""Calendars, notification rules and event triggers: what is wrong with one that is not stored."""

from typing import Any

import pytest

from tests.support.api import Api
from tests.support.event_triggers.triggering import secret_of
from tests.support.factories import TENANT

CHANNELS = [{"url": "https://alerts.example.com/t"}]
#: Written otherwise than the stage shows it, in every way that means the same.
WRITTEN: list[tuple[str, dict[str, Any]]] = [
    (
        "/v1/calendars/office",
        {
            "days": [{"first": "2026-12-24", "last": None}],
            "weekdays": ["sun", "sat", "sun"],
            "weekend": ["sun", "fri"],
            "windows": [{"weekdays": ["fri", "mon"], "opens": "18:00:00", "closes": "00:00"}],
            "periods": [{"start": "2026-11-30T10:00:00+01:00", "end": "2026-11-30T10:30:00Z"}],
        },
    ),
    (
        "/v1/notification-rules/late",
        {
            "when": {"absent": {"for_seconds": "P1D", "at": "07:00", "weekdays": ["wed", "mon"]}},
            "channels": CHANNELS,
            "quiet_hours": {
                "windows": [{"opens": "22:00", "closes": "06:00", "weekdays": ["tue"]}]
            },
        },
    ),
    (
        "/v1/event-triggers/paid",
        {
            "starts": {"type": "job", "job_id": "key:nightly"},
            "hook": {"secret": {"ssm_parameter": secret_of(TENANT).ssm_parameter}},
        },
    ),
]
#: Each is wrong in a field that its contract cannot judge.
WRONG: list[tuple[str, dict[str, Any], str, str]] = [
    (
        "/v1/calendars/office",
        {"days": [{"first": "2026-12-26", "last": "2026-12-24"}]},
        "days.0.last",
        "range_reversed",
    ),
    ("/v1/notification-rules/late", {"when": {}, "channels": CHANNELS}, "when", "required"),
    (
        "/v1/event-triggers/paid",
        {"starts": {"type": "job", "job_id": "key:unknown"}},
        "starts.job_id",
        "unknown_job",
    ),
]
NAMES = [path.split("/")[2] for path, _ in WRITTEN]


@pytest.mark.parametrize(("path", "body"), WRITTEN, ids=NAMES)
def test_a_definition_is_shown_as_it_would_be_stored(
    api: Api, path: str, body: dict[str, Any]
) -> None:
    """With every default, in the stage's notation; nothing is stored."""
    api.create(key="nightly")
    asked = api.send("POST", f"{path}/validate", body)
    missing = api.send("GET", path)
    stored = api.send("PUT", path, body)

    assert (asked.status, asked.body["valid"], asked.body["errors"]) == (200, True, [])
    assert missing.status == 404
    assert stored.status == 200
    shown = {name: stored.body[name] for name in asked.body["definition"]}
    if shown.get("hook"):
        del shown["hook"]["path"]
    assert asked.body["definition"] == shown
    given = {"name", "version", "status", "entries", "created_at", "updated_at"}
    assert stored.body.keys() - given == asked.body["definition"].keys()


@pytest.mark.parametrize(("path", "body"), WRITTEN, ids=NAMES)
def test_a_definition_means_what_it_shows(api: Api, path: str, body: dict[str, Any]) -> None:
    """Validated again, it is the same."""
    api.create(key="nightly")
    first = api.send("POST", f"{path}/validate", body).body
    again = api.send("POST", f"{path}/validate", first["definition"])

    assert (again.status, again.body) == (200, first)


@pytest.mark.parametrize(("path", "body", "field", "code"), WRONG)
def test_problems_are_those_of_putting_it(
    api: Api, path: str, body: dict[str, Any], field: str, code: str
) -> None:
    """The answer has the definition beside them."""
    asked = api.send("POST", f"{path}/validate", body)
    refused = api.send("PUT", path, body)

    assert (asked.status, asked.body["valid"]) == (200, False)
    assert asked.fields == [(field, code)]
    assert (refused.status, refused.body["errors"]) == (400, asked.body["errors"])
    assert asked.body["definition"]


@pytest.mark.parametrize(("path", "body"), WRITTEN, ids=NAMES)
def test_a_wrong_name_is_refused(api: Api, path: str, body: dict[str, Any]) -> None:
    """It is no part of the definition."""
    api.create(key="nightly")
    asked = api.send("POST", f"{path}_/validate", body)

    assert (asked.status, asked.code) == (400, "invalid_request")
    assert [each["field"] for each in asked.body["errors"]] == ["name"]


@pytest.mark.parametrize("path", [path for path, _ in WRITTEN], ids=NAMES)
def test_a_body_that_is_none_is_refused(api: Api, path: str) -> None:
    """Fields that a definition does not have are no defaults."""
    asked = api.send("POST", f"{path}/validate", {"color": "red"})

    assert (asked.status, asked.code) == (400, "invalid_request")
