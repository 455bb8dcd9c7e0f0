"""Clients of tests refuse what AWS refuses: each limit at its last good value and one beyond."""

import json
from typing import Any

import pytest

from tests.support.services.limit_exceeded import LimitExceeded
from tests.unit.adapters.conftest import Stubbed

URL = "https://sqs.us-east-1.amazonaws.com/111122223333/runs"
TOPIC = "arn:aws:sns:us-east-1:111122223333:orders"
MACHINE = "arn:aws:states:us-east-1:111122223333:stateMachine:dags"
KB = 1024


def sent(**fields: Any) -> dict[str, Any]:  # noqa: ANN401 - parameters of SQS
    return {"QueueUrl": URL, "MessageBody": "{}", **fields}


def batch(count: int, **fields: Any) -> dict[str, Any]:  # noqa: ANN401 - parameters of SQS
    entries = [{"Id": str(n), "MessageBody": "{}", **fields} for n in range(count)]
    return {"QueueUrl": URL, "Entries": entries}


def handles(count: int, **fields: int) -> dict[str, Any]:
    entries = [{"Id": str(n), "ReceiptHandle": "r", **fields} for n in range(count)]
    return {"QueueUrl": URL, "Entries": entries}


def published(message: str = "{}", **fields: str) -> dict[str, Any]:
    return {"TopicArn": TOPIC, "Message": message, **fields}


def event(characters: int) -> dict[str, Any]:
    """Return the parameters of ``PutEvents`` with so many bytes: nine around its text."""
    detail = json.dumps({"a": "x" * (characters - 9 - 2)})
    return {"Entries": [{"Source": "s", "DetailType": "d", "Detail": detail}]}


def attributes(count: int) -> dict[str, Any]:
    return {f"a{n}": {"DataType": "String", "StringValue": "x"} for n in range(count)}


#: Service, operation, and parameters that AWS takes and refuses.
LIMITS = [
    ("sqs", "send_message_batch", batch(10), batch(11)),
    ("sqs", "send_message_batch", batch(1), batch(0)),
    ("sqs", "send_message_batch", batch(1, DelaySeconds=900), batch(1, DelaySeconds=901)),
    (
        "sqs",
        "send_message_batch",
        batch(1),
        {"QueueUrl": URL, "Entries": [*batch(1)["Entries"]] * 2},
    ),
    (
        *("sqs", "send_message_batch"),
        batch(2, MessageBody="x" * 512 * KB),
        batch(2, MessageBody="x" * (512 * KB + 1)),
    ),
    (
        *("sqs", "send_message_batch"),
        batch(1, MessageGroupId="t" * 128),
        batch(1, MessageGroupId="t" * 129),
    ),
    ("sqs", "send_message_batch", batch(1, MessageGroupId="t"), batch(1, MessageGroupId="a b")),
    ("sqs", "send_message", sent(MessageBody="\ufffd"), sent(MessageBody="\ufffe")),
    ("sqs", "send_message", sent(MessageBody="\U0010ffff"), sent(MessageBody="\x00")),
    ("sqs", "send_message", sent(MessageBody="x" * KB**2), sent(MessageBody="x" * (KB**2 + 1))),
    (
        *("sqs", "send_message"),
        sent(MessageAttributes=attributes(10)),
        sent(MessageAttributes=attributes(11)),
    ),
    (
        *("sqs", "change_message_visibility_batch"),
        handles(10, VisibilityTimeout=43_200),
        handles(1, VisibilityTimeout=43_201),
    ),
    ("sqs", "delete_message_batch", handles(10), handles(11)),
    (
        *("sqs", "receive_message"),
        {"QueueUrl": URL, "MaxNumberOfMessages": 10, "WaitTimeSeconds": 20},
        {"QueueUrl": URL, "MaxNumberOfMessages": 11},
    ),
    ("sns", "publish", published(Subject="s" * 99), published(Subject="s" * 100)),
    ("sns", "publish", published(Subject="é"), published(Subject="a\nb")),
    ("sns", "publish", published("x" * 256 * KB), published("x" * (256 * KB + 1))),
    ("events", "put_events", event(256 * KB), event(256 * KB + 1)),
    (
        *("events", "put_events"),
        {"Entries": event(20)["Entries"] * 10},
        {"Entries": event(20)["Entries"] * 11},
    ),
    (
        *("stepfunctions", "start_execution"),
        {"stateMachineArn": MACHINE, "name": "n" * 80, "input": "é" * 128 * KB},
        {"stateMachineArn": MACHINE, "name": "n" * 81},
    ),
    (
        *("stepfunctions", "send_task_success"),
        {"taskToken": "t", "output": "é" * 128 * KB},
        {"taskToken": "t", "output": "é" * 128 * KB + "x"},
    ),
    (
        *("stepfunctions", "send_task_failure"),
        {"taskToken": "t", "error": "e" * 256, "cause": "c" * 32_768},
        {"taskToken": "t", "cause": "c" * 32_769},
    ),
    (
        *("lambda", "invoke"),
        {"FunctionName": "f", "Payload": b"x" * 6 * KB**2},
        {"FunctionName": "f", "Payload": b"x" * (6 * KB**2 + 1)},
    ),
    (
        *("lambda", "invoke"),
        {"FunctionName": "f", "InvocationType": "Event", "Payload": b"x" * KB**2},
        {"FunctionName": "f", "InvocationType": "Event", "Payload": b"x" * (KB**2 + 1)},
    ),
    (
        *("s3", "put_object"),
        {"Bucket": "blobs", "Key": "k" * KB},
        {"Bucket": "blobs", "Key": "k" * (KB + 1)},
    ),
]


@pytest.mark.parametrize(
    ("service", "operation", "taken", "refused"),
    LIMITS,
    ids=[f"{place}-{operation}" for place, (_, operation, *_) in enumerate(LIMITS)],
)
def test_a_client_takes_what_aws_takes_and_no_more(
    stubbed: Stubbed, service: str, operation: str, taken: dict[str, Any], refused: dict[str, Any]
) -> None:
    """No stub and no emulator needs to know the limits."""
    client, stubber = stubbed(service)
    call = getattr(client, operation)
    stubber.add_client_error(operation, "Reached")

    with pytest.raises(LimitExceeded):
        call(**refused)
    with pytest.raises(client.exceptions.ClientError, match="Reached"):
        call(**taken)
