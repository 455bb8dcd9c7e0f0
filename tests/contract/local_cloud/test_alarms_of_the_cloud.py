"""The local cloud deploys alarms of each kind, rings them, and ends them."""

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import pytest

from infra.local.cloud import LocalCloud

#: An alarm's minute.
MINUTE_SECONDS = 2
METRIC = "ApproximateNumberOfMessagesVisible"


def metric(queue: str) -> dict[str, object]:
    """The depth of a queue."""
    dimensions = [{"Name": "QueueName", "Value": queue}]
    return {"Namespace": "AWS/SQS", "MetricName": METRIC, "Dimensions": dimensions}


def part(name: str, queue: str) -> dict[str, object]:
    """A part of an expression."""
    stat = {"Stat": "Maximum", "Period": 60, "Metric": metric(queue)}
    return {"Id": name, "ReturnData": False, "MetricStat": stat}


def alarm(name: str, **properties: object) -> dict[str, object]:
    """An alarm that goes off at one message."""
    return {
        "Type": "AWS::CloudWatch::Alarm",
        "Properties": {
            "AlarmName": name,
            "EvaluationPeriods": 1,
            "Threshold": 1,
            "ComparisonOperator": "GreaterThanOrEqualToThreshold",
            "TreatMissingData": "notBreaching",
            **properties,
        },
    }


TEMPLATE = {
    "Resources": {
        "Filled": {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": "filled"}},
        "Empty": {"Type": "AWS::SQS::Queue", "Properties": {"QueueName": "empty"}},
        "Plain": alarm("plain", Statistic="Maximum", Period=60, **metric("filled")),
        "Other": alarm("other", Statistic="Maximum", Period=60, **metric("empty")),
        "Sum": alarm(
            "sum",
            Metrics=[
                {"Id": "sum", "Expression": "FILL(a, 0) + FILL(b, 0)", "ReturnData": True},
                part("a", "filled"),
                part("b", "unknown"),
            ],
        ),
        "Both": {
            "Type": "AWS::CloudWatch::CompositeAlarm",
            "DependsOn": ["Plain", "Sum"],
            "Properties": {"AlarmName": "both", "AlarmRule": 'ALARM("plain") AND ALARM("sum")'},
        },
    }
}


@dataclass
class Watched:
    """A cloud with alarms on its queues."""

    cloud: LocalCloud

    @cached_property
    def queue(self) -> str:
        """The address of the queue that is filled."""
        return str(self.cloud.client("sqs").get_queue_url(QueueName="filled")["QueueUrl"])

    def deploy(self) -> None:
        """Create the stack of queues and alarms."""
        formation = self.cloud.client("cloudformation")
        formation.create_stack(StackName="watched", TemplateBody=json.dumps(TEMPLATE))
        formation.get_waiter("stack_create_complete").wait(
            StackName="watched", WaiterConfig={"Delay": 1}
        )

    def states(self) -> Mapping[str, str]:
        """The states of all alarms."""
        found = self.cloud.client("cloudwatch").describe_alarms(
            AlarmTypes=["MetricAlarm", "CompositeAlarm"]
        )
        every = [*found["MetricAlarms"], *found["CompositeAlarms"]]
        return {each["AlarmName"]: each["StateValue"] for each in every}

    def comes_to(self, **states: str) -> bool:
        """Tell if the alarms come to these states."""
        deadline = time.monotonic() + 60
        while self.states() != states and time.monotonic() < deadline:
            time.sleep(0.2)
        return self.states() == states


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """A cloud of its own, whose minutes are short."""
    cloud = LocalCloud.start(tmp_path, minute_seconds=MINUTE_SECONDS)
    try:
        yield Watched(cloud)
    finally:
        cloud.stop()


def test_alarms_ring_by_their_own_metric_and_end(watched: Watched) -> None:
    """One metric, an expression over two, and a composite; another queue's alarm stays quiet."""
    watched.deploy()
    assert watched.comes_to(plain="OK", other="OK", sum="OK", both="OK")

    watched.cloud.client("sqs").send_message(QueueUrl=watched.queue, MessageBody="poison")
    assert watched.comes_to(plain="ALARM", other="OK", sum="ALARM", both="ALARM")

    (message,) = watched.cloud.client("sqs").receive_message(QueueUrl=watched.queue)["Messages"]
    watched.cloud.client("sqs").delete_message(
        QueueUrl=watched.queue, ReceiptHandle=message["ReceiptHandle"]
    )
    assert watched.comes_to(plain="OK", other="OK", sum="OK", both="OK")
