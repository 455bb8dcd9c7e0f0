"""Events on the deployed stack: a rule of the bus leads each transition to a queue."""

import json
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from infra.local.cloud import LocalCloud
from infra.local.deployment import deploy_assembly, synthesise_into
from infra.local.webhook_target import Recorder
from tests.support.deployed.stack import Stack, wait_until

pytestmark = pytest.mark.wide

DESCRIPTION = Path(__file__).resolve().parents[3] / "docs" / "reference" / "asyncapi.json"
#: The first of its names sends nothing.
SAMPLING = json.dumps([{"types": ["io.timegate.job.updated"], "percent": 0}])

#: Events of one job that runs, and of one that is changed.
WANTED = Counter(
    {
        "job.created": 2,
        **dict.fromkeys(("run.planned", "run.started", "run.succeeded", "job.completed"), 1),
        **dict.fromkeys(("job.paused", "job.resumed", "job.cancelled"), 1),
    }
)


@pytest.fixture(autouse=True)
def no_job_outlives_its_test() -> None:
    """The session's own stack is not needed here."""


@pytest.fixture
def stack(tmp_path: Path) -> Iterator[Stack]:
    """A stage with a bus."""
    assembly = synthesise_into(tmp_path / "telling", events="on", eventSampling=SAMPLING)
    cloud = LocalCloud.start(tmp_path / "cloud", auth=os.environ.get("TIMEGATE_E2E_AUTH") == "1")
    try:
        stack = Stack(cloud, deploy_assembly(cloud, assembly, tmp_path / "outputs.json"))
        with stack.clients:
            yield stack
    finally:
        cloud.stop()


class Subscriber:
    """A queue behind one rule, which names a tenant."""

    def __init__(self, stack: Stack) -> None:
        self._sqs = stack.aws("sqs")
        self._url = self._sqs.create_queue(QueueName="subscriber")["QueueUrl"]
        told = self._sqs.get_queue_attributes(QueueUrl=self._url, AttributeNames=["QueueArn"])
        bus, rules = stack.outputs["EventBusName"], stack.aws("events")
        tenant = stack.tenant("first")
        pattern = {"source": [f"/timegate/local/{tenant}"]}
        rules.put_rule(Name="all-of-first", EventBusName=bus, EventPattern=json.dumps(pattern))
        target = {"Id": "queue", "Arn": told["Attributes"]["QueueArn"]}
        rules.put_targets(Rule="all-of-first", EventBusName=bus, Targets=[target])
        self.received: list[dict[str, Any]] = []

    def types(self) -> Counter[str]:
        """Read what has arrived; how many events of each type are there, by their ids."""
        answer = self._sqs.receive_message(QueueUrl=self._url, MaxNumberOfMessages=10)
        for message in answer.get("Messages", []):
            self.received.append(json.loads(message["Body"]))
            self._sqs.delete_message(QueueUrl=self._url, ReceiptHandle=message["ReceiptHandle"])
        by_id = {each["detail"]["id"]: each["detail"]["type"] for each in self.received}
        return Counter(name.removeprefix("io.timegate.") for name in by_id.values())


def faults(event: dict[str, Any]) -> list[str]:
    """Faults of an event by the description."""
    described = json.loads(DESCRIPTION.read_text())
    messages = described["components"]["messages"].values()
    (payload,) = [each["payload"] for each in messages if each["name"] == event["type"]]
    return [each.message for each in Draft7Validator({**described, **payload}).iter_errors(event)]


def change_a_job(stack: Stack, **fields: Any) -> None:  # noqa: ANN401 - JSON
    """Make every change of a job's status, and one of its definition."""
    cron = {"kind": "cron", "cron": "0 0 1 1 *"}
    job = stack.create_job(name="yearly", schedule=cron, **fields)
    path = f"/v1/jobs/{job['job_id']}"
    for answer in (
        stack.api.patch(path, json={"description": "left out by the sampling"}),
        stack.api.post(f"{path}/pause"),
        stack.api.post(f"{path}/resume"),
        stack.api.delete(path),
    ):
        assert answer.is_success, answer.text


def test_each_transition_arrives_behind_a_rule(stack: Stack, recorder: Recorder) -> None:
    """Events of jobs and runs of one tenant alone arrive once for each id, as described."""
    subscriber = Subscriber(stack)
    hook = {"type": "webhook", "url": recorder.url("transitions-told")}
    soon: dict[str, Any] = {"schedule": {"kind": "immediate"}, "action": hook}
    job = stack.create_job(name="told", **soon)["job_id"]
    other = {"name": "of another", **soon}
    assert stack.other_api.post("/v1/jobs", json=other).status_code == 201
    stack.wait_for_runs(str(job), 1, seconds=90)
    change_a_job(stack, action=hook)

    wait_until(
        lambda: subscriber.types() >= WANTED or None, seconds=120, what=lambda: subscriber.received
    )
    events = [each["detail"] for each in subscriber.received]
    assert subscriber.types() == WANTED
    assert [fault for event in events for fault in faults(event)] == []
    assert {each["tenant"] for each in events} == {stack.tenant("first")}
    assert {each["detail-type"] for each in subscriber.received} == {x["type"] for x in events}
    assert len({each["traceparent"][:35] for each in events if "traceparent" in each}) == 1
