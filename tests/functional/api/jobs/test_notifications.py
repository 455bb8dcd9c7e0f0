"""Notifications over HTTP: asked for, refused, and what was told of a run."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.api import Api, new_job
from tests.support.execution.telling import ALERTS, documents
from timegate.domain.jobs.retry import Failure, FailureKind

PAGE = Path("docs/guides/notifications.md").read_text(encoding="utf-8")
SECRET = {"secret_arn": None, "ssm_parameter": "/timegate-target/acme/keys", "json_key": None}
HOOK = {"type": "webhook", "url": ALERTS, "on": ["failed", "late"], "signing_secret": SECRET}
GONE = Failure(kind=FailureKind.PERMANENT, code="http_410", type="HttpStatus", message="gone")


def test_a_job_says_who_is_told(api: Api) -> None:
    """Given, changed, and taken back; what is left out stays."""
    job = api.create(notifications=[HOOK], late_after_seconds=60)
    path = f"/v1/jobs/{job['job_id']}"
    renamed = api.send("PATCH", path, {"name": "other"}).body
    silent = api.send("PATCH", path, {"notifications": [], "late_after_seconds": None}).body

    assert (renamed["notifications"], renamed["late_after_seconds"]) == ([HOOK], 60)
    assert (silent["notifications"], silent["late_after_seconds"]) == ([], None)


@pytest.mark.parametrize(
    ("hook", "field", "code"),
    [
        pytest.param({"url": "ftp://example.com"}, "url", "invalid_url", id="no-http"),
        pytest.param({"url": "http://169.254.169.254/"}, "url", "address_not_allowed", id="inside"),
        pytest.param({"url": "https://a@example.com/"}, "url", "plaintext_secret", id="password"),
        pytest.param({"on": []}, "on", "too_short", id="of-nothing"),
        pytest.param({"on": ["queued"]}, "on.0", "invalid_choice", id="no-end"),
        pytest.param({"on": ["late"]}, "on", "never_late", id="never-late"),
        pytest.param(
            {"signing_secret": {"ssm_parameter": "/timegate-target/globex/keys"}},
            "signing_secret",
            "secret_not_allowed",
            id="anothers-secret",
        ),
    ],
)
def test_a_notification_without_a_receiver_is_refused(
    api: Api, hook: dict[str, Any], field: str, code: str
) -> None:
    """At creation and at a change, naming the place."""
    asked = {"notifications": [{"url": ALERTS, "on": ["failed"], **hook}]}
    job = api.create()
    answers = [
        api.send("POST", "/v1/jobs", new_job(**asked)),
        api.send("PATCH", f"/v1/jobs/{job['job_id']}", asked),
    ]

    for answer in answers:
        assert (answer.status, answer.fields) == (400, [(f"notifications.0.{field}", code)])


def test_a_run_shows_what_was_told_of_it(api: Api) -> None:
    """It shows channel, document and delivery; the notification is a readable run without hooks."""
    job = api.create(notifications=[{"url": ALERTS, "on": ["failed"]}])
    run_id = api.send("POST", f"/v1/jobs/{job['job_id']}/trigger").body["run_id"]
    before = api.send("GET", f"/v1/runs/{run_id}/notifications").body
    api.world.target.then(GONE)
    api.world.settle()
    (told,) = api.send("GET", f"/v1/runs/{run_id}/notifications").body["items"]
    notice = api.send("GET", f"/v1/runs/{told['notification_id']}").body
    listed = api.send("GET", f"/v1/jobs/{job['job_id']}/runs").body["items"]

    assert before == {"items": [], "next_cursor": None}
    assert [told["message"]] == documents(api.world)
    assert (told["on"], told["run_attempt"]) == ("failed", 1)
    assert told["channel"] == {"type": "webhook", "address": ALERTS}
    assert (told["state"], told["attempt"]) == ("succeeded", 1)
    assert (notice["origin"], notice["state"]) == ("notification", "succeeded")
    assert {row["origin"] for row in listed} == {"schedule", "trigger"}
    assert api.send("GET", f"/v1/runs/{told['notification_id']}/notifications").body == before


def test_an_unknown_run_was_never_told_of(api: Api) -> None:
    """404, as any other question about it."""
    answer = api.send("GET", f"/v1/runs/{'a' * 26}.s20261121T070000000Z/notifications")

    assert (answer.status, answer.body["code"]) == (404, "run_not_found")


def test_what_is_sent_is_what_the_page_says(api: Api) -> None:
    """Field by field."""
    (text,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    shown = json.loads(text)
    job = api.create(notifications=[{"url": ALERTS, "on": ["failed"]}])
    api.send("POST", f"/v1/jobs/{job['job_id']}/trigger")
    api.world.target.then(GONE)
    api.world.settle()
    (sent,) = documents(api.world)

    assert [*shown] == [*sent]
    assert [*shown["run"]] == [*sent["run"]]
    assert [*shown["run"]["error"]] == [*sent["run"]["error"]]
    assert shown["version"] == sent["version"]
