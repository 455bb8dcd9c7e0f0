"""Event buses as targets: an entry can fail although the request succeeds."""

import json

import pytest

from tests.unit.adapters.conftest import Stubbed
from tests.unit.adapters.targets.calls import RUN_ID, call_factory, refusal, told
from timegate.adapters.targets.kinds.eventbridge import EventBusTarget
from timegate.domain.actions.kind import MAX_MESSAGE_BYTES
from timegate.domain.actions.kinds.eventbridge import EventBridgeAction
from timegate.domain.actions.target_rules import TargetRules
from timegate.domain.execution.trace_context import traceparent
from timegate.domain.jobs.retry import FailureKind
from timegate.ports.call_runner import TargetFailed

ARN = "arn:aws:events:us-east-1:111122223333:event-bus/timegate-target-orders"
RULES = TargetRules(allowed={"eventbridge": ("arn:aws:events:*:*:event-bus/timegate-target-*",)})
ACTION = EventBridgeAction(bus_arn=ARN, source="billing", detail_type="invoice due")
TOLD = {
    "run_id": RUN_ID,
    "idempotency_key": RUN_ID,
    "fence": 3,
    "attempt": 2,
    "scheduled_at": "2026-11-21T07:00:00.000Z",
    "traceparent": traceparent(call_factory()),
}


def sent(payload: str) -> dict[str, object]:
    """Return the request of ``PutEvents``: the identity of the run beside the payload (R6)."""
    return {
        "Entries": [
            {
                "EventBusName": ARN,
                "Source": "billing",
                "DetailType": "invoice due",
                "Detail": f'{{"payload":{payload},"timegate":{json.dumps(TOLD)}}}',
            }
        ]
    }


@pytest.mark.parametrize(
    ("payload", "arrives_as"),
    [
        ('{"n": 1}', '{"n": 1}'),
        ('["ü", 1e400, 12345678901234567890123]', '["ü", 1e400, 12345678901234567890123]'),
        (None, "null"),
    ],
    ids=["object", "as-it-was-given", "none"],
)
def test_an_event_carries_the_payload(
    stubbed: Stubbed, payload: str | None, arrives_as: str
) -> None:
    """Character by character: reading it could change its numbers."""
    client, stubber = stubbed("events")
    accepted = {"FailedEntryCount": 0, "Entries": [{"EventId": "e-1"}]}
    stubber.add_response("put_events", accepted, sent(arrives_as))
    answer = EventBusTarget(client, RULES).invoke(call_factory(payload=payload), ACTION)

    assert answer.text == "event e-1"


@pytest.mark.parametrize(
    ("code", "kind", "named"),
    [
        ("InternalFailure", FailureKind.RETRYABLE, "eventbridge_unavailable"),
        ("ThrottlingException", FailureKind.RETRYABLE, "eventbridge_unavailable"),
        ("AccessDeniedException", FailureKind.RETRYABLE, "eventbridge_refused"),
        ("ResourceNotFoundException", FailureKind.PERMANENT, "eventbridge_refused"),
        ("NotAuthorizedForSourceException", FailureKind.PERMANENT, "eventbridge_refused"),
        ("MalformedDetail", FailureKind.PERMANENT, "eventbridge_refused"),
    ],
)
def test_an_entry_that_failed_is_a_failure(
    stubbed: Stubbed, code: str, kind: FailureKind, named: str
) -> None:
    """EventBridge answers 200 and says so within."""
    client, stubber = stubbed("events")
    entry = {"ErrorCode": code, "ErrorMessage": "because"}
    stubber.add_response("put_events", {"FailedEntryCount": 1, "Entries": [entry]})

    with pytest.raises(TargetFailed) as caught:
        EventBusTarget(client, RULES).invoke(call_factory(), ACTION)

    assert told(caught.value.failure) == (kind, named, code)
    assert caught.value.failure.message == "because"


@pytest.mark.parametrize(
    ("code", "kind", "named"),
    [
        ("AccessDeniedException", FailureKind.RETRYABLE, "eventbridge_refused"),
        ("ThrottlingException", FailureKind.RETRYABLE, "eventbridge_unavailable"),
        ("InternalException", FailureKind.RETRYABLE, "eventbridge_unavailable"),
    ],
)
def test_a_refusal_of_the_request_is_classified(
    stubbed: Stubbed, code: str, kind: FailureKind, named: str
) -> None:
    """Throttles, outages and missing rights may pass (R8)."""
    client, stubber = stubbed("events")
    stubber.add_client_error("put_events", code)

    assert refusal(lambda: EventBusTarget(client, RULES).invoke(call_factory(), ACTION)) == (
        kind,
        named,
        code,
    )


def test_a_bus_that_is_not_allow_listed_gets_nothing(stubbed: Stubbed) -> None:
    """A list that was shortened holds for the jobs that exist already."""
    client, _ = stubbed("events")
    action = EventBridgeAction(
        bus_arn=ARN.replace("timegate-target-orders", "default"), source="a", detail_type="b"
    )

    with pytest.raises(TargetFailed) as caught:
        EventBusTarget(client, RULES).invoke(call_factory(), action)

    assert caught.value.failure.code == "target_not_allowed"


def test_the_largest_payload_fits_and_no_larger_event_is_sent(stubbed: Stubbed) -> None:
    """The largest payload of a job fits beside the run's identity; a larger event is never sent."""
    client, stubber = stubbed("events")
    stubber.add_response("put_events", {"FailedEntryCount": 0, "Entries": [{"EventId": "e-1"}]})
    widest = EventBridgeAction(bus_arn=ARN, source="ü" * 256, detail_type="ü" * 128)
    largest = MAX_MESSAGE_BYTES - 2048
    widest.check_size(largest)
    target = EventBusTarget(client, RULES)
    target.invoke(call_factory(payload=f'"{"x" * (largest - 2)}"'), widest)

    assert refusal(
        lambda: target.invoke(call_factory(payload=f'"{"x" * MAX_MESSAGE_BYTES}"'), widest)
    ) == (FailureKind.PERMANENT, "payload_too_large", "TooLarge")
