"""Targets that accept a run and call back, on the deployed stack: with their token and no other."""

import io
import json
import zipfile
from typing import Any

import httpx
import pytest

from infra.local.cloud import ANSWER_SECONDS
from infra.local.webhook_target import Recorder, Request
from tests.support.deployed.stack import Stack

TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Principal": {"Service": "lambda.amazonaws.com"},
            "Action": "sts:AssumeRole",
        }
    ],
}
#: Works on where it is told, and says itself that it is done.
CLOSING = """\
import json
import urllib.request

def say(url, **fields):
    body = json.dumps(fields).encode()
    request = urllib.request.Request(url, data=body, headers={"content-type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

def handle(event, context):
    told = event["timegate"]["callback"]
    token = told["token"]
    say(told["heartbeat_url"], lease_token=token, progress={"percent": 50})
    say(told["complete_url"], lease_token=token, result={"n": event["payload"]["n"]})
"""
LARGE = "x" * 2000


@pytest.fixture(scope="module")
def function_arn(stack: Stack) -> str:
    """A function that needs no right but to run."""
    role = stack.aws("iam").create_role(
        RoleName="timegate-target-e2e-closing", AssumeRolePolicyDocument=json.dumps(TRUST)
    )
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as package:
        package.writestr("target.py", CLOSING)
    made = stack.aws("lambda").create_function(
        FunctionName=stack.target("closing"),
        Runtime="python3.13",
        Role=role["Role"]["Arn"],
        Handler="target.handle",
        Code={"ZipFile": archive.getvalue()},
        Timeout=30,
    )
    arn: str = made["FunctionArn"]
    return arn


def say(request: Request, word: str, **fields: object) -> httpx.Response:
    """Report a word about the run that a web hook was called for."""
    body = {"lease_token": request.headers["timegate-callback-token"], **fields}
    return httpx.post(
        f"{request.headers['timegate-callback-url']}/{word}", json=body, timeout=ANSWER_SECONDS
    )


def run_of(stack: Stack, job_id: str) -> dict[str, Any]:
    """Its only run, with attempts, when it has succeeded."""
    (row,) = stack.wait_for_runs(job_id, 1, seconds=90)
    run: dict[str, Any] = stack.api.get(f"/v1/runs/{row['run_id']}").json()
    return run


def test_targets_work_on_by_themselves(stack: Stack, recorder: Recorder, function_arn: str) -> None:
    """A function says that it is done. A web hook stops half-way, and goes on at its checkpoint:
    its old token is refused, and what it ends with lies in the bucket.
    """
    recorder.answer("callback", 202, 202)
    common = {"schedule": {"kind": "immediate"}, "timeout_seconds": 3600, "payload": {"n": 1}}
    web_hook = stack.create_job(
        name="to a web hook that calls back",
        action={"type": "webhook", "url": recorder.url("callback"), "wait": "callback"},
        **common,
    )
    function = stack.create_job(
        name="to a function that calls back",
        action={"type": "lambda", "function_arn": function_arn, "invocation": "callback"},
        **common,
    )
    (first,) = recorder.wait_for("callback", 1, seconds=60)
    beat = say(first, "heartbeat", checkpoint={"row": 5}, progress={"percent": 50})
    released = say(first, "release")
    _, second = recorder.wait_for("callback", 2, seconds=60)
    late = say(first, "complete")
    ended = say(second, "complete", result=LARGE)
    run, other = run_of(stack, web_hook["job_id"]), run_of(stack, function["job_id"])
    result = stack.api.get(f"/v1/runs/{run['run_id']}/result").json()
    stranger = httpx.post(
        f"{second.headers['timegate-callback-url']}/complete",
        json={"lease_token": "x"},
        timeout=ANSWER_SECONDS,
    )

    assert [beat.status_code, released.status_code, ended.status_code] == [200, 200, 200]
    assert (late.status_code, late.json()["code"]) == (409, "lease_lost")
    assert (stranger.status_code, stranger.json()["code"]) == (401, "unauthenticated")
    assert (first.fence, second.fence) == (1, 2)
    assert json.loads(second.headers["timegate-checkpoint"]) == {"row": 5}
    assert httpx.get(result["link"], timeout=ANSWER_SECONDS).text == LARGE
    assert other["attempts"][0]["result"] == '{"n":1}'
    assert other["progress"]["percent"] == 50
    assert other["attempts"][0]["handed_over_at"] is not None
