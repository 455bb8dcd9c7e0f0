"""Notifications on the deployed stack: signed, tried again, and made once."""

from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.e2e.targets.test_web_hooks import verified
from tests.support.deployed.stack import Stack, wait_until
from tests.support.values.signing import OTHER_KEY, SIGNING_KEY

pytestmark = pytest.mark.wide


def broken_job(stack: Stack, recorder: Recorder, keys: str) -> dict[str, Any]:
    """A job that fails, and three addresses that hear of its runs."""
    return stack.create_job(
        name="broken",
        schedule={"kind": "immediate"},
        action={"type": "webhook", "url": recorder.url("broken")},
        late_after_seconds=0,
        notifications=[
            {
                "url": recorder.url("alerts"),
                "on": ["failed", "dead_lettered"],
                "signing_secret": {"ssm_parameter": keys},
            },
            {"url": recorder.url("late"), "on": ["late"]},
            {"url": recorder.url("untold"), "on": ["succeeded"]},
        ],
    )


def test_a_failure_is_told_by_a_signed_web_hook(stack: Stack, recorder: Recorder) -> None:
    """The receiver is down at first; the job's own web hook is called once, and told of once."""
    tenant = stack.outputs["UserPoolClientId"]
    keys = f"/timegate-target/{tenant}/notification-keys"
    stack.aws("ssm").put_parameter(Name=keys, Value=SIGNING_KEY, Type="SecureString")
    recorder.answer("broken", 410)
    recorder.answer("alerts", 503)
    job = broken_job(stack, recorder, keys)
    requests = recorder.wait_for("alerts", 2, seconds=90)
    (late,) = recorder.wait_for("late", 1, seconds=60)
    (run,) = stack.wait_for_runs(job["job_id"], 1, state="failed")
    path = f"/v1/runs/{run['run_id']}/notifications"

    def arrived() -> dict[str, list[dict[str, object]]] | None:
        items = stack.api.get(path).json()["items"]
        done = [each for each in items if each["state"] == "succeeded"]
        return {str(each["on"]): [each] for each in done} if len(done) == 2 else None

    told = wait_until(arrived, seconds=60)
    (failed,) = told["failed"]

    checked = [verified(request, SIGNING_KEY, OTHER_KEY) for request in requests]
    traces = {each.headers["traceparent"].split("-")[1] for each in (*requests, late)}

    assert checked == [[True, False]] * 2
    assert {request.headers["webhook-id"] for request in requests} == {
        str(failed["notification_id"]).replace(".", "_")
    }
    assert traces == {recorder.requests("broken")[0].headers["traceparent"].split("-")[1]}
    assert [request.body for request in requests] == [failed["message"]] * 2
    assert {request.headers["idempotency-key"] for request in requests} == {
        failed["notification_id"]
    }
    assert requests[0].body["type"] == "run.failed"
    assert requests[0].body["run"]["error"]["code"] == "http_410"
    assert late.body["type"] == "run.late"
    assert late.body["run"]["run_id"] == run["run_id"]
    assert recorder.requests("untold") == []
    assert len(recorder.requests("broken")) == 1
