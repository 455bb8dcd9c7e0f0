"""An approval on the deployed stack, decided by the link that a message brought."""

from typing import Any

import httpx
import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until
from tests.support.values.signing import SIGNING_KEY

pytestmark = pytest.mark.wide

BROWSER = {"accept": "text/html"}


@pytest.fixture
def stranger(stack: Stack) -> httpx.Client:
    """A client that has the address of the API, and no token."""
    return stack.clients.enter_context(stack.caller())


def started(stack: Stack, recorder: Recorder) -> str:
    """A run of a DAG that asks before it ships, and has an address told of that."""
    parameter = f"/timegate-target/{stack.tenant('first')}/approval-links"
    stack.aws("ssm").put_parameter(Name=parameter, Value=SIGNING_KEY, Type="SecureString")
    secret = {"ssm_parameter": parameter}
    ship = {"action": {"type": "webhook", "url": recorder.url("approved-ship")}}
    dag = {
        "name": "release",
        "tasks": [
            {"key": "gate", "wait": {"kind": "approval", "seconds": 600, "link_secret": secret}},
            {"key": "ship", "job": ship},
        ],
        "edges": [{"source": "gate", "target": "ship"}],
        "notifications": [{"url": recorder.url("approval-told"), "on": ["needs_decision"]}],
    }
    created = stack.api.post("/v1/dags", json=dag)
    assert created.is_success, created.text
    return str(
        stack.api.post(f"/v1/dags/{created.json()['dag_id']}/runs", json={}).json()["dag_run_id"]
    )


def test_an_approval_is_decided_by_the_link_of_its_message(
    stack: Stack, recorder: Recorder, stranger: httpx.Client
) -> None:
    """Opening it decides nothing, its form does, and the DAG goes on; a second answer is late."""
    dag_run_id = started(stack, recorder)
    (told,) = recorder.wait_for("approval-told", 1, seconds=120)
    address = told.body["approval"]["url"]
    path = address[address.index("/v1/approval") :]
    page, forged = stranger.get(path, headers=BROWSER), stranger.get(f"{path[:-3]}AAA")
    early = len(recorder.requests("approved-ship"))
    done = stranger.post(path, data={"decision": "approve", "note": "Go"}, headers=BROWSER)
    again = stranger.post(path, json={"decision": "reject"})
    recorder.wait_for("approved-ship", 1, seconds=120)

    def ended() -> dict[str, Any] | None:
        body: dict[str, Any] = stack.api.get(f"/v1/dag-runs/{dag_run_id}").json()
        return body if body["status"] == "succeeded" else None

    gate = wait_until(ended, seconds=60)["tasks"][0]

    assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert 'name="decision" value="approve"' in page.text
    assert (forged.status_code, forged.json()["code"], early) == (404, "link_not_valid", 0)
    assert (done.status_code, "Thank you. It is approved." in done.text) == (200, True)
    assert (again.json()["decided_now"], again.json()["state"]) == (False, "succeeded")
    assert (gate["reason"], gate["intervention"]["reason"]) == ("approved", "Go")
    assert gate["intervention"]["by"].startswith("link/webhook-")
