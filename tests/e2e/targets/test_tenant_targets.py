"""Another tenant's target is refused at creation, and by AWS at the call, on the deployed stack."""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest

from infra.local.webhook_target import Recorder
from tests.support.deployed.reconfiguring import kept_as_they_were, reconfigure
from tests.support.deployed.stack import Stack

pytestmark = pytest.mark.wide

PLACE = "us-east-1:000000000000"
NOW = {"kind": "immediate"}
#: With ``TIMEGATE_E2E_AUTH=1`` the cloud evaluates policies; without, it lets every call through.
ENFORCED = os.environ.get("TIMEGATE_E2E_AUTH") == "1"
REFUSED = "failed" if ENFORCED else "succeeded"
ANY = json.dumps(["arn:aws:sqs:*:*:*", "arn:aws:secretsmanager:*:*:*"])


@pytest.fixture(scope="module")
def queues(stack: Stack) -> dict[str, str]:
    """A queue of each tenant."""
    sqs = stack.aws("sqs")
    return {
        tenant: sqs.create_queue(QueueName=stack.target("mail", tenant))["QueueUrl"]
        for tenant in ("first", "second")
    }


def to(queue_url: str) -> dict[str, Any]:
    """A job that sends to a queue at once."""
    return {
        "name": "mail",
        "schedule": NOW,
        "action": {"type": "sqs", "queue_url": queue_url},
        "priority": "low",
        "retry": {"max_attempts": 1},
    }


def received(stack: Stack, url: str) -> int:
    """Return the number of a queue's messages."""
    asked = stack.aws("sqs").get_queue_attributes(
        QueueUrl=url, AttributeNames=["ApproximateNumberOfMessages"]
    )
    return int(asked["Attributes"]["ApproximateNumberOfMessages"])


@pytest.mark.parametrize("kind", ["lambda", "sqs", "sns", "eventbridge", "stepfunctions"])
def test_a_job_that_names_another_tenants_target_is_refused(stack: Stack, kind: str) -> None:
    """At creation, whether it exists or not; the tenant's own is taken."""
    name = stack.target("mail", "second")
    action = {
        "lambda": {"function_arn": f"arn:aws:lambda:{PLACE}:function:{name}"},
        "sqs": {"queue_url": f"https://sqs.us-east-1.amazonaws.com/000000000000/{name}"},
        "sns": {"topic_arn": f"arn:aws:sns:{PLACE}:{name}"},
        "eventbridge": {
            "bus_arn": f"arn:aws:events:{PLACE}:event-bus/{name}",
            "source": "billing",
            "detail_type": "due",
        },
        "stepfunctions": {"state_machine_arn": f"arn:aws:states:{PLACE}:stateMachine:{name}"},
    }[kind]
    asked = {"name": "mail", "schedule": {"kind": "delay", "delay_seconds": 3_600}}
    asked["action"] = {"type": kind, **action}
    refused = stack.api.post("/v1/jobs", json=asked)
    taken = stack.other_api.post("/v1/jobs", json=asked)
    stack.other_api.delete(f"/v1/jobs/{taken.json()['job_id']}")

    assert refused.status_code == 400
    assert [each["code"] for each in refused.json()["errors"]] == ["target_not_allowed"]
    assert taken.status_code == 201


@pytest.fixture(scope="module")
def careless(stack: Stack) -> Iterator[None]:
    """A stage whose own lists let everything through: what is left is AWS's policy."""
    executor = json.loads(stack.outputs["ExecutorFunctionNames"])["low-short"]
    lists = {"ALLOWED_TARGETS": json.dumps({"sqs": json.loads(ANY)}), "ALLOWED_SECRETS": ANY}
    with kept_as_they_were(stack, "ApiFunctionName", executor):
        reconfigure(stack, "ApiFunctionName", **lists)
        reconfigure(stack, executor, **lists)
        yield


@pytest.mark.usefixtures("careless")
def test_aws_refuses_a_call_at_another_tenants_target(stack: Stack, queues: dict[str, str]) -> None:
    """The executor's session is the tenant's: its own queue gets its message, the other none."""
    own = stack.create_job(**to(queues["first"]))
    others = stack.create_job(**to(queues["second"]))
    stack.wait_for_runs(own["job_id"], 1)
    (run,) = stack.wait_for_runs(others["job_id"], 1, state=REFUSED)
    arrived = [received(stack, queues[each]) for each in ("first", "second")]

    assert arrived == [1, 0 if ENFORCED else 1]
    if ENFORCED:
        assert run["error"]["code"] == "sqs_refused"
        assert "AccessDenied" in run["error"]["type"]


@pytest.mark.usefixtures("careless")
def test_aws_refuses_to_read_another_tenants_secret(stack: Stack, recorder: Recorder) -> None:
    """The web hook is not even called."""
    named = f"timegate-target/{stack.tenant('second')}/token"
    secret = stack.aws("secretsmanager").create_secret(Name=named, SecretString="theirs")["ARN"]
    action = {
        "type": "webhook",
        "url": recorder.url("curious"),
        "secret_headers": {"Authorization": {"secret_arn": secret}},
    }
    asked = {"name": "curious", "schedule": NOW, "priority": "low", "action": action}
    job = stack.create_job(**asked)
    (run,) = stack.wait_for_runs(job["job_id"], 1, state=REFUSED)

    assert len(recorder.requests("curious")) == (0 if ENFORCED else 1)
    if ENFORCED:
        assert run["error"]["code"] == "secret_not_readable"
