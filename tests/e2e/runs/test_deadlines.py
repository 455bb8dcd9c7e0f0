"""Late runs on the deployed stack: told of before they miss a deadline, or as they wait."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until
from timegate.domain.runs.finishing import FEWEST_RUNS

pytestmark = pytest.mark.wide

#: A run is begun sooner than that, and the sweeper looks each twelve seconds.
WITHIN_SECONDS = 20
#: Runs take longer than they will be allowed to.
USUAL = timedelta(seconds=WITHIN_SECONDS + 1)


@pytest.fixture(autouse=True)
def no_job_outlives_its_test() -> None:
    """A run waits for its minute while another test is at work."""


@pytest.fixture(scope="module", autouse=True)
def unserved(stack: Stack, recorder: Recorder) -> Iterator[str]:
    """The job of a run that waits in a pool without workers."""
    job = stack.create_job(
        name="unserved",
        schedule={"kind": "immediate"},
        action={"type": "worker", "pool": "without-workers", "handler": "work"},
        late_after_seconds=5,
        notifications=[{"url": recorder.url("unserved-hook"), "on": ["late"]}],
    )
    yield str(job["job_id"])
    for each in stack.api.get("/v1/jobs", params={"status": "active"}).json()["items"]:
        stack.api.delete(f"/v1/jobs/{each['job_id']}")


def trigger(stack: Stack, job_id: str) -> str:
    """Begin a run now; its id."""
    answer = stack.api.post(f"/v1/jobs/{job_id}/trigger")
    assert answer.status_code < 300, answer.text
    return str(answer.json()["run_id"])


def a_job_with_history(stack: Stack, recorder: Recorder) -> str:
    """A job whose runs took longer than it will let them, before the first look."""
    working = recorder.hold("deadline-history")
    job = stack.create_job(
        name="slow",
        schedule={"kind": "at", "at": "2099-01-01T00:00:00Z"},
        action={"type": "webhook", "url": recorder.url("deadline-history")},
        timeout_seconds=60,
        retry={"max_attempts": 1},
    )
    for _ in range(FEWEST_RUNS):
        trigger(stack, job["job_id"])
    *_, last = recorder.wait_for("deadline-history", FEWEST_RUNS, seconds=60)
    enough = last.arrived_at + USUAL
    wait_until(lambda: datetime.now(UTC) >= enough or None, seconds=60)
    working.set()
    stack.wait_for_runs(job["job_id"], FEWEST_RUNS)
    return str(job["job_id"])


def told(recorder: Recorder) -> list[Any]:
    """Return the bodies that the hook has received so far."""
    return [request.body for request in recorder.requests("deadline-hook")]


@pytest.mark.deep
def test_a_hook_hears_of_a_deadline_before_it_is_missed_and_after(
    stack: Stack, recorder: Recorder
) -> None:
    """Once each: from the worker that begins the run, and from the sweeper while it goes on."""
    job_id = a_job_with_history(stack, recorder)
    working = recorder.hold("deadline-run")
    changed = stack.api.patch(
        f"/v1/jobs/{job_id}",
        json={
            "action": {"type": "webhook", "url": recorder.url("deadline-run")},
            "finish_by": {"within_seconds": WITHIN_SECONDS},
            "notifications": [
                {"url": recorder.url("deadline-hook"), "on": ["will_be_late", "missed_deadline"]}
            ],
        },
    ).json()
    run_id = trigger(stack, job_id)
    (warning,) = recorder.wait_for("deadline-hook", 1, seconds=60)
    first, miss = recorder.wait_for("deadline-hook", 2, seconds=90)
    at_work = stack.api.get(f"/v1/runs/{run_id}").json()
    working.set()
    wait_until(
        lambda: stack.api.get(f"/v1/runs/{run_id}").json()["state"] == "succeeded" or None,
        seconds=60,
    )
    ended = stack.api.get(f"/v1/runs/{run_id}").json()
    by = datetime.fromisoformat(ended["finish_by"]["at"])

    assert {each["code"] for each in changed["advice"]} == {
        *("usually_too_long", "timeout_beyond_deadline")
    }
    assert first == warning
    assert [each["type"] for each in told(recorder)] == ["run.will_be_late", "run.missed_deadline"]
    assert {each["run"]["run_id"] for each in told(recorder)} == {run_id}
    assert warning.arrived_at < by < miss.arrived_at
    assert datetime.fromisoformat(warning.body["run"]["finish_by"]["expected_at"]) > by
    assert (at_work["state"], at_work["finish_by"]["outlook"]) == ("running", "missed")
    assert (ended["finish_by"]["outlook"], ended["finish_by"]["margin_ms"] < 0) == ("missed", True)
    assert ended["finish_by"]["usual_duration_ms"] >= USUAL / timedelta(milliseconds=1)


def test_a_run_that_no_worker_claims_is_told_of_while_it_waits(
    stack: Stack, recorder: Recorder, unserved: str
) -> None:
    """By a look of the sweeper, a minute after it was due; with the cause."""
    (late,) = recorder.wait_for("unserved-hook", 1, seconds=120)
    (run,) = stack.runs(unserved)

    assert (late.body["type"], late.body["run"]["run_id"]) == ("run.late", run["run_id"])
    assert (late.body["run"]["started_at"], run["state"]) == (None, "queued")
    assert late.body["run"]["lateness_ms"] >= 60_000
    assert "no worker asked that pool" in late.body["run"]["explanation"]
