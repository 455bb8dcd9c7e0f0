"""``timegate import``: manifests that ``timegate apply`` takes, in front of the real API."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.served import served, timegate
from tests.support.world import World

__all__ = ["served", "timegate"]

Timegate = Callable[..., Outcome]

URL = "https://example.com/run"
CRONTAB = """\
CRON_TZ=Europe/Berlin
MAILTO=ops@example.com
RANDOM_DELAY=5
PATH=/usr/bin

# nightly backup
30 2 * * * root /usr/local/bin/backup.sh {name} "a b"
@daily     daemon tidy
@reboot    root /bin/start
"""
SCHEDULES: list[dict[str, Any]] = [
    {
        "Name": "report",
        "GroupName": "default",
        "Description": "Sends the report",
        "ScheduleExpression": "cron(30 2 ? * 2-6 *)",
        "ScheduleExpressionTimezone": "Europe/Berlin",
        "StartDate": "2026-12-01T00:00:00+00:00",
        "EndDate": 1830297600.0,
        "State": "DISABLED",
        "FlexibleTimeWindow": {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 15},
        "Target": {
            "Arn": "arn:aws:lambda:eu-central-1:111122223333:function:timegate-target-acme-report",
            "RoleArn": "arn:aws:iam::111122223333:role/scheduler",
            "Input": '{"kind": "daily"}',
            "RetryPolicy": {"MaximumRetryAttempts": 3, "MaximumEventAgeInSeconds": 3600},
            "DeadLetterConfig": {"Arn": "arn:aws:sqs:eu-central-1:111122223333:dead"},
        },
    },
    {
        "Name": "poll",
        "ScheduleExpression": "rate(5 minutes)",
        "ScheduleExpressionTimezone": "Europe/Berlin",
        "FlexibleTimeWindow": {"Mode": "FLEXIBLE", "MaximumWindowInMinutes": 15},
        "Target": {
            "Arn": "arn:aws:sqs:eu-central-1:111122223333:timegate-target-acme-poll.fifo",
            "SqsParameters": {"MessageGroupId": "polls"},
            "Input": "not json",
        },
    },
    {
        "Name": "once",
        "ScheduleExpression": "at(2026-12-24T18:00:00)",
        "ScheduleExpressionTimezone": "Europe/Berlin",
        "FlexibleTimeWindow": {"Mode": "OFF"},
        "Target": {
            "Arn": "arn:aws:states:eu-central-1:111122223333:stateMachine:timegate-target-acme-x"
        },
    },
]


@pytest.fixture(autouse=True)
def _served(served: World) -> World:
    return served


def documents(outcome: Outcome) -> dict[str, dict[str, Any]]:
    """The specs of a manifest, by name."""
    found = list(yaml.safe_load_all(outcome.out))
    assert {each["kind"] for each in found} <= {"Job"}
    return {each["name"]: each["spec"] for each in found}


def imported(timegate: Timegate, tmp_path: Path, source: str, text: str, *options: str) -> Outcome:
    path = tmp_path / "source"
    path.write_text(text)
    return timegate("import", source, str(path), *options)


def test_a_crontab_becomes_a_manifest(timegate: Timegate, tmp_path: Path) -> None:
    """The report goes to standard error, and names lines."""
    outcome = imported(timegate, tmp_path, "crontab", CRONTAB, "--system", "--action-url", URL)
    found = documents(outcome)

    assert outcome.code == 1
    assert found["nightly backup"] == {
        "schedule": {
            "kind": "cron",
            "cron": "30 2 * * *",
            "timezone": "Europe/Berlin",
            "jitter_seconds": 300,
        },
        "action": {"type": "webhook", "url": URL},
        "payload": {
            "command": '/usr/local/bin/backup.sh {name} "a b"',
            "environment": {"PATH": "/usr/bin"},
        },
    }
    assert set(found) == {"nightly backup", "tidy"}
    assert "line 7 nightly backup: warning [mailto]: cron mails the output" in outcome.err
    assert "line 9 start: refused [reboot]" in outcome.err
    assert "2 imported, 1 refused." in outcome.err


@pytest.mark.parametrize("form", ["yaml", "json"])
def test_what_is_imported_can_be_applied(timegate: Timegate, tmp_path: Path, form: str) -> None:
    """In both forms; applied again, nothing is to be done."""
    outcome = imported(
        timegate, tmp_path, "crontab", CRONTAB, "--system", "--action-url", URL, "--output", form
    )
    manifest = tmp_path / f"jobs.{form}"
    manifest.write_text(outcome.out)
    applied = timegate("apply", "-f", str(manifest), "--yes")
    again = timegate("diff", "-f", str(manifest))
    jobs = timegate("jobs", "list", "--json").json["items"]

    assert (applied.code, applied.err) == (0, "")
    assert again.code == 0
    assert sorted(job["name"] for job in jobs) == ["nightly backup", "tidy"]


def test_a_template_says_what_runs(timegate: Timegate, tmp_path: Path) -> None:
    """Any action; marks stand for the line's own words, and are not read in them."""
    action = {"type": "worker", "pool": "shell", "handler": "run"}
    payload = {"argv": ["sh", "-c", "{command}"], "as": "{user}", "env": "{environment}", "n": 1}
    outcome = imported(
        timegate,
        tmp_path,
        "crontab",
        CRONTAB,
        "--system",
        *("--action", json.dumps(action), "--payload", json.dumps(payload)),
    )
    spec = documents(outcome)["nightly backup"]

    assert spec["action"] == action
    assert spec["payload"] == {
        "argv": ["sh", "-c", '/usr/local/bin/backup.sh {name} "a b"'],
        "as": "root",
        "env": {"PATH": "/usr/bin"},
        "n": 1,
    }


@pytest.mark.parametrize(
    "options",
    [(), ("--action-url", URL, "--action", '{"type": "worker"}'), ("--action", "[]")],
    ids=["none", "both", "no-action"],
)
def test_one_action_is_needed(timegate: Timegate, tmp_path: Path, options: tuple[str, ...]) -> None:
    """A wrong command line writes nothing."""
    outcome = imported(timegate, tmp_path, "crontab", "@daily run", *options)

    assert (outcome.code, outcome.out) == (2, "")
    assert "--action" in outcome.err


def test_a_schedule_of_eventbridge_becomes_a_job(timegate: Timegate, tmp_path: Path) -> None:
    """Its window, bounds, retries, input and target are mapped."""
    outcome = imported(timegate, tmp_path, "eventbridge", json.dumps(SCHEDULES[0]))

    assert outcome.code == 0, outcome.err
    assert documents(outcome)["report"] == {
        "schedule": {
            "kind": "cron",
            "cron": "cron(30 2 ? * 2-6 *)",
            "dialect": "eventbridge",
            "timezone": "Europe/Berlin",
            "starts_at": "2026-12-01T00:00:00.000Z",
            "ends_at": "2028-01-01T00:00:00.000Z",
            "jitter_seconds": 900,
        },
        "action": {
            "type": "lambda",
            "function_arn": SCHEDULES[0]["Target"]["Arn"],
            "invocation": "async",
        },
        "retry": {"max_attempts": 4, "breaker": None, "window_seconds": 3600},
        "payload": {"kind": "daily"},
        "description": "Sends the report",
    }


def test_many_schedules_of_eventbridge(timegate: Timegate, tmp_path: Path) -> None:
    """One after the other or in a list; each kind of target has its fields."""
    text = "\n".join(json.dumps(each, indent=2) for each in SCHEDULES)
    outcome = imported(timegate, tmp_path, "eventbridge", text)
    listed = imported(timegate, tmp_path, "eventbridge", json.dumps(SCHEDULES))
    found = documents(outcome)

    assert documents(listed) == found
    # A window is never longer than the interval.
    assert found["poll"]["schedule"] == {
        "kind": "rate",
        "every_seconds": 300,
        "jitter_seconds": 300,
    }
    assert found["poll"]["action"] == {
        "type": "sqs",
        "queue_url": "https://sqs.eu-central-1.amazonaws.com/111122223333/"
        "timegate-target-acme-poll.fifo",
        "message_group_id": "polls",
    }
    assert found["poll"]["payload"] == "not json"
    assert found["once"]["schedule"] == {"kind": "at", "at": "2026-12-24T17:00:00.000Z"}
    assert found["once"]["action"]["type"] == "stepfunctions"


@pytest.mark.parametrize(
    "expected",
    [
        "report: warning [suspended]",
        "report: warning [dead_letters]: Dead letters went to arn:aws:sqs",
        "poll: warning [flexible_window]: The window is cut to 300 seconds.",
        "once: warning [input]",
        "3 imported, 0 refused.",
    ],
)
def test_the_report_names_what_is_left_out(
    timegate: Timegate, tmp_path: Path, expected: str
) -> None:
    """On standard error, by schedule."""
    outcome = imported(timegate, tmp_path, "eventbridge", json.dumps(SCHEDULES))

    assert expected in outcome.err


def test_faithful_imports_keep_clock_changes(timegate: Timegate, tmp_path: Path) -> None:
    """EventBridge leaves out a time that the clock skips."""
    text = json.dumps(SCHEDULES[0])
    outcome = imported(timegate, tmp_path, "eventbridge", text, "--faithful")

    assert documents(outcome)["report"]["schedule"]["gap"] == "skip"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"Schedules": [{"Name": "a", "Target": {"Arn": "arn"}}]}, "no_expression"),
        ({"ScheduleExpression": "rate(5)"}, "invalid_cron"),
        ({"ScheduleExpression": "rate(1 day)", "StartDate": "soon"}, "invalid_instant"),
        ({"ScheduleExpression": "rate(1 day)", "StartDate": -62135596800}, "out_of_range"),
        ({"ScheduleExpression": "rate(1 day)", "EndDate": 1e300}, "out_of_range"),
        ({"ScheduleExpression": "rate(1 day)"}, "unsupported_target"),
        (
            {
                "ScheduleExpression": "rate(1 day)",
                "Target": {"Arn": "arn:aws:scheduler:::aws-sdk:sqs:sendMessage"},
            },
            "unsupported_target",
        ),
        (
            {
                "ScheduleExpression": "rate(1 day)",
                "Target": {"Arn": "arn:aws:scheduler:::aws-sdk:ecs:runTask", "EcsParameters": {}},
            },
            "unsupported_target",
        ),
    ],
    ids=[
        *("list-schedules", "rate", "date", "year-1", "beyond-all-years", "no-target"),
        *("universal", "universal-task"),
    ],
)
def test_a_schedule_that_cannot_be_imported_says_why(
    timegate: Timegate, tmp_path: Path, given: dict[str, Any], code: str
) -> None:
    """And stops no other."""
    text = json.dumps([given, SCHEDULES[1]])
    outcome = imported(timegate, tmp_path, "eventbridge", text)

    assert outcome.code == 1
    assert f"refused [{code}]" in outcome.err
    assert set(documents(outcome)) == {"poll"}


def test_imported_schedules_of_eventbridge_can_be_applied(
    timegate: Timegate, tmp_path: Path
) -> None:
    """Targets must be on the stage's lists, as for every job."""
    outcome = imported(timegate, tmp_path, "eventbridge", json.dumps(SCHEDULES))
    manifest = tmp_path / "jobs.yaml"
    manifest.write_text(outcome.out)
    applied = timegate("apply", "-f", str(manifest), "--yes")

    assert (applied.code, applied.err) == (0, "")
    assert timegate("diff", "-f", str(manifest)).code == 0
