"""The administration at work on the deployed stack, and the trail of who did what."""

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until

PATIENCE = 120.0


@pytest.fixture
def second(stack: Stack) -> Iterator[str]:
    """The second tenant, which is active again in the end."""
    tenant = stack.tenant("second")
    yield tenant
    stack.admin.post(f"/v1/tenants/{tenant}/resume")
    for job in stack.other_api.get("/v1/jobs", params={"status": "active"}).json()["items"]:
        stack.other_api.delete(f"/v1/jobs/{job['job_id']}")


def every_second(recorder: Recorder) -> dict[str, object]:
    """A job that fires often."""
    return {
        "name": "often",
        "schedule": {"kind": "rate", "every_seconds": 1},
        "precision": "subsecond",
        "priority": "high",
        "catch_up": {"policy": "skip"},
        "action": {"type": "webhook", "url": recorder.url("tenants")},
    }


def answered(api: httpx.Client, path: str, status: int) -> httpx.Response:
    """The answer to a request that changes something, once it has this status."""

    def ask() -> httpx.Response | None:
        answer = api.post(path)
        return answer if answer.status_code == status else None

    return wait_until(ask, seconds=PATIENCE, pause=1)


def items(api: httpx.Client, path: str, **params: str) -> list[dict[str, Any]]:
    """The first page of a listing."""
    found: list[dict[str, Any]] = api.get(path, params=params).json()["items"]
    return found


def assert_trail(stack: Stack, job_id: str, tenant: str) -> None:
    """Assert callers and operations, with the values before and after."""
    of_job = items(stack.other_api, f"/v1/jobs/{job_id}/audit")
    of_tenant = items(stack.other_api, "/v1/audit", resource=f"tenant/{tenant}")
    (updated,) = [each for each in of_job if each["operation"] == "updateJob"]
    assert "createJob" in {each["operation"] for each in of_job}
    assert updated["changes"] == [{"field": "description", "before": "", "after": "A report."}]
    assert updated["actor"]["client_id"] == tenant
    # Others set its quotas, before this or after it.
    done = [each["operation"] for each in of_tenant if each["operation"] != "updateTenant"]
    assert done == ["resumeTenant", "suspendTenant"]
    assert {each["actor"]["of_stage"] for each in of_tenant} == {True}


def test_a_suspended_tenant_fires_nothing_and_the_trail_says_who_did_what(
    stack: Stack, recorder: Recorder, second: str
) -> None:
    """It reads, and is refused changes; resumed, it fires again."""
    api = stack.other_api
    job_id = api.post("/v1/jobs", json=every_second(recorder)).json()["job_id"]
    api.patch(f"/v1/jobs/{job_id}", json={"description": "A report."})

    def calls() -> int:
        return len(recorder.requests("tenants"))

    wait_until(lambda: calls() or None, seconds=PATIENCE, what=calls)
    forbidden = api.post(f"/v1/tenants/{second}/suspend")
    suspended = stack.admin.post(f"/v1/tenants/{second}/suspend", json={"reason": "unpaid"})
    refused = answered(api, f"/v1/jobs/{job_id}/pause", 409)
    before = calls()
    shown = wait_until(lambda: api.get("/v1/tenant").json()["suspension"], seconds=PATIENCE)
    freezes = [each["by_stage"] for each in items(api, "/v1/freezes", unended="true")]
    while_suspended = calls()
    stack.admin.post(f"/v1/tenants/{second}/resume")
    answered(api, f"/v1/jobs/{job_id}/trigger", 202)
    wait_until(lambda: calls() > before or None, seconds=PATIENCE, what=calls)

    assert forbidden.status_code == 403
    assert suspended.json()["status"] == "suspended"
    assert refused.json()["code"] == "tenant_suspended"
    assert (shown["reason"], freezes) == ("unpaid", [True])
    assert while_suspended == before
    assert_trail(stack, job_id, second)
