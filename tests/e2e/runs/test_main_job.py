"""The main job on the deployed stack: from the API to the target and into history."""

from datetime import UTC, datetime, timedelta
from itertools import product
from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until

PRIORITIES = ("critical", "high", "normal", "low")


def webhook(recorder: Recorder, path: str) -> dict[str, str]:
    """An action that calls the recorder."""
    return {"type": "webhook", "url": recorder.url(path)}


def at(seconds: float) -> str:
    """An instant so many seconds from now, as the API wants it."""
    return (datetime.now(UTC) + timedelta(seconds=seconds)).isoformat()


SCHEDULES: dict[str, dict[str, object]] = {
    "immediate": {"kind": "immediate"},
    "delay": {"kind": "delay", "delay_seconds": 3},
    "rate": {"kind": "rate", "every_seconds": 2, "max_runs": 2},
    "cron": {"kind": "cron", "cron": "*/2 * * * * *", "timezone": "Europe/Berlin", "max_runs": 2},
}


@pytest.mark.parametrize("kind", SCHEDULES)
def test_every_schedule_kind_fires(stack: Stack, recorder: Recorder, kind: str) -> None:
    """A job runs as often as it says, never early, and completes after its last run."""
    schedule = SCHEDULES[kind]
    expected = int(str(schedule.get("max_runs", 1)))

    job = stack.create_job(name=kind, schedule=schedule, action=webhook(recorder, f"kind-{kind}"))
    runs = stack.wait_for_runs(job["job_id"], expected)

    assert len(runs) == expected
    assert all(run["lateness_ms"] >= 0 for run in runs)
    assert len(recorder.requests(f"kind-{kind}")) == expected
    wait_until(
        lambda: stack.api.get(f"/v1/jobs/{job['job_id']}").json()["status"] == "completed" or None,
        seconds=15,
        what=lambda: stack.api.get(f"/v1/jobs/{job['job_id']}").json(),
    )


def test_an_instant_is_met_to_the_millisecond(stack: Stack, recorder: Recorder) -> None:
    """On the sub-second lane a run never starts before its instant."""
    due = datetime.now(UTC) + timedelta(seconds=6)
    job = stack.create_job(
        name="sharp",
        schedule={"kind": "at", "at": due.isoformat()},
        action=webhook(recorder, "sharp"),
        precision="subsecond",
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    (request,) = recorder.requests("sharp")

    assert run["lateness_ms"] >= 0
    assert request.arrived_at >= due.replace(microsecond=due.microsecond // 1000 * 1000)


@pytest.mark.parametrize(
    ("priority", "resource_class"), list(product(PRIORITIES, ("short", "long")))
)
def test_every_queue_leads_to_its_executor(
    stack: Stack, recorder: Recorder, priority: str, resource_class: str
) -> None:
    """Eight queues, eight executors, each wired to its own."""
    path = f"{priority}-{resource_class}"
    job = stack.create_job(
        name=path,
        schedule={"kind": "immediate"},
        action=webhook(recorder, path),
        priority=priority,
        resource_class=resource_class,
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)

    assert run["state"] == "succeeded"


def test_a_target_is_told_everything_it_needs(stack: Stack, recorder: Recorder) -> None:
    """Run id, idempotency key, fence, attempt, scheduled time, and the payload as it was given."""
    payload = {"invoice": 7, "text": "grüße", "nested": {"list": [1, 2.5, None]}}
    job = stack.create_job(
        name="told",
        schedule={"kind": "immediate"},
        action=webhook(recorder, "told"),
        payload=payload,
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    (request,) = recorder.requests("told")

    assert request.body == payload
    assert request.headers["timegate-run-id"] == run["run_id"]
    assert request.headers["idempotency-key"] == run["run_id"]
    assert request.headers["timegate-attempt"] == "1"
    assert request.fence == 1
    assert request.headers["timegate-scheduled-at"] == run["scheduled_at"]


def test_a_large_payload_arrives_whole(stack: Stack, recorder: Recorder) -> None:
    """200 KB travel by reference and arrive as they were."""
    payload = {"blob": "x" * 200_000}
    job = stack.create_job(
        name="large",
        schedule={"kind": "immediate"},
        action=webhook(recorder, "large"),
        payload=payload,
    )
    stack.wait_for_runs(job["job_id"], 1)

    assert recorder.requests("large")[0].body == payload


def test_a_failing_target_is_tried_again(stack: Stack, recorder: Recorder) -> None:
    """Two failures, then success: three attempts on record, one run, one idempotency key."""
    recorder.answer("flaky", 503, 500)
    job = stack.create_job(
        name="flaky",
        schedule={"kind": "immediate"},
        action=webhook(recorder, "flaky"),
        retry={"max_attempts": 3, "initial_delay_seconds": 0.5},
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    attempts = stack.api.get(f"/v1/runs/{run['run_id']}").json()["attempts"]

    assert [a["state"] for a in attempts] == ["failed", "failed", "succeeded"]
    assert [(a["error"] or {}).get("code") for a in attempts] == ["http_503", "http_500", None]
    assert {r.headers["idempotency-key"] for r in recorder.requests("flaky")} == {run["run_id"]}


def test_used_up_retries_are_dead_lettered(stack: Stack, recorder: Recorder) -> None:
    """The last failure keeps its error, and the run can be found."""
    recorder.answer("hopeless", 503, 503)
    job = stack.create_job(
        name="hopeless",
        schedule={"kind": "immediate"},
        action=webhook(recorder, "hopeless"),
        retry={"max_attempts": 2, "initial_delay_seconds": 0.2},
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1, state="dead_lettered")

    assert run["reason"] == "retries_exhausted"
    assert run["error"]["code"] == "http_503"
    assert len(recorder.requests("hopeless")) == 2


def test_what_cannot_be_cured_is_not_tried_again(stack: Stack, recorder: Recorder) -> None:
    """A 404 is one attempt and a failed run."""
    recorder.answer("gone", 404)
    job = stack.create_job(
        name="gone", schedule={"kind": "immediate"}, action=webhook(recorder, "gone")
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1, state="failed")

    assert run["reason"] == "permanent"
    assert len(recorder.requests("gone")) == 1


def test_a_queue_target_gets_its_message(stack: Stack) -> None:
    """An allow-listed queue receives the payload with the run's identity."""
    sqs = stack.aws("sqs")
    url = sqs.create_queue(QueueName=stack.target("e2e"))["QueueUrl"]
    job = stack.create_job(
        name="to a queue",
        schedule={"kind": "immediate"},
        action={"type": "sqs", "queue_url": url},
        payload={"n": 1},
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    (message,) = sqs.receive_message(
        QueueUrl=url, WaitTimeSeconds=5, MessageAttributeNames=["All"]
    )["Messages"]

    assert message["Body"] == '{"n":1}'
    assert run["run_id"] in {a["StringValue"] for a in message["MessageAttributes"].values()}


def test_an_update_supersedes_what_was_planned(stack: Stack, recorder: Recorder) -> None:
    """Moved to another instant, a job runs there, and the old instant says why it did not."""
    job = stack.create_job(
        name="moved",
        schedule={"kind": "at", "at": at(5)},
        action=webhook(recorder, "moved"),
    )
    later = {"schedule": {"kind": "at", "at": at(8)}}
    assert stack.api.patch(f"/v1/jobs/{job['job_id']}", json=later).status_code == 200
    runs = stack.wait_for_runs(job["job_id"], 1)

    assert [(r["state"], r["reason"]) for r in runs] == [
        ("succeeded", None),
        ("skipped", "superseded"),
    ]
    assert len(recorder.requests("moved")) == 1


def test_a_cancelled_job_does_not_run(stack: Stack, recorder: Recorder) -> None:
    """Its planned run ends as cancelled, with the reason."""
    job = stack.create_job(
        name="off", schedule={"kind": "at", "at": at(4)}, action=webhook(recorder, "off")
    )
    assert stack.api.delete(f"/v1/jobs/{job['job_id']}").status_code == 200
    (run,) = stack.wait_for_runs(job["job_id"], 1, state="cancelled")

    assert run["reason"] == "job_cancelled"
    assert recorder.requests("off") == []


def test_a_trigger_runs_now(stack: Stack, recorder: Recorder) -> None:
    """A job that is due next year runs when asked to."""
    job = stack.create_job(
        name="yearly",
        schedule={"kind": "cron", "cron": "0 0 1 1 *"},
        action=webhook(recorder, "triggered"),
    )
    triggered: dict[str, Any] = stack.api.post(f"/v1/jobs/{job['job_id']}/trigger").json()
    (run,) = stack.wait_for_runs(job["job_id"], 1)

    assert run["run_id"] == triggered["run_id"]


def test_tenants_do_not_see_each_other(stack: Stack, recorder: Recorder) -> None:
    """Another tenant's job answers exactly as one that does not exist."""
    job = stack.create_job(
        name="mine", schedule={"kind": "at", "at": at(3600)}, action=webhook(recorder, "mine")
    )
    theirs = stack.other_api.get(f"/v1/jobs/{job['job_id']}")
    unknown = stack.other_api.get(f"/v1/jobs/{'a' * 26}")

    assert (theirs.status_code, theirs.json()["code"]) == (404, "job_not_found")
    assert unknown.status_code == 404
    # Other tests of this stack create jobs of the other tenant.
    listed = stack.other_api.get("/v1/jobs", params={"limit": 100}).json()["items"]
    assert job["job_id"] not in {each["job_id"] for each in listed}
    assert "mine" not in {each["name"] for each in listed}


def test_without_a_token_there_is_no_api(stack: Stack) -> None:
    """The authorizer refuses before any code of ours runs."""
    answer = stack.api.get("/v1/jobs", headers={"authorization": "Bearer nonsense"})

    assert answer.status_code == 401
