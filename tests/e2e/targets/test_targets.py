"""Every AWS target on the deployed stack: what arrives there, and what the run's record says."""

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import pytest

from tests.support.deployed.stack import Stack, wait_until
from tests.support.targets.trace_contexts import InTrace

TRUST = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Principal": {"Service": ["lambda.amazonaws.com", "states.amazonaws.com"]},
            "Action": "sts:AssumeRole",
        }
    ],
}
#: Topics and rules send to the queues that the tests look into.
OPEN_TO_SERVICES = {
    "Version": "2012-10-17",
    "Statement": [
        {
            "Effect": "Allow",
            "Principal": {"Service": ["sns.amazonaws.com", "events.amazonaws.com"]},
            "Action": "sqs:SendMessage",
            "Resource": "*",
        }
    ],
}
#: Tells a queue what it was told.
FORWARDER = """\
import json
import boto3

def handle(event, context):
    boto3.client("sqs").send_message(QueueUrl="{url}", MessageBody=json.dumps(event))
"""


def run_of(
    stack: Stack, name: str, action: Mapping[str, object], **fields: object
) -> dict[str, Any]:
    """Run a job of this action once; its run, when it has ended well."""
    job = stack.create_job(
        name=name,
        schedule={"kind": "immediate"},
        action=action,
        payload={"n": 1},
        **fields,
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1)
    return run


def told(run: dict[str, Any]) -> dict[str, object]:
    """Return the run's identity as its target receives it (R6)."""
    return {
        "run_id": run["run_id"],
        "idempotency_key": run["run_id"],
        "fence": 1,
        "attempt": 1,
        "scheduled_at": run["scheduled_at"],
        "traceparent": InTrace(run["trace_id"]),
    }


def queue_named(stack: Stack, name: str, **attributes: str) -> tuple[str, str]:
    """A queue to look into; its URL and ARN."""
    sqs = stack.aws("sqs")
    attributes["Policy"] = json.dumps(OPEN_TO_SERVICES)
    url = sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]
    found = sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
    return url, found["Attributes"]["QueueArn"]


def next_message(stack: Stack, url: str) -> dict[str, Any]:
    """The next message of a queue, taken out of it."""
    sqs = stack.aws("sqs")

    def receive() -> dict[str, Any] | None:
        answer = sqs.receive_message(
            QueueUrl=url,
            WaitTimeSeconds=1,
            MessageAttributeNames=["All"],
            MessageSystemAttributeNames=["All"],
        )
        message: dict[str, Any]
        for message in answer.get("Messages", []):
            sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
            return message
        return None

    return wait_until(receive, seconds=20, what=lambda: f"nothing in {url}")


def attributes_of(message: dict[str, Any]) -> dict[str, object]:
    """The attributes of a message, its numbers read."""
    return {
        name: int(each["StringValue"]) if each["DataType"] == "Number" else each["StringValue"]
        for name, each in message["MessageAttributes"].items()
    }


@pytest.fixture(scope="module")
def role(stack: Stack) -> str:
    """For functions and state machines."""
    made = stack.aws("iam").create_role(
        RoleName="timegate-target-e2e-targets", AssumeRolePolicyDocument=json.dumps(TRUST)
    )
    arn: str = made["Role"]["Arn"]
    stack.aws("iam").put_role_policy(
        RoleName="timegate-target-e2e-targets",
        PolicyName="send",
        PolicyDocument=json.dumps(
            {
                "Version": "2012-10-17",
                "Statement": [{"Effect": "Allow", "Action": "sqs:SendMessage", "Resource": "*"}],
            }
        ),
    )
    return arn


def test_a_fifo_queue_keeps_the_order_of_a_jobs_runs(stack: Stack) -> None:
    """The group is the job, and the deduplication id the run."""
    url, _ = queue_named(stack, stack.target("e2e.fifo"), FifoQueue="true")
    run = run_of(stack, "to a FIFO queue", {"type": "sqs", "queue_url": url})
    message = next_message(stack, url)

    assert message["Body"] == '{"n":1}'
    assert attributes_of(message) == told(run)
    assert message["Attributes"]["MessageGroupId"] == run["job_id"]
    assert message["Attributes"]["MessageDeduplicationId"] == run["run_id"]


@pytest.mark.parametrize("suffix", ["", ".fifo"], ids=["standard", "fifo"])
def test_a_topic_gets_its_message(stack: Stack, suffix: str) -> None:
    """An allow-listed topic receives the payload with the run's identity."""
    sns = stack.aws("sns")
    fifo = {"FifoTopic": "true"} if suffix else {}
    topic = sns.create_topic(Name=stack.target(f"e2e{suffix}"), Attributes=fifo)["TopicArn"]
    url, arn = queue_named(stack, f"e2e-heard{suffix}", **({"FifoQueue": "true"} if suffix else {}))
    sns.subscribe(
        TopicArn=topic, Protocol="sqs", Endpoint=arn, Attributes={"RawMessageDelivery": "true"}
    )
    run = run_of(stack, "to a topic", {"type": "sns", "topic_arn": topic, "subject": "News"})
    message = next_message(stack, url)

    assert message["Body"] == '{"n":1}'
    assert attributes_of(message) == told(run)


def test_a_bus_gets_its_event(stack: Stack) -> None:
    """Rules match it by source and detail type; the detail has payload and run."""
    events = stack.aws("events")
    name = stack.target("e2e")
    bus = events.create_event_bus(Name=name)["EventBusArn"]
    url, arn = queue_named(stack, "e2e-events")
    pattern = {
        "source": ["billing"],
        "detail-type": ["invoice due"],
        "detail": {"payload": {"n": [1]}},
    }
    events.put_rule(Name="e2e", EventBusName=name, EventPattern=json.dumps(pattern))
    events.put_targets(Rule="e2e", EventBusName=name, Targets=[{"Id": "queue", "Arn": arn}])
    action = {
        "type": "eventbridge",
        "bus_arn": bus,
        "source": "billing",
        "detail_type": "invoice due",
    }
    run = run_of(stack, "to a bus", action)
    event = json.loads(next_message(stack, url)["Body"])

    assert (event["source"], event["detail-type"]) == ("billing", "invoice due")
    assert event["detail"] == {"payload": {"n": 1}, "timegate": told(run)}


def test_a_function_is_told_without_waiting_for_it(stack: Stack, role: str) -> None:
    """With ``async`` the run ends as soon as Lambda has queued the event."""
    url, _ = queue_named(stack, "e2e-forwarded")
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as package:
        package.writestr("target.py", FORWARDER.format(url=url))
    made = stack.aws("lambda").create_function(
        FunctionName=stack.target("async"),
        Runtime="python3.13",
        Role=role,
        Handler="target.handle",
        Code={"ZipFile": archive.getvalue()},
        Timeout=30,
    )
    action = {"type": "lambda", "function_arn": made["FunctionArn"], "invocation": "async"}
    run = run_of(stack, "to a function, async", action)
    event = json.loads(next_message(stack, url)["Body"])

    assert event == {"payload": {"n": 1}, "timegate": told(run)}


@pytest.fixture(scope="module")
def machine(stack: Stack, role: str) -> Callable[[str, dict[str, object]], str]:
    """Makes a state machine of one state; its ARN."""

    def make(name: str, state: dict[str, object]) -> str:
        definition = {"StartAt": "Only", "States": {"Only": state}}
        made = stack.aws("stepfunctions").create_state_machine(
            name=stack.target(name), definition=json.dumps(definition), roleArn=role
        )
        arn: str = made["stateMachineArn"]
        return arn

    return make


Machine = Callable[[str, dict[str, object]], str]


def executions(stack: Stack, arn: str) -> list[dict[str, Any]]:
    """The executions of a state machine, with their input."""
    client = stack.aws("stepfunctions")
    listed = client.list_executions(stateMachineArn=arn)["executions"]
    return [client.describe_execution(executionArn=each["executionArn"]) for each in listed]


def test_a_state_machine_is_started(stack: Stack, machine: Machine) -> None:
    """Once, under the run's name, with payload and run as its input."""
    arn = machine("start", {"Type": "Pass", "End": True})
    run = run_of(stack, "to a machine", {"type": "stepfunctions", "state_machine_arn": arn})
    (execution,) = executions(stack, arn)

    assert execution["name"] == run["run_id"].replace(".", "-")
    assert json.loads(execution["input"]) == {"payload": {"n": 1}, "timegate": told(run)}


def test_a_state_machine_is_waited_for(stack: Stack, machine: Machine) -> None:
    """The run ends when the execution does, with its output; when its time is up, it is stopped."""
    arn = machine("wait", {"Type": "Wait", "Seconds": 2, "End": True})
    endless = machine("endless", {"Type": "Wait", "Seconds": 600, "End": True})
    action = {"type": "stepfunctions", "state_machine_arn": arn, "mode": "wait"}
    doomed = {"action": action | {"state_machine_arn": endless}, "retry": {"max_attempts": 1}}
    stack.create_job(name="x", schedule={"kind": "immediate"}, timeout_seconds=2, **doomed)
    run = run_of(stack, "to a machine, waiting", action)
    (attempt,) = stack.api.get(f"/v1/runs/{run['run_id']}").json()["attempts"]

    assert attempt["duration_ms"] >= 2_000
    assert json.loads(attempt["result"])["payload"] == {"n": 1}
    found = partial(executions, stack, endless)
    wait_until(lambda: "ABORTED" in [e["status"] for e in found()] or None, seconds=60, what=found)


def test_a_failed_execution_is_tried_again_under_another_name(
    stack: Stack, machine: Machine
) -> None:
    """Two attempts, two executions; the error is the execution's."""
    arn = machine("fail", {"Type": "Fail", "Error": "NoStock", "Cause": "nothing left"})
    job = stack.create_job(
        name="to a failing machine",
        schedule={"kind": "immediate"},
        action={"type": "stepfunctions", "state_machine_arn": arn, "mode": "wait"},
        retry={"max_attempts": 2, "initial_delay_seconds": 0.2},
    )
    (run,) = stack.wait_for_runs(job["job_id"], 1, state="dead_lettered")
    name = run["run_id"].replace(".", "-")

    assert (run["error"]["code"], run["error"]["type"]) == ("execution_failed", "NoStock")
    assert run["error"]["message"] == "nothing left"
    assert {each["name"] for each in executions(stack, arn)} == {f"{name}-1", f"{name}-2"}


PLACE = "us-east-1:000000000000"
MISSING = {
    "sns": ("topic_arn", f"arn:aws:sns:{PLACE}:"),
    "stepfunctions": ("state_machine_arn", f"arn:aws:states:{PLACE}:stateMachine:"),
    "lambda": ("function_arn", f"arn:aws:lambda:{PLACE}:function:"),
}


@pytest.mark.parametrize("kind", MISSING)
def test_a_target_that_does_not_exist_is_not_tried_again(stack: Stack, kind: str) -> None:
    """One attempt, and the service's own error on record."""
    field, place = MISSING[kind]
    action = {"type": kind, field: f"{place}{stack.target('no')}"}
    job = stack.create_job(name=f"to no {kind}", schedule={"kind": "immediate"}, action=action)
    (run,) = stack.wait_for_runs(job["job_id"], 1, state="failed")

    assert run["reason"] == "permanent"
    assert run["error"]["code"] == f"{kind}_refused"
