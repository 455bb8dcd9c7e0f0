"""Signed messages of others to the deployed stack: let in without a token, and refused alike."""

import hashlib
import hmac
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
from standardwebhooks import Webhook

from infra.local.webhook_target import Recorder
from tests.e2e.events.test_sent_events import manual_job
from tests.e2e.runs.test_overlap import wait_for_state
from tests.support.deployed.stack import Stack
from tests.support.values.signing import OTHER_KEY, SIGNING_KEY

pytestmark = pytest.mark.wide

MESSAGE = {"type": "deployment.finished", "data": {"service": "web"}}
BODY = json.dumps(MESSAGE)


@pytest.fixture
def stranger(stack: Stack) -> httpx.Client:
    """A client that has the address of the API, and no token."""
    return stack.clients.enter_context(stack.caller())


def address(stack: Stack, name: str, scheme: str, key: str) -> str:
    """Give a trigger of a job a web hook whose key is a secret of the tenant; its path."""
    parameter = f"/timegate-target/{stack.tenant('first')}/{name}"
    stack.aws("ssm").put_parameter(Name=parameter, Value=key, Type="SecureString")
    trigger = {
        "hook": {"scheme": scheme, "secret": {"ssm_parameter": parameter}},
        "pattern": {"data": {"type": ["deployment.finished"]}},
        "starts": {"type": "job", "job_id": f"key:{name}", "payload": {"$ref": "event.data"}},
    }
    answer = stack.api.put(f"/v1/event-triggers/{name}", json=trigger)
    assert answer.is_success, answer.text
    path: str = answer.json()["hook"]["path"]
    return path


def signed(its_id: str, *, key: str = SIGNING_KEY, ago: float = 0) -> dict[str, str]:
    """Sign the message as the package of Standard Webhooks does."""
    at = datetime.now(UTC) - timedelta(seconds=ago)
    return {
        "webhook-id": its_id,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": Webhook(key).sign(its_id, at, BODY),
    }


def knock(client: httpx.Client, path: str, headers: dict[str, str], body: str = BODY) -> Any:  # noqa: ANN401 - JSON
    """Send a message; status and what is said."""
    media = {"content-type": "application/json", **headers}
    answer = client.post(path, content=body, headers=media)
    said = answer.json()
    return answer.status_code, said.get("code") or (said["matched"], said["replayed"]), said


def test_a_signed_message_starts_its_job_once(
    stack: Stack, recorder: Recorder, stranger: httpx.Client
) -> None:
    """Sent again it meets the run; a wrong or old signature and another address are refused."""
    manual_job(stack, recorder, "hooked")
    path = address(stack, "hooked", "standard", SIGNING_KEY)
    good = signed("msg-1")
    status, first, said = knock(stranger, path, good)
    *again, repeated = knock(stranger, path, signed("msg-1"))
    refused = [
        knock(stranger, path, signed("msg-2", key=OTHER_KEY)),
        knock(stranger, path, good, f"{BODY} "),
        knock(stranger, path, signed("msg-3", ago=301)),
        knock(stranger, path, {}),
        knock(stranger, f"/v1/hooks/{'a' * 26}", good),
    ]
    run = wait_for_state(stack, said["run_id"], "succeeded")

    assert (status, first) == (200, (True, False))
    assert (again, repeated["run_id"]) == ([200, (True, True)], said["run_id"])
    assert [each[:2] for each in refused] == [(401, "hook_refused")] * len(refused)
    assert [each.body for each in recorder.requests("hooked")] == [MESSAGE]
    assert len(stack.runs(run["job_id"])) == 1


def test_a_delivery_of_github_starts_its_job(
    stack: Stack, recorder: Recorder, stranger: httpx.Client
) -> None:
    """By the signature of its body alone; the address goes with its trigger."""
    manual_job(stack, recorder, "hooked-by-github")
    path = address(stack, "hooked-by-github", "github", "a key that GitHub was told")
    digest = hmac.new(b"a key that GitHub was told", BODY.encode(), hashlib.sha256).hexdigest()
    delivery = {"x-github-delivery": "d-1", "x-github-event": "deployment"}
    _, _, said = knock(stranger, path, {**delivery, "x-hub-signature-256": f"sha256={digest}"})
    forged = knock(stranger, path, {**delivery, "x-hub-signature-256": f"sha256={'0' * 64}"})
    wait_for_state(stack, said["run_id"], "succeeded")
    stack.api.delete("/v1/event-triggers/hooked-by-github").raise_for_status()
    gone = knock(stranger, path, {**delivery, "x-hub-signature-256": f"sha256={digest}"})

    assert (forged[:2], gone[:2]) == ((401, "hook_refused"), (401, "hook_refused"))
    assert [each.body for each in recorder.requests("hooked-by-github")] == [MESSAGE]
