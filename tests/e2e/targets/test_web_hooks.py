"""A web hook can prove its caller on the deployed stack."""

import json
from datetime import datetime, timedelta
from itertools import pairwise

from standardwebhooks import Webhook, WebhookVerificationError

from infra.local.webhook_target import Recorder, Request
from tests.support.deployed.stack import Stack
from tests.support.values.signing import OLD_KEY, OTHER_KEY, SIGNING_KEY


def verified(request: Request, *keys: str) -> list[bool]:
    """Return for each key alone whether a public verifier accepts a request."""
    return [_accepts(Webhook(key), request) for key in keys]


def _accepts(verifier: Webhook, request: Request) -> bool:
    try:
        verifier.verify(json.dumps(request.body, separators=(",", ":")), request.headers)
    except WebhookVerificationError:
        return False
    return True


def test_a_web_hook_is_signed_and_sent_with_secrets(stack: Stack, recorder: Recorder) -> None:
    """Both stores are read under the executor's own rights, and the job shows neither secret."""
    tenant = stack.outputs["UserPoolClientId"]
    secret = stack.aws("secretsmanager").create_secret(
        Name=f"timegate-target/{tenant}/crm", SecretString='{"token": "Bearer s3cr3t-token"}'
    )["ARN"]
    keys = f"/timegate-target/{tenant}/keys"
    stack.aws("ssm").put_parameter(
        Name=keys, Value=f"{SIGNING_KEY}\n{OLD_KEY}", Type="SecureString"
    )
    action = {
        "type": "webhook",
        "url": recorder.url("signed"),
        "secret_headers": {"Authorization": {"secret_arn": secret, "json_key": "token"}},
        "signing_secret": {"ssm_parameter": keys},
    }
    job = stack.create_job(
        name="signed", schedule={"kind": "immediate"}, action=action, payload={"n": 1}
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    (request,) = recorder.requests("signed")
    shown = stack.api.get(f"/v1/jobs/{job['job_id']}").text

    assert request.headers["authorization"] == "Bearer s3cr3t-token"
    assert request.headers["webhook-id"] == run["run_id"].replace(".", "_")
    assert verified(request, SIGNING_KEY, OLD_KEY, OTHER_KEY) == [True, True, False]
    assert "s3cr3t" not in shown + stack.api.get(f"/v1/runs/{run['run_id']}").text


def test_a_missing_secret_fails_its_run_for_good(stack: Stack, recorder: Recorder) -> None:
    """Nothing is sent without it."""
    tenant = stack.outputs["UserPoolClientId"]
    job = stack.create_job(
        name="no secret",
        schedule={"kind": "immediate"},
        action={
            "type": "webhook",
            "url": recorder.url("no-secret"),
            "signing_secret": {"ssm_parameter": f"/timegate-target/{tenant}/none"},
        },
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1, state="failed")

    assert (run["reason"], run["error"]["code"]) == ("permanent", "secret_not_found")
    assert recorder.requests("no-secret") == []


def test_jobs_that_share_a_limit_take_turns(stack: Stack, recorder: Recorder) -> None:
    """Four runs at once, of which two may go: the others have turns of one run each."""
    jobs = [
        stack.create_job(
            name=f"limited {number}",
            schedule={"kind": "immediate"},
            action={"type": "webhook", "url": recorder.url(f"limited-{number}")},
            rate_limit={"per_minute": 20, "burst": 2, "key": "e2e"},
        )
        for number in range(4)
    ]
    runs = [stack.wait_for_runs(job["job_id"], 1)[0] for job in jobs]
    waited = [run["rate_limited"] for run in runs if run["rate_limited"] is not None]
    turns = sorted(datetime.fromisoformat(each["until"]) for each in waited)

    assert [run["lateness_ms"] >= 0 for run in runs] == [True] * 4
    assert {each["key"] for each in waited} == {"e2e"}
    assert all(b - a >= timedelta(seconds=3) for a, b in pairwise(turns))
