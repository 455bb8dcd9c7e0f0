"""The administration at work on the deployed stack, and the trail of who did what."""

from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.support.stack import Stack, wait_until


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


def operations(stack: Stack, job_id: str) -> list[dict[str, Any]]:
    """What was done to a job of the second tenant, latest first."""
    items: list[dict[str, Any]] = stack.other_api.get(f"/v1/jobs/{job_id}/audit").json()["items"]
    return items


def test_a_suspended_tenant_fires_nothing_and_the_trail_says_who_did_what(
    stack: Stack, recorder: Recorder, second: str
) -> None:
    """It reads, and is refused changes; resumed, it fires again."""
    api = stack.other_api
    job_id = api.post("/v1/jobs", json=every_second(recorder)).json()["job_id"]
    api.patch(f"/v1/jobs/{job_id}", json={"description": "A report."})
    api.post(f"/v1/jobs/{job_id}/trigger")

    def calls() -> int:
        return len(recorder.requests("tenants"))

    wait_until(lambda: calls() or None, seconds=60, what=lambda: "no call yet")
    assert api.post(f"/v1/tenants/{second}/suspend").status_code == 403
    suspended = stack.admin.post(f"/v1/tenants/{second}/suspend", json={"reason": "unpaid"})
    assert suspended.json()["status"] == "suspended"
    refused = wait_until(
        lambda: next(
            iter([a] for a in [api.post(f"/v1/jobs/{job_id}/pause")] if a.status_code == 409), None
        ),
        seconds=60,
        pause=1,
    )
    before = calls()
    wait_until(lambda: api.get("/v1/tenant").json()["suspension"], seconds=60)
    frozen = wait_until(
        lambda: (
            [
                row
                for row in api.get("/v1/freezes", params={"unended": "true"}).json()["items"]
                if row["by_stage"]
            ]
            or None
        ),
        seconds=60,
    )

    assert refused[0].json()["code"] == "tenant_suspended"
    assert len(frozen) == 1
    assert calls() == before

    stack.admin.post(f"/v1/tenants/{second}/resume")
    api_again = wait_until(
        lambda: api.post(f"/v1/jobs/{job_id}/trigger").status_code == 202 or None,
        seconds=60,
        pause=1,
    )
    wait_until(lambda: calls() > before or None, seconds=120, what=calls)
    told = operations(stack, job_id)
    of_tenant = api.get("/v1/audit", params={"resource": f"tenant/{second}"}).json()["items"]

    assert api_again
    assert {"createJob", "updateJob"} <= {each["operation"] for each in told}
    (updated,) = [each for each in told if each["operation"] == "updateJob"]
    assert updated["changes"] == [{"field": "description", "before": "", "after": "A report."}]
    assert updated["actor"]["client_id"] == second
    assert [each["operation"] for each in of_tenant] == ["resumeTenant", "suspendTenant"]
    assert {each["actor"]["of_stage"] for each in of_tenant} == {True}
