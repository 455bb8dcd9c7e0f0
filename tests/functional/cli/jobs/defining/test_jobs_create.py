"""``jobs create``: from options, or a file, to the body the API takes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.conftest import Outcome
from tests.functional.cli.fake_api import FakeApi, ok
from tests.functional.cli.samples import job
from timegate.contracts.jobs.job import NewJob

Timegate = Callable[..., Outcome]

WEBHOOK = ("--webhook", "https://example.com/hook")
NAMED = ("jobs", "create", "--name", "report")


@pytest.fixture(autouse=True)
def created(api: FakeApi) -> None:
    api.will(ok(job(), 201))


def body_of(api: FakeApi) -> dict[str, Any]:
    """The body sent, once the API's own contract has accepted its shape."""
    NewJob.model_validate_json(api.calls[-1].content)
    body: dict[str, Any] = api.body
    return body


def test_what_is_not_said_is_left_to_the_api(api: FakeApi, timegate: Timegate) -> None:
    """Defaults are stated once, by the API; a body repeats none of them."""
    outcome = timegate(*NAMED, "--now", *WEBHOOK)

    assert outcome.code == 0
    assert api.asked == ["POST /v1/jobs"]
    assert body_of(api) == {
        "name": "report",
        "schedule": {"kind": "immediate"},
        "action": {"type": "webhook", "url": "https://example.com/hook"},
    }


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(("--now",), {"kind": "immediate"}, id="now"),
        pytest.param(
            ("--at", "2026-11-21T08:00:00+01:00"),
            {"kind": "at", "at": "2026-11-21T07:00:00.000Z"},
            id="at",
        ),
        pytest.param(("--delay", "250ms"), {"kind": "delay", "delay_seconds": 0.25}, id="delay"),
        pytest.param(("--delay", "0"), {"kind": "delay", "delay_seconds": 0}, id="no-delay"),
        pytest.param(("--every", "1h30m"), {"kind": "rate", "every_seconds": 5400}, id="every"),
        pytest.param(("--every", "PT1H30M"), {"kind": "rate", "every_seconds": 5400}, id="iso"),
        pytest.param(
            ("--cron", "0 0 9 ? * 2", "--dialect", "quartz"),
            {"kind": "cron", "cron": "0 0 9 ? * 2", "dialect": "quartz"},
            id="dialect",
        ),
        pytest.param(
            ("--cron", "rate(5 minutes)"),
            {"kind": "cron", "cron": "rate(5 minutes)"},
            id="as-written",
        ),
        pytest.param(("--cron", "@daily"), {"kind": "cron", "cron": "@daily"}, id="cron"),
        pytest.param(
            (
                *("--cron", "0 9 * * *", "--timezone", "Europe/Berlin", "--gap", "skip"),
                *("--fold", "both", "--starts-at", "2027-01-01T00:00:00Z"),
                *("--ends-at", "2028-01-01T00:00:00Z", "--max-runs", "7"),
                *("--start-jitter", "5m"),
            ),
            {
                "kind": "cron",
                "cron": "0 9 * * *",
                "timezone": "Europe/Berlin",
                "gap": "skip",
                "fold": "both",
                "starts_at": "2027-01-01T00:00:00.000Z",
                "ends_at": "2028-01-01T00:00:00.000Z",
                "max_runs": 7,
                "jitter_seconds": 300,
            },
            id="bounds",
        ),
    ],
)
def test_one_option_chooses_the_kind_of_schedule(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], expected: dict[str, object]
) -> None:
    """The other options of the schedule are its fields."""
    timegate(*NAMED, *options, *WEBHOOK)

    assert body_of(api)["schedule"] == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param(
            (*WEBHOOK, "--method", "PUT", "--header", "X-A: b:c", "--header", "X-D:e"),
            {
                "type": "webhook",
                "url": "https://example.com/hook",
                "method": "PUT",
                "headers": {"X-A": "b:c", "X-D": "e"},
            },
            id="webhook",
        ),
        pytest.param(
            (
                *(*WEBHOOK, "--secret-header", "Authorization=arn:aws:secretsmanager:s#token"),
                *("--secret-header", "X-Key=arn:aws:ssm:s:/key", "--sign-with", "/hooks/keys"),
                *("--success-status", "200", "--success-status", "409"),
            ),
            {
                "type": "webhook",
                "url": "https://example.com/hook",
                "secret_headers": {
                    "Authorization": {
                        "secret_arn": "arn:aws:secretsmanager:s",
                        "json_key": "token",
                    },
                    "X-Key": {"ssm_parameter": "arn:aws:ssm:s:/key"},
                },
                "signing_secret": {"ssm_parameter": "/hooks/keys"},
                "success_statuses": [200, 409],
            },
            id="webhook-with-secrets",
        ),
        pytest.param(
            ("--lambda", "arn:f", "--tenant-isolation"),
            {"type": "lambda", "function_arn": "arn:f", "tenant_isolation": True},
            id="lambda",
        ),
        pytest.param(
            ("--sqs", "https://sqs.us-east-1.amazonaws.com/1/q"),
            {"type": "sqs", "queue_url": "https://sqs.us-east-1.amazonaws.com/1/q"},
            id="sqs",
        ),
        pytest.param(
            ("--lambda", "arn:f", "--invocation", "async"),
            {"type": "lambda", "function_arn": "arn:f", "invocation": "async"},
            id="lambda-async",
        ),
        pytest.param(
            ("--lambda", "arn:f", "--invocation", "callback", "--heartbeat", "5m"),
            {
                "type": "lambda",
                "function_arn": "arn:f",
                "invocation": "callback",
                "heartbeat_seconds": 300,
            },
            id="lambda-callback",
        ),
        pytest.param(
            (*WEBHOOK, "--wait", "callback"),
            {"type": "webhook", "url": "https://example.com/hook", "wait": "callback"},
            id="webhook-callback",
        ),
        pytest.param(
            ("--sns", "arn:t", "--subject", "Hello there", "--message-group", "acme"),
            {
                "type": "sns",
                "topic_arn": "arn:t",
                "subject": "Hello there",
                "message_group_id": "acme",
            },
            id="sns",
        ),
        pytest.param(
            ("--eventbridge", "arn:b", "--event-source", "billing", "--detail-type", "due"),
            {"type": "eventbridge", "bus_arn": "arn:b", "source": "billing", "detail_type": "due"},
            id="eventbridge",
        ),
        pytest.param(
            ("--step-functions", "arn:s", "--mode", "wait"),
            {"type": "stepfunctions", "state_machine_arn": "arn:s", "mode": "wait"},
            id="step-functions",
        ),
    ],
)
def test_one_option_chooses_the_target(
    api: FakeApi, timegate: Timegate, options: tuple[str, ...], expected: dict[str, object]
) -> None:
    """The option names the kind of target, its value the address."""
    timegate(*NAMED, "--now", *options)

    assert body_of(api)["action"] == expected


def test_every_other_option_has_its_field(api: FakeApi, timegate: Timegate) -> None:
    """Durations arrive in seconds, pairs as objects."""
    timegate(
        *(*NAMED, "--now", *WEBHOOK, "--description", "d", "--payload", '{"a": [1, "ü"]}'),
        *("--priority", "critical", "--resource-class", "long", "--timeout", "2m"),
        *("--precision", "subsecond", "--tag", "team=a=b", "--tag", "env=test"),
        *("--metadata", "owner=me", "--max-attempts", "5", "--backoff", "fixed"),
        *("--initial-delay", "500ms", "--max-delay", "1m", "--no-jitter"),
    )

    sent = body_of(api)
    assert {name: sent[name] for name in sent if name not in {"schedule", "action"}} == {
        "name": "report",
        "description": "d",
        "payload": {"a": [1, "ü"]},
        "priority": "critical",
        "resource_class": "long",
        "timeout_seconds": 120,
        "precision": "subsecond",
        "tags": {"team": "a=b", "env": "test"},
        "metadata": {"owner": "me"},
        "retry": {
            "max_attempts": 5,
            "backoff": "fixed",
            "initial_delay_seconds": 0.5,
            "max_delay_seconds": 60,
            "jitter": False,
        },
    }


def test_a_payload_comes_from_a_file_or_a_pipe(
    api: FakeApi, timegate: Timegate, tmp_path: Path
) -> None:
    """``@path`` reads a file, ``-`` standard input; both hold JSON."""
    path = tmp_path / "payload.json"
    path.write_text('{"from": "file"}')
    timegate(*NAMED, "--now", *WEBHOOK, "--payload", f"@{path}")
    from_file = body_of(api)["payload"]
    timegate(*NAMED, "--now", *WEBHOOK, "--payload", "-", stdin='["pipe"]')

    assert from_file == {"from": "file"}
    assert body_of(api)["payload"] == ["pipe"]


@pytest.mark.parametrize("source", ["file", "-"])
def test_a_whole_job_goes_out_as_it_is_written(
    api: FakeApi, timegate: Timegate, tmp_path: Path, source: str
) -> None:
    """The API judges the file: nothing is added or left out."""
    definition = {"name": "report", "unknown": None, "schedule": {"kind": "at"}}
    path = tmp_path / "job.json"
    path.write_text(json.dumps(definition))
    timegate(
        *("jobs", "create", "--file", str(path) if source == "file" else "-"),
        stdin=json.dumps(definition),
    )

    assert api.body == definition


def test_an_idempotency_key_is_a_header(api: FakeApi, timegate: Timegate) -> None:
    """Without one, each command has its own."""
    timegate(*NAMED, "--now", *WEBHOOK, "--idempotency-key", "order-17")
    with_key = api.calls[-1].headers.get("Idempotency-Key")
    timegate(*NAMED, "--now", *WEBHOOK)

    assert with_key == "order-17"
    assert api.calls[-1].headers["Idempotency-Key"] not in {"", "order-17"}


def test_the_options_of_delivery_have_their_fields(api: FakeApi, timegate: Timegate) -> None:
    """The options cover giving up and the number of calls to the target."""
    timegate(
        *(*NAMED, "--now", *WEBHOOK, "--delivery", "exactly_once", "--retry-window", "1h"),
        *("--retry-on", "http_409", "--retry-on", "http_423", "--give-up-on", "timeout"),
        *("--breaker-failures", "5", "--breaker-window", "30s"),
    )
    sent = body_of(api)

    assert sent["delivery"] == "exactly_once"
    assert sent["retry"] == {
        "window_seconds": 3600,
        "retry_on": ["http_409", "http_423"],
        "give_up_on": ["timeout"],
        "breaker": {"failures": 5, "window_seconds": 30},
    }


def test_the_breaker_can_be_switched_off(api: FakeApi, timegate: Timegate) -> None:
    """The API calls it null."""
    timegate(*NAMED, "--now", *WEBHOOK, "--no-breaker")

    assert body_of(api)["retry"] == {"breaker": None}


@pytest.mark.parametrize("secret", ["hunter2", "Bearer x", "hooks/key", ""])
def test_a_secret_itself_is_no_reference_to_one(
    timegate: Timegate, api: FakeApi, secret: str
) -> None:
    """It is refused here, and not sent anywhere."""
    outcome = timegate(*NAMED, "--now", *WEBHOOK, "--secret-header", f"X-Key={secret}")

    assert outcome.code != 0
    assert api.calls == []
