"""Notifications on the command line: whom a job tells, and what was told of a run."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import JOB_ID, RUN_ID, job
from timegate.contracts.jobs.job import NewJob

Timegate = Callable[..., Outcome]

URL = "https://example.com/alerts"
NEW = ("jobs", "create", "--name", "bill", "--now", "--webhook", "https://example.com/hook")
BAD = ["failed", "timed_out", "dead_lettered"]
TOPIC = "arn:aws:sns:us-east-1:111122223333:timegate-target-oncall"
BUS = "arn:aws:events:us-east-1:111122223333:event-bus/timegate-target"
SECRET = {"ssm_parameter": "/timegate-target/acme/keys"}


def told(**changes: Any) -> dict[str, Any]:  # noqa: ANN401 - any field
    """One notification that arrived."""
    return {
        "notification_id": f"{JOB_ID}.n20261121T070000000Z-s1-failed-k3jx52mq",
        "run_attempt": 1,
        "on": "failed",
        "channel": {"type": "webhook", "address": URL},
        "message": {"version": 1},
        "attempt": 2,
        "state": "succeeded",
        "due_at": "2026-11-21T07:00:00.000Z",
        "started_at": None,
        "ended_at": None,
        "error": None,
        "reason": None,
        "explanation": "It ran and succeeded.",
        **changes,
    }


@pytest.mark.parametrize(
    ("options", "hooks", "late"),
    [
        pytest.param(("--notify", URL), [{"url": URL, "on": BAD}], None, id="bad-ends"),
        pytest.param(
            ("--notify", URL, "--late-after", "5m"),
            [{"url": URL, "on": [*BAD, "late"]}],
            300,
            id="late-as-well",
        ),
        pytest.param(
            (
                *("--notify", URL, "--notify", f"{URL}/2", "--notify-on", "succeeded"),
                *("--notify-sign-with", "/timegate-target/acme/keys"),
            ),
            [
                {"url": URL, "on": ["succeeded"], "signing_secret": SECRET},
                {"url": f"{URL}/2", "on": ["succeeded"], "signing_secret": SECRET},
            ],
            None,
            id="two-signed",
        ),
        pytest.param(
            (
                *("--notify", f"sns:{TOPIC}", "--notify", f"eventbridge:{BUS}"),
                *("--notify", "slack:/timegate-target/acme/keys", "--notify-on", "failed"),
            ),
            [
                {"type": "sns", "topic_arn": TOPIC, "on": ["failed"]},
                {"type": "eventbridge", "bus_arn": BUS, "on": ["failed"]},
                {"type": "slack", "url_secret": SECRET, "on": ["failed"]},
            ],
            None,
            id="channels",
        ),
    ],
)
def test_a_job_says_who_is_told(
    api: FakeApi,
    timegate: Timegate,
    options: tuple[str, ...],
    hooks: list[dict[str, Any]],
    late: int | None,
) -> None:
    """The default occasions are the bad ones; the job shows its hooks."""
    shown = [{"type": "webhook", **hook} for hook in hooks]
    api.will(ok(job(notifications=shown, late_after_seconds=late), 201))
    outcome = timegate(*NEW, *options)
    NewJob.model_validate_json(api.calls[-1].content)

    assert api.body["notifications"] == hooks
    assert api.body.get("late_after_seconds") == late
    assert f"{hooks[0].get('url', f'sns {TOPIC}')} on {', '.join(hooks[0]['on'])}" in outcome.out


def test_a_notification_needs_an_address(api: FakeApi, timegate: Timegate) -> None:
    """Said before anything is sent."""
    outcome = timegate(*NEW, "--notify-on", "failed")

    assert outcome.code == 2
    assert "--notify says whom" in " ".join(outcome.err.split())
    assert api.calls == []


def test_a_run_shows_what_was_told_of_it(api: FakeApi, timegate: Timegate) -> None:
    """It shows channel, arrival and error; a run without notifications says so."""
    error = {"code": "http_503", "type": "HttpStatus", "message": "busy"}
    waiting = told(on="late", channel=None, state="waiting", error=error)
    api.will(
        ok(found := {"items": [told(), waiting], "next_cursor": None}), ok({**found, "items": []})
    )
    lines = timegate("runs", "notifications", RUN_ID).out.splitlines()

    assert [line.split()[:5] for line in lines[1:]] == [
        ["failed", "1", URL, "succeeded", "2"],
        ["late", "1", "-", "waiting", "2"],
    ]
    assert "http_503: busy" in lines[2]
    assert timegate("runs", "notifications", RUN_ID).out.strip() == "No notifications."


def test_a_channel_says_where_it_leads(timegate: Timegate) -> None:
    """A type alone leads nowhere."""
    outcome = timegate(*NEW, "--notify", "slack:")

    assert outcome.code == 2
    assert "write it as slack:PLACE" in " ".join(outcome.err.split())


def test_a_job_says_within_which_span_it_is_to_succeed(api: FakeApi, timegate: Timegate) -> None:
    """Its channel hears of that as well, and the job shows it."""
    api.will(ok(job(absent_after_seconds=93_600), 201))
    outcome = timegate(*NEW, "--notify", "https://a.example", "--absent-after", "26h")

    assert api.body["absent_after_seconds"] == 93_600
    assert api.body["notifications"][0]["on"][-1] == "absent"
    assert "absent after" in outcome.out
