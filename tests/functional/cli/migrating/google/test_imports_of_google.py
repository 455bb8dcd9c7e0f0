"""``timegate import google``: jobs of Cloud Scheduler become web hooks."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.functional.cli.apply.test_imports import Timegate, documents, imported
from tests.functional.cli.conftest import Outcome
from tests.functional.cli.migrating.google.google_jobs import body, job, listed
from tests.functional.cli.served import served, timegate

__all__ = ["served", "timegate"]


@pytest.fixture
def read(timegate: Timegate, tmp_path: Path) -> Any:  # noqa: ANN401 - a function
    """Import jobs."""

    def run(*jobs: dict[str, Any]) -> Outcome:
        return imported(timegate, tmp_path, "google", listed(*jobs))

    return run


def retry_of(outcome: Outcome) -> dict[str, Any]:
    """The policy of the one job."""
    retry: dict[str, Any] = documents(outcome)["report"]["retry"]
    return retry


def configured(**config: Any) -> dict[str, Any]:  # noqa: ANN401
    """A job with these retries."""
    return job(retryConfig=config)


def test_a_job_becomes_one_of_a_manifest(read: Any) -> None:  # noqa: ANN401
    """Its names, times and policies are carried over; no run begins before the last one ended."""
    outcome = read(job())

    assert outcome.code == 0
    assert documents(outcome)["report"] == {
        "schedule": {"kind": "cron", "cron": "0 6 * * 1-5", "timezone": "Etc/UTC"},
        "action": {
            "type": "webhook",
            "url": "https://example.com/report",
            "method": "POST",
            "headers": {"Content-Type": "application/json"},
        },
        "payload": {"kind": "daily"},
        "retry": {"max_attempts": 1},
        "timeout_seconds": 180,
        "resource_class": "long",
        "description": "Sends the report",
        "overlap": {"policy": "queue"},
        "catch_up": {"policy": "latest"},
    }
    assert "1 imported, 0 refused." in outcome.err


def test_what_is_imported_can_be_applied(timegate: Timegate, tmp_path: Path) -> None:
    """The API takes each part of it."""
    retried = job("retried", retryConfig={"retryCount": 5, "maxRetryDuration": "7200s"})
    outcome = imported(timegate, tmp_path, "google", listed(job(), retried))
    path = tmp_path / "jobs.yaml"
    path.write_text(outcome.out)

    assert timegate("apply", "-f", str(path), "--yes").code == 0


@pytest.mark.parametrize(
    ("config", "delays", "attempts"),
    [
        # The example of the documentation: doubled three times, then by as much as then.
        (
            {
                "retryCount": 5,
                "minBackoffDuration": "10s",
                "maxBackoffDuration": "300s",
                "maxDoublings": 3,
            },
            [10, 20, 40, 80, 160],
            6,
        ),
        ({"retryCount": 3, "minBackoffDuration": "10s", "maxDoublings": 0}, [10, 20, 30], 4),
        ({"retryCount": 3, "minBackoffDuration": "10s", "maxDoublings": 1}, [10, 20, 40], 4),
        ({"retryCount": 2}, [5, 10], 3),
        ({"retryCount": 4, "minBackoffDuration": "7s", "maxBackoffDuration": "7s"}, [7], 5),
        ({"retryCount": 1, "minBackoffDuration": "0.5s"}, [0.5], 2),
    ],
)
def test_delays_are_those_that_google_computes(
    read: Any,  # noqa: ANN401
    config: dict[str, Any],
    delays: list[float],
    attempts: int,
) -> None:
    """They are written down, and no breaker, jitter or class of errors changes them."""
    assert retry_of(read(configured(**config))) == {
        "max_attempts": attempts,
        "delays_seconds": delays,
        "jitter": False,
        "breaker": None,
        "retry_on": ["http_4xx"],
    }


def test_a_duration_of_retries_is_a_window(read: Any) -> None:  # noqa: ANN401
    """Beside a number of retries it is none: Google goes on until both are reached."""
    within = retry_of(read(configured(maxRetryDuration="35s")))
    more = retry_of(read(configured(maxRetryDuration="35s", retryCount=1)))
    fewer = retry_of(read(configured(maxRetryDuration="34s", retryCount=1)))

    # 5, 15 and 35 seconds after the first failure.
    assert (within["max_attempts"], within["window_seconds"]) == (4, 35)
    assert (more["max_attempts"], more.get("window_seconds")) == (4, None)
    assert fewer["max_attempts"] == 3


def test_retries_beyond_the_most_are_cut_with_a_warning(read: Any) -> None:  # noqa: ANN401
    """A day of retries after 10 s each."""
    config = {"minBackoffDuration": "10s", "maxBackoffDuration": "10s"}
    outcome = read(configured(**config, maxRetryDuration="86400s"))
    whole = read(configured(**config, maxRetryDuration="490s"))

    assert retry_of(outcome)["max_attempts"] == retry_of(whole)["max_attempts"] == 50
    assert "warning [retry_duration]" in outcome.err
    assert "retry_duration" not in whole.err


def test_what_a_web_hook_cannot_say_is_named(read: Any) -> None:  # noqa: ANN401
    """Credentials never stand in the manifest."""
    target = {
        "uri": "https://example.com",
        "headers": {"Authorization": "Bearer hunter2", "Host": "a", "X-Team": "ops"},
        "body": body("plain text"),
        "oidcToken": {"serviceAccountEmail": "run@acme.iam.gserviceaccount.com"},
    }
    outcome = read(job(httpTarget=target, attemptDeadline="1800s", state="PAUSED"))
    spec = documents(outcome)["report"]

    assert spec["action"]["headers"] == {"X-Team": "ops"}
    assert (spec["payload"], spec["timeout_seconds"]) == ("plain text", 840)
    for code in (
        *("suspended", "service_account", "secret_headers", "reserved_headers"),
        *("body", "attempt_deadline"),
    ):
        assert f"warning [{code}]" in outcome.err
    assert "hunter2" not in outcome.out + outcome.err


def test_app_engine_is_called_by_its_host(read: Any) -> None:  # noqa: ANN401
    """The headers that it trusts cannot be sent."""
    target = {
        "appEngineRouting": {"host": "acme.ey.r.appspot.com"},
        "httpMethod": "GET",
        "relativeUri": "/tasks",
    }
    outcome = read(job(httpTarget=None, appEngineHttpTarget=target, attemptDeadline="0s"))
    spec = documents(outcome)["report"]

    assert spec["action"]["url"] == "https://acme.ey.r.appspot.com/tasks"
    assert spec["timeout_seconds"] == 180
    assert "warning [app_engine]" in outcome.err


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"httpTarget": None}, "It has no target."),
        (
            {"httpTarget": None, "pubsubTarget": {"topicName": "projects/a/topics/b"}},
            "It publishes to projects/a/topics/b",
        ),
        ({"httpTarget": {"uri": "https://a.example", "httpMethod": "HEAD"}}, "No web hook sends"),
        ({"httpTarget": {"uri": "https://a.example", "body": "%%%"}}, "no text in base64"),
        ({"httpTarget": {"uri": "https://a.example", "body": "/w=="}}, "no text in base64"),
        ({"httpTarget": ["x"]}, "httpTarget must be an object."),
        ({"httpTarget": None, "appEngineHttpTarget": {}}, "It names no host of App Engine"),
        ({"retryConfig": {"retryCount": "5"}}, "retryCount must be a whole number"),
        ({"retryConfig": {"retryCount": 1, "minBackoffDuration": "5"}}, "it must be like 180s"),
        ({"attemptDeadline": "9" * 400 + "s"}, "it must be like 180s"),
        ({"retryConfig": 7}, "retryConfig must be an object."),
        ({"schedule": "every 5 minutes"}, "is no cron pattern"),
    ],
)
def test_what_cannot_be_carried_over_is_refused(
    read: Any,  # noqa: ANN401
    changes: dict[str, Any],
    said: str,
) -> None:
    """The other jobs are written all the same."""
    outcome = read(job("wrong", **changes), job("right"))

    assert (outcome.code, set(documents(outcome))) == (1, {"right"})
    assert said in outcome.err


@pytest.mark.parametrize("text", ["[", "7", "[7]", '{"name": "a"} x'])
def test_other_text_is_refused_whole(timegate: Timegate, tmp_path: Path, text: str) -> None:
    """The line is named."""
    outcome = imported(timegate, tmp_path, "google", text)

    assert (outcome.code, outcome.out) == (2, "")


def test_jobs_are_read_from_every_answer(timegate: Timegate, tmp_path: Path) -> None:
    """The API, ``list`` and ``describe`` print them; their answers may follow one another."""
    text = "\n".join((json.dumps({"jobs": [job("a")]}), listed(job("b")), json.dumps(job("a"))))
    outcome = imported(timegate, tmp_path, "google", text)

    assert set(documents(outcome)) == {"a", "b", "a 2"}
