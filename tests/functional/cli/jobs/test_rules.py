"""``timegate rules``: from options or a file to the API's body, and back to a table."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok, page
from timegate.contracts.rules import RuleBody

Timegate = Callable[..., Outcome]

URL = "https://alerts.example.com/t"
WEEK = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
RULE = {
    "name": "data",
    "version": 3,
    "created_at": "2026-11-21T07:00:00.000Z",
    "updated_at": "2026-11-21T07:00:00.000Z",
    "description": "For the team.",
    "tags": {"owner": "ann"},
    "enabled": True,
    "jobs": {"job_id": None, "name": "nightly*", "tags": {"team": "data"}},
    "when": {
        "failures_in_a_row": 3,
        "dead_letter": True,
        "quota_refused": True,
        "late_after_seconds": 600,
        "absent": {
            "for_seconds": 93_600,
            "at": "07:00",
            "timezone": "Europe/Berlin",
            "weekdays": WEEK,
        },
        "recovered": True,
    },
    "channels": [{"type": "webhook", "url": URL, "signing_secret": None}],
    "quiet_hours": {
        "timezone": "Europe/Berlin",
        "windows": [{"weekdays": ["fri"], "opens": "22:00", "closes": "07:00"}],
    },
}


@pytest.fixture(autouse=True)
def answered(api: FakeApi) -> None:
    api.will(ok(RULE))


def body_of(api: FakeApi) -> dict[str, Any]:
    """The body sent, once the API's own contract has accepted it."""
    RuleBody.model_validate_json(api.calls[-1].content)
    body: dict[str, Any] = api.body
    return body


def put(timegate: Timegate, *options: str) -> Outcome:
    return timegate("rules", "put", "data", "--tell", URL, *options)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (("--failures", "3"), {"when": {"failures_in_a_row": 3}}),
        (
            ("--dead-letter", "--quota-refused", "--recovered"),
            {"when": {"dead_letter": True, "quota_refused": True, "recovered": True}},
        ),
        (("--late-after", "10m"), {"when": {"late_after_seconds": 600}}),
        (("--absent",), {"when": {"absent": {}}}),
        (("--absent", "--absent-at", "07:00"), {"when": {"absent": {"at": "07:00"}}}),
        (("--absent-for", "26h"), {"when": {"absent": {"for_seconds": 93_600}}}),
        (
            ("--absent-for", "26h", "--absent-at", "07:00", "--timezone", "Europe/Berlin"),
            {
                "when": {
                    "absent": {"for_seconds": 93_600, "at": "07:00", "timezone": "Europe/Berlin"}
                }
            },
        ),
        (
            ("--failures", "1", "--tag", "team:data", "--job-name", "nightly*"),
            {
                "jobs": {"tags": {"team": "data"}, "name": "nightly*"},
                "when": {"failures_in_a_row": 1},
            },
        ),
        (
            ("--failures", "1", "--quiet", "fri 22:00-07:00", "--timezone", "Asia/Tokyo"),
            {
                "when": {"failures_in_a_row": 1},
                "quiet_hours": {
                    "timezone": "Asia/Tokyo",
                    "windows": [{"weekdays": ["fri"], "opens": "22:00", "closes": "07:00"}],
                },
            },
        ),
        (
            ("--failures", "1", "--disabled", "--description", "later"),
            {"when": {"failures_in_a_row": 1}, "enabled": False, "description": "later"},
        ),
    ],
)
def test_options_say_what_is_told_of(
    timegate: Timegate, api: FakeApi, options: tuple[str, ...], expected: dict[str, Any]
) -> None:
    """An absent option is left to the API."""
    outcome = put(timegate, *options)

    assert (outcome.code, outcome.err) == (0, "")
    assert body_of(api) == {"channels": [{"url": URL}], **expected}
    assert (api.calls[-1].method, api.calls[-1].url.path) == (
        "PUT",
        "/stage/v1/notification-rules/data",
    )


def test_messages_are_signed(timegate: Timegate, api: FakeApi) -> None:
    """Each channel's, with the keys of the same secret."""
    put(timegate, "--failures", "1", "--sign-with", "/timegate-target/acme/keys")

    assert body_of(api)["channels"] == [
        {"url": URL, "signing_secret": {"ssm_parameter": "/timegate-target/acme/keys"}}
    ]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--absent-at", "07:00"), "--absent-for"),
        (("--quiet", "at night"), "22:00-07:00"),
        (("--failures", "1", "--file", "-"), "the whole rule"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    timegate: Timegate, api: FakeApi, options: tuple[str, ...], told: str
) -> None:
    """Nothing is sent."""
    outcome = timegate("rules", "put", "data", "--tell", URL, *options, stdin="{}")

    assert outcome.code == 2
    assert told in outcome.err
    assert api.calls == []


def test_a_file_is_the_whole_rule(timegate: Timegate, api: FakeApi, tmp_path: Path) -> None:
    """The file is JSON; the version is a condition."""
    body = {"when": {"dead_letter": True}, "channels": [{"url": URL}]}
    path = tmp_path / "rule.json"
    path.write_text(json.dumps(body))
    timegate("rules", "put", "data", "--file", str(path), "--if-version", "2")

    assert body_of(api) == body
    assert api.calls[-1].headers["If-Match"] == '"2"'


def test_a_rule_is_shown_in_words(timegate: Timegate) -> None:
    """The words name conditions, jobs and quiet hours."""
    shown = timegate("rules", "get", "data").out

    for word in (
        "nightly*, team:data",
        "3 failures in a row",
        "no success for 26 hours at 07:00 Europe/Berlin",
        "a run late by 10 minutes",
        "recovery",
        "owner=ann",
        "fri 22:00-07:00 Europe/Berlin",
        URL,
    ):
        assert word in shown
    # Each condition has a line.
    assert "\\n" not in shown
    assert "recovery" in [line.strip() for line in shown.splitlines()]


def test_rules_are_listed(timegate: Timegate, api: FakeApi) -> None:
    """By name, in a line each."""
    api.will(page([{**RULE, "enabled": False, "jobs": {"tags": {}}}]))
    shown = timegate("rules", "list").out

    assert "every job" in shown
    assert "no" in shown


def test_messages_are_listed(timegate: Timegate, api: FakeApi) -> None:
    """Each row has the text, the channel and the state; the last line counts waiting events."""
    told = {
        "notification_id": f"{'o' * 26}.n20261121T070300000Z-r{'a' * 16}-jvscc2gn",
        "told_at": "2026-11-21T07:03:00.000Z",
        "channel": {"type": "webhook", "address": URL},
        "message": {"events": [{"text": "nightly: a run failed."}]},
        "attempt": 10,
        "state": "dead_lettered",
        "due_at": "2026-11-21T07:03:00.000Z",
        "started_at": None,
        "ended_at": None,
        "error": None,
        "reason": "retries_exhausted",
        "explanation": "Gave up.",
    }
    listed = page([told])
    api.answers.clear()
    api.will(ok({**json.loads(listed.content), "held": {"events": [{}], "more": 2}}))
    shown = timegate("rules", "messages", "data", "--from", "2026-11-21T00:00:00Z").out

    assert api.calls[-1].url.params["from"] == "2026-11-21T00:00:00.000Z"
    for word in ("nightly: a run failed.", URL, "dead_lettered", "3 events wait for the end"):
        assert word in shown


def test_a_rule_is_deleted(timegate: Timegate, api: FakeApi) -> None:
    """By its name, once that is sure."""
    timegate("rules", "delete", "data", "--yes")

    assert (api.calls[-1].method, api.calls[-1].url.path) == (
        "DELETE",
        "/stage/v1/notification-rules/data",
    )
