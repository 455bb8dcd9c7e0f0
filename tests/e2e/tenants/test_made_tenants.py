"""A tenant that is made on the deployed stack: its first key works at once, until it is revoked."""

from secrets import token_hex

import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide

PATIENCE = 60.0


def test_a_tenant_is_made_and_works_by_its_key(stack: Stack, recorder: Recorder) -> None:
    """Its job calls the target; its worker is served; another tenant's jobs are not there."""
    name = f"made-{token_hex(4)}"
    target = {"type": "webhook", "url": recorder.url("made-tenant")}
    later = {"kind": "delay", "delay_seconds": 3_600}
    ours = stack.create_job(name="ours", schedule=later, action=target)
    made = stack.admin.post("/v1/tenants", json={"tenant": name, "quotas": {"jobs": 2}})
    again = stack.admin.post("/v1/tenants", json={"tenant": name})
    key = made.json()["key"]
    job = {"name": "made", "schedule": {"kind": "immediate"}, "action": target}
    with stack.by_key(key["api_key"]) as api, stack.by_key(f"{key['api_key'][:-1]}!") as other:
        own = api.get("/v1/tenant").json()
        created = api.post("/v1/jobs", json=job)
        claimed = api.post("/v1/pools/made/claim", json={"worker": "w-1", "wait_seconds": 0})
        foreign = api.get(f"/v1/jobs/{ours['job_id']}")
        administering = api.get("/v1/tenants")
        guessed = other.get("/v1/jobs")
        wait_until(lambda: recorder.requests("made-tenant") or None, seconds=PATIENCE)
        stack.admin.post(f"/v1/tenants/{name}/keys/{key['key_id']}/revoke")
        ended = wait_until(
            lambda: ((found := api.get("/v1/jobs")).status_code == 401 and found) or None,
            seconds=PATIENCE,
            pause=1,
        )

    assert (made.status_code, again.status_code) == (201, 409)
    assert (own["tenant"], own["caller"]) == (name, f"key/{key['key_id']}")
    assert created.status_code == 201, created.text
    assert claimed.status_code == 200, claimed.text
    assert (foreign.status_code, administering.status_code) == (404, 403)
    assert (guessed.status_code, guessed.json()["code"]) == (401, "api_key_unknown")
    assert ended.json()["code"] == "api_key_ended"
