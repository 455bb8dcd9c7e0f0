"""Topics as targets: allow-listed, and told which run a message comes from."""

import pytest

from tests.support.factories import JOB_ID
from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import NOT_ALLOWED, RUN_ID, call_factory, refusal
from timegate.adapters.targets.kinds.sns import SnsTarget
from timegate.domain.actions.kinds.sns import SnsAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.jobs.retry import FailureKind

ARN = "arn:aws:sns:us-east-1:111122223333:timegate-target-orders"
RULES = TargetRules(allowed={"sns": ("arn:aws:sns:us-east-1:*:timegate-target-*",)})


def sent(arn: str = ARN, body: str = '{"report": "sales"}', **extras: str) -> dict[str, object]:
    """Return the request of ``Publish``, with the run's identity in its attributes (R6)."""
    return {
        "TopicArn": arn,
        "Message": body,
        "MessageAttributes": {
            "run_id": {"DataType": "String", "StringValue": RUN_ID},
            "idempotency_key": {"DataType": "String", "StringValue": RUN_ID},
            "fence": {"DataType": "Number", "StringValue": "3"},
            "attempt": {"DataType": "Number", "StringValue": "2"},
            "scheduled_at": {"DataType": "String", "StringValue": "2026-11-21T07:00:00.000Z"},
            "traceparent": {"DataType": "String", "StringValue": traceparent(call_factory())},
        },
        **extras,
    }


@pytest.mark.parametrize(
    ("action", "payload", "expected"),
    [
        pytest.param(SnsAction(topic_arn=ARN), '{"report": "sales"}', sent(), id="standard"),
        pytest.param(SnsAction(topic_arn=ARN), None, sent(body="{}"), id="no-payload"),
        pytest.param(
            SnsAction(topic_arn=ARN, subject="Sales", message_group_id="acme"),
            '{"report": "sales"}',
            sent(Subject="Sales", MessageGroupId="acme"),
            id="subject-and-group",
        ),
        pytest.param(
            SnsAction(topic_arn=ARN, message_structure="json"),
            '{"default": "x"}',
            sent(body='{"default": "x"}', MessageStructure="json"),
            id="by-protocol",
        ),
        pytest.param(
            SnsAction(topic_arn=f"{ARN}.fifo"),
            '{"report": "sales"}',
            sent(f"{ARN}.fifo", MessageGroupId=JOB_ID, MessageDeduplicationId=RUN_ID),
            id="fifo",
        ),
        pytest.param(
            SnsAction(topic_arn=f"{ARN}.fifo", message_group_id="acme"),
            '{"report": "sales"}',
            sent(f"{ARN}.fifo", MessageGroupId="acme", MessageDeduplicationId=RUN_ID),
            id="fifo-with-a-group",
        ),
    ],
)
def test_a_message_carries_the_payload(
    stubbed: Stubbed, action: SnsAction, payload: str | None, expected: dict[str, object]
) -> None:
    """A FIFO topic keeps a job's runs in order, and drops a run it was told of twice."""
    client, stubber = stubbed("sns")
    stubber.add_response("publish", {"MessageId": "m-1"}, expected)
    answer = SnsTarget(client, RULES).invoke(call_factory(payload=payload), action)

    assert answer.text == "message m-1"


def test_a_topic_that_is_not_allow_listed_gets_nothing(stubbed: Stubbed) -> None:
    """A list that was shortened holds for the jobs that exist already."""
    client, _ = stubbed("sns")
    action = SnsAction(topic_arn=ARN.replace("timegate-target", "payroll"))

    assert refusal(lambda: SnsTarget(client, RULES).invoke(call_factory(), action)) == NOT_ALLOWED


@pytest.mark.parametrize(
    ("code", "kind", "named"),
    [
        ("AuthorizationError", FailureKind.RETRYABLE, "sns_refused"),
        ("NotFound", FailureKind.PERMANENT, "sns_refused"),
        ("InvalidParameter", FailureKind.PERMANENT, "sns_refused"),
        ("KMSAccessDenied", FailureKind.RETRYABLE, "sns_refused"),
        ("Throttled", FailureKind.RETRYABLE, "sns_unavailable"),
        ("KMSThrottling", FailureKind.RETRYABLE, "sns_unavailable"),
        ("InternalError", FailureKind.RETRYABLE, "sns_unavailable"),
    ],
)
def test_a_refusal_of_sns_is_classified(
    stubbed: Stubbed, code: str, kind: FailureKind, named: str
) -> None:
    """Throttles and outages pass; a missing right may; a missing topic does not (R8)."""
    client, stubber = stubbed("sns")
    stubber.add_client_error("publish", code)

    assert refusal(
        lambda: SnsTarget(client, RULES).invoke(call_factory(), SnsAction(topic_arn=ARN))
    ) == (kind, named, code)
