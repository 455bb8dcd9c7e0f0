"""Hooks on the deployed stack: asked about first, and followed once it has ended."""

from typing import Any

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until


def test_a_run_waits_for_its_condition_and_triggers_another(
    stack: Stack, recorder: Recorder
) -> None:
    """The gate is shut at first; then each is called once, and both runs show the other."""
    recorder.answer("hooks-gate", 423)
    report = stack.create_job(
        name="report",
        schedule={"kind": "at", "at": "2099-01-01T00:00:00Z"},
        action={"type": "webhook", "url": recorder.url("hooks-report")},
    )
    follow_up = {"job_id": report["job_id"], "on": ["finished"], "payload": "result"}
    billing = stack.create_job(
        name="billing",
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url("hooks-billing")},
        before={"type": "http", "url": recorder.url("hooks-gate"), "every_seconds": 5},
        then=[follow_up],
    )
    (told,) = recorder.wait_for("hooks-report", 1, seconds=90)
    (parent,) = stack.wait_for_runs(billing["job_id"], 1, state="succeeded")
    (run,) = stack.wait_for_runs(report["job_id"], 1, state="succeeded")

    def shown() -> dict[str, Any] | None:
        body: dict[str, Any] = stack.api.get(f"/v1/runs/{parent['run_id']}").json()
        return body if body["triggered"] else None

    (triggered,) = wait_until(shown, seconds=30)["triggered"]
    closing = {"then": [{"job_id": billing["job_id"], "on": ["failed"]}]}
    refused = stack.api.patch(f"/v1/jobs/{report['job_id']}", json=closing)

    assert len(recorder.requests("hooks-gate")) == 2
    assert [request.body["refused"] for request in recorder.requests("hooks-gate")] == [0, 1]
    assert len(recorder.requests("hooks-billing")) == 1
    assert told.body["run_id"] == told.headers["timegate-triggered-by"] == parent["run_id"]
    assert (told.body["state"], run["origin"]) == ("succeeded", "follow_up")
    assert run["triggered_by"]["run_id"] == parent["run_id"]
    assert triggered["run_id"] == run["run_id"]
    assert refused.json()["errors"][0]["code"] == "cycle"
