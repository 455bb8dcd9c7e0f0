"""Jobs that pause themselves on the deployed stack, and how one is resumed."""

from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide


def paused(stack: Stack, job_id: str) -> dict[str, Any]:
    """The job, once it is paused."""

    def look() -> dict[str, Any] | None:
        job: dict[str, Any] = stack.api.get(f"/v1/jobs/{job_id}").json()
        return job if job["status"] == "paused" else None

    return wait_until(look, seconds=60, what=lambda: stack.runs(job_id))


def test_a_failing_job_pauses_itself_and_is_resumed_on_trial(
    stack: Stack, recorder: Recorder
) -> None:
    """Two failures pause it, and one does while it is on trial; a success ends the trial."""
    recorder.answer("pausing", *[410] * 50)
    job = stack.create_job(
        name="pausing",
        schedule={"kind": "rate", "every_seconds": 3},
        action={"type": "webhook", "url": recorder.url("pausing")},
        pause_after_failures=2,
        notifications=[{"url": recorder.url("pausing-told"), "on": ["paused"]}],
    )
    job_id = str(job["job_id"])
    path = f"/v1/jobs/{job_id}"
    first = paused(stack, job_id)["auto_pause"]
    trial = stack.api.post(f"{path}/resume").raise_for_status().json()
    again = paused(stack, job_id)["auto_pause"]
    told = recorder.wait_for("pausing-told", 2)
    mended = {"action": {"type": "webhook", "url": recorder.url("mended")}}
    stack.api.patch(path, json=mended).raise_for_status()
    stack.api.post(f"{path}/resume").raise_for_status()
    wait_until(
        lambda: stack.api.get(path).json()["auto_pause"] is None or None,
        seconds=60,
        what=lambda: stack.runs(job_id),
    )
    entries = stack.api.get("/v1/audit", params={"resource": f"job/{job_id}"}).json()["items"]
    pauses = [each for each in entries if each["operation"] == "outcomes.pause"]

    assert (first["failures"], first["on_trial"]) == (2, False)
    assert (trial["status"], trial["auto_pause"]["on_trial"]) == ("active", True)
    assert again["run_id"] > first["run_id"]
    assert [each.body["type"] for each in told] == ["job.paused"] * 2
    assert [each.body["run"]["run_id"] for each in told] == [first["run_id"], again["run_id"]]
    assert len(pauses) == 2
    assert stack.api.get(path).json()["status"] == "active"
    assert len(recorder.requests("mended")) >= 1
