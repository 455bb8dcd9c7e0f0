"""Targets on moto: what a call sends is what its receiver gets."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.factories import NOW
from tests.support.stores.moto_inside import ACCOUNT, REGION, Aws, arn_of
from tests.unit.adapters.targets.calls import RUN_ID, call_factory, refusal
from timegate.adapters.memory.clock import MemoryClock
from timegate.adapters.targets.kinds.aws_lambda import LambdaTarget
from timegate.adapters.targets.kinds.eventbridge import EventBusTarget
from timegate.adapters.targets.kinds.sns import SnsTarget
from timegate.adapters.targets.kinds.sqs import SqsTarget
from timegate.adapters.targets.kinds.stepfunctions import StateMachineTarget, execution_name
from timegate.domain.actions.kinds.aws_lambda import Invocation, LambdaAction
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.kinds.stepfunctions import ExecutionMode, StepFunctionsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.jobs.retry import FailureKind

RULES = TargetRules(
    allowed={
        "lambda": ("arn:aws:lambda:*:*:function:*",),
        "sqs": ("arn:aws:sqs:*:*:*",),
        "sns": ("arn:aws:sns:*:*:*",),
        "eventbridge": ("arn:aws:events:*:*:event-bus/*",),
        "stepfunctions": ("arn:aws:states:*:*:stateMachine:*",),
    },
)
#: moto wants a role of each function and each state machine.
TRUST = json.dumps(
    {
        "Version": "2012-10-17",
        "Statement": [
            {
                "Effect": "Allow",
                "Action": "sts:AssumeRole",
                "Principal": {"Service": "lambda.amazonaws.com"},
            }
        ],
    }
)
MACHINE = json.dumps({"StartAt": "Done", "States": {"Done": {"Type": "Succeed"}}})


@pytest.fixture
def queue(aws: Aws) -> Iterator[str]:
    """A new queue."""
    url = aws("sqs").create_queue(QueueName="target")["QueueUrl"]
    yield url
    aws("sqs").delete_queue(QueueUrl=url)


def received(aws: Aws, url: str) -> list[Any]:
    """Return the queue's messages."""
    found: list[Any] = (
        aws("sqs")
        .receive_message(QueueUrl=url, MaxNumberOfMessages=10, MessageAttributeNames=["All"])
        .get("Messages", [])
    )
    return found


def role(aws: Aws) -> str:
    """A role for functions and state machines."""
    iam = aws("iam")
    try:
        return str(iam.get_role(RoleName="works")["Role"]["Arn"])
    except iam.exceptions.NoSuchEntityException:
        made = iam.create_role(RoleName="works", AssumeRolePolicyDocument=TRUST)
        return str(made["Role"]["Arn"])


def test_a_queue_receives_payload_and_run(aws: Aws, queue: str) -> None:
    """The run's identity is in the attributes (R6)."""
    answer = SqsTarget(aws("sqs"), RULES).invoke(call_factory(), SqsAction(queue_url=queue))
    (found,) = received(aws, queue)
    attributes = {name: each["StringValue"] for name, each in found["MessageAttributes"].items()}

    assert answer.text == f"message {found['MessageId']}"
    assert found["Body"] == '{"report": "sales"}'
    assert attributes == {
        "run_id": RUN_ID,
        "idempotency_key": RUN_ID,
        "scheduled_at": "2026-11-21T07:00:00.000Z",
        "fence": "3",
        "attempt": "2",
        "traceparent": traceparent(call_factory()),
    }


def test_a_fifo_queue_drops_a_call_that_was_heard_before(aws: Aws) -> None:
    """A repeated call carries the same deduplication id."""
    made = aws("sqs").create_queue(QueueName="target.fifo", Attributes={"FifoQueue": "true"})
    action = SqsAction(queue_url=made["QueueUrl"])
    target = SqsTarget(aws("sqs"), RULES)
    target.invoke(call_factory(), action)
    target.invoke(call_factory(), action)

    assert len(received(aws, made["QueueUrl"])) == 1


def test_a_missing_queue_is_a_permanent_failure(aws: Aws) -> None:
    """A retry would not find it either."""
    action = SqsAction(queue_url=f"https://sqs.{REGION}.amazonaws.com/{ACCOUNT}/missing")
    target = SqsTarget(aws("sqs"), RULES)
    kind, code, _ = refusal(lambda: target.invoke(call_factory(), action))

    assert (kind, code) == (FailureKind.PERMANENT, "sqs_refused")


def test_a_topics_subscribers_receive_payload_and_run(aws: Aws, queue: str) -> None:
    """With its subject."""
    sns = aws("sns")
    topic = sns.create_topic(Name="target")["TopicArn"]
    sns.subscribe(TopicArn=topic, Protocol="sqs", Endpoint=arn_of("sqs", "target"))
    action = SnsAction(topic_arn=topic, subject="Sales")
    answer = SnsTarget(sns, RULES).invoke(call_factory(), action)
    (found,) = received(aws, queue)
    heard = json.loads(found["Body"])

    assert answer.text == f"message {heard['MessageId']}"
    assert (heard["Subject"], heard["Message"]) == ("Sales", '{"report": "sales"}')
    assert heard["MessageAttributes"]["run_id"]["Value"] == RUN_ID


def test_a_missing_topic_is_a_permanent_failure(aws: Aws) -> None:
    """A retry would not find it either."""
    action = SnsAction(topic_arn=arn_of("sns", "missing"))
    target = SnsTarget(aws("sns"), RULES)

    assert refusal(lambda: target.invoke(call_factory(), action)) == (
        FailureKind.PERMANENT,
        "sns_refused",
        "NotFound",
    )


def test_a_rule_of_a_bus_receives_the_event(aws: Aws, queue: str) -> None:
    """The run's identity stands beside the payload (R6)."""
    events = aws("events")
    bus = events.create_event_bus(Name="target")["EventBusArn"]
    pattern = json.dumps({"source": ["billing"]})
    events.put_rule(Name="all", EventBusName="target", EventPattern=pattern)
    aim = {"Id": "queue", "Arn": arn_of("sqs", "target")}
    events.put_targets(Rule="all", EventBusName="target", Targets=[aim])
    action = EventBridgeAction(bus_arn=bus, source="billing", detail_type="invoice due")
    answer = EventBusTarget(events, RULES).invoke(call_factory(), action)
    (found,) = received(aws, queue)
    event = json.loads(found["Body"])

    assert answer.text.startswith("event ")
    assert (event["source"], event["detail-type"]) == ("billing", "invoice due")
    assert event["detail"]["payload"] == {"report": "sales"}
    assert event["detail"]["timegate"]["run_id"] == RUN_ID


@pytest.fixture
def function(aws: Aws) -> Iterator[str]:
    """A function that answers with its own event."""
    made = aws("lambda").create_function(
        FunctionName="target",
        Runtime="python3.13",
        Role=role(aws),
        Handler="handler.handle",
        Code={"ZipFile": b"zip"},
    )
    yield made["FunctionArn"]
    aws("lambda").delete_function(FunctionName="target")


def test_a_function_receives_payload_and_run(aws: Aws, function: str) -> None:
    """The answer is the run's result."""
    target = LambdaTarget(aws("lambda"), RULES)
    answer = target.invoke(call_factory(), LambdaAction(function_arn=function))
    event = json.loads(answer.text)

    assert event["payload"] == {"report": "sales"}
    assert event["timegate"]["run_id"] == RUN_ID


def test_an_event_for_a_function_is_queued(aws: Aws, function: str) -> None:
    """Nothing is waited for."""
    action = LambdaAction(function_arn=function, invocation=Invocation.ASYNC)
    answer = LambdaTarget(aws("lambda"), RULES).invoke(call_factory(), action)

    assert (answer.text, answer.accepted) == ("event queued", False)


def test_a_run_has_one_execution_of_a_state_machine(aws: Aws) -> None:
    """Its name is computed: a repeated call begins nothing, also after the execution has ended."""
    states, call = aws("stepfunctions"), call_factory()
    made = states.create_state_machine(name="target", definition=MACHINE, roleArn=role(aws))
    machine = made["stateMachineArn"]
    target = StateMachineTarget(states, RULES, MemoryClock(NOW))
    start = StepFunctionsAction(state_machine_arn=machine, mode=ExecutionMode.START)
    for _ in range(2):
        target.invoke(call, start)
    (listed,) = states.list_executions(stateMachineArn=machine)["executions"]
    states.stop_execution(executionArn=listed["executionArn"])
    answer = target.invoke(call, start)

    assert listed["name"] == execution_name(call)
    assert answer.text == f"execution {execution_name(call)} had begun already"
    assert len(states.list_executions(stateMachineArn=machine)["executions"]) == 1


def test_a_missing_state_machine_is_a_permanent_failure(aws: Aws) -> None:
    """A retry would not find it either."""
    action = StepFunctionsAction(
        state_machine_arn=arn_of("states", "stateMachine:missing"), mode=ExecutionMode.START
    )
    target = StateMachineTarget(aws("stepfunctions"), RULES, MemoryClock(NOW))

    assert refusal(lambda: target.invoke(call_factory(), action)) == (
        FailureKind.PERMANENT,
        "stepfunctions_refused",
        "StateMachineDoesNotExist",
    )
