"""Queues as targets: allow-listed, and told which run a message comes from."""

from unittest.mock import Mock

import pytest
from botocore.exceptions import EndpointConnectionError

from tests.support.factories import JOB_ID
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import NOT_ALLOWED, RUN_ID, call_factory, refusal
from timegate.adapters.targets.kinds.sqs import SqsTarget
from timegate.domain.actions.kinds.sqs import SqsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.jobs.retry import FailureKind

URL = "https://sqs.us-east-1.amazonaws.com/111122223333/timegate-target-orders"
RULES = TargetRules(allowed={"sqs": ("arn:aws:sqs:us-east-1:*:timegate-target-*",)})
ACTION = SqsAction(queue_url=URL)


def sent(body: str) -> dict[str, object]:
    """Return the request of ``SendMessage``, with the run's identity in its attributes (R6)."""
    return {
        "QueueUrl": URL,
        "MessageBody": body,
        "MessageAttributes": {
            "run_id": {"DataType": "String", "StringValue": RUN_ID},
            "idempotency_key": {"DataType": "String", "StringValue": RUN_ID},
            "scheduled_at": {"DataType": "String", "StringValue": "2026-11-21T07:00:00.000Z"},
            "traceparent": {"DataType": "String", "StringValue": traceparent(call_factory())},
            "fence": {"DataType": "Number", "StringValue": "3"},
            "attempt": {"DataType": "Number", "StringValue": "2"},
        },
    }


@pytest.mark.parametrize(
    ("payload", "body"),
    [
        ('{"report": "sales"}', '{"report": "sales"}'),
        (None, "{}"),
        ('"\ufffd \x7f é \U0001f600"', '"\ufffd \x7f é \U0001f600"'),
        ('"\ufffe\uffff"', r'"\ufffe\uffff"'),
    ],
    ids=["json", "none", "taken-as-they-are", "taken-as-escapes"],
)
def test_a_message_carries_the_payload(stubbed: Stubbed, payload: str | None, body: str) -> None:
    """The run ends when SQS has accepted it; its result names the message."""
    client, stubber = stubbed("sqs")
    stubber.add_response("send_message", {"MessageId": "m-1"}, sent(body))
    answer = SqsTarget(client, RULES).invoke(call_factory(payload=payload), ACTION)

    assert answer.text == "message m-1"


@pytest.mark.parametrize(
    ("url", "group", "expected"),
    [
        pytest.param(URL, "acme", {"MessageGroupId": "acme"}, id="a-share-of-a-fair-queue"),
        pytest.param(
            f"{URL}.fifo",
            None,
            {"MessageGroupId": JOB_ID, "MessageDeduplicationId": RUN_ID},
            id="fifo",
        ),
        pytest.param(
            f"{URL}.fifo",
            "acme",
            {"MessageGroupId": "acme", "MessageDeduplicationId": RUN_ID},
            id="fifo-with-a-group",
        ),
    ],
)
def test_a_message_has_its_place(
    stubbed: Stubbed, url: str, group: str | None, expected: dict[str, str]
) -> None:
    """A FIFO queue keeps a job's runs in order, and drops a run it was told of twice."""
    client, stubber = stubbed("sqs")
    asked = {**sent("{}"), "QueueUrl": url, **expected}
    stubber.add_response("send_message", {"MessageId": "m-1"}, asked)
    action = SqsAction(queue_url=url, message_group_id=group)
    answer = SqsTarget(client, RULES).invoke(call_factory(payload=None), action)

    assert answer.text == "message m-1"


@pytest.mark.parametrize(
    "url",
    [
        URL.replace("timegate-target", "payroll"),
        URL.replace("us-east-1", "eu-west-1"),
        "https://evil.example.com/?x=/111122223333/timegate-target-orders",
    ],
    ids=["another-queue", "another-region", "no-queue"],
)
def test_a_queue_that_is_not_allow_listed_gets_nothing(stubbed: Stubbed, url: str) -> None:
    """A list that was shortened holds for the jobs that exist already."""
    client, _ = stubbed("sqs")

    assert (
        refusal(lambda: SqsTarget(client, RULES).invoke(call_factory(), SqsAction(queue_url=url)))
        == NOT_ALLOWED
    )


@pytest.mark.parametrize(
    ("code", "kind", "named"),
    [
        ("AccessDenied", FailureKind.RETRYABLE, "sqs_refused"),
        ("AWS.SimpleQueueService.NonExistentQueue", FailureKind.PERMANENT, "sqs_refused"),
        ("QueueDoesNotExist", FailureKind.PERMANENT, "sqs_refused"),
        ("InvalidMessageContents", FailureKind.PERMANENT, "sqs_refused"),
        ("RequestThrottled", FailureKind.RETRYABLE, "sqs_unavailable"),
        ("InternalError", FailureKind.RETRYABLE, "sqs_unavailable"),
    ],
)
def test_a_refusal_of_sqs_is_classified(
    stubbed: Stubbed, code: str, kind: FailureKind, named: str
) -> None:
    """Throttles and outages pass; a missing right may; a missing queue does not (R8)."""
    client, stubber = stubbed("sqs")
    stubber.add_client_error("send_message", code)

    assert refusal(lambda: SqsTarget(client, RULES).invoke(call_factory(), ACTION)) == (
        kind,
        named,
        code,
    )


def test_a_broken_connection_may_be_tried_again(
    stubbed: Stubbed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQS may have the message: the retry carries the same idempotency key."""
    client, _ = stubbed("sqs")

    monkeypatch.setattr(
        client,
        "send_message",
        Mock(side_effect=EndpointConnectionError(endpoint_url="https://sqs")),
    )

    assert refusal(lambda: SqsTarget(client, RULES).invoke(call_factory(), ACTION)) == (
        FailureKind.RETRYABLE,
        "connection_failed",
        "EndpointConnectionError",
    )
