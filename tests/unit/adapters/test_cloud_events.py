"""The queue of events and the bus: ten a call, and each entry's own answer."""

import json
from typing import Any

import pytest
from botocore.stub import ANY

from infra.pages.event_examples import examples
from tests.unit.adapters.conftest import Stubbed
from timegate.adapters.event_bridge.event_bus import MAX_ENTRIES, EventBridgeBus
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.adapters.sqs.event_queue import SqsEventQueue
from timegate.domain.values.tenant import TENANT_NAME

QUEUE = "https://sqs.us-east-1.amazonaws.com/111122223333/cloud-events"
BUS = "timegate-prod-events"
EVENT = examples()["io.timegate.run.succeeded"]
#: The least that EventBridge takes in one call, in bytes.
LEAST_LIMIT = 262_144


def entry(document: dict[str, Any]) -> dict[str, Any]:
    """Return the entry that the bus receives."""
    return {
        "EventBusName": BUS,
        "Source": "/timegate/prod/acme",
        "DetailType": document["type"],
        "Time": ANY,
        "Detail": json.dumps(document, separators=(",", ":")),
    }


def answers(*codes: str | None) -> dict[str, Any]:
    """An answer to a call: an error for some entries, and an id for the others."""
    entries = [{"EventId": "e"} if code is None else {"ErrorCode": code} for code in codes]
    return {"FailedEntryCount": len([code for code in codes if code]), "Entries": entries}


def test_each_entry_has_its_own_answer(stubbed: Stubbed) -> None:
    """The call succeeds, and one of its entries does not."""
    client, stubber = stubbed("events")
    telemetry = MemoryTelemetry()
    documents = [EVENT, examples()["io.timegate.run.planned"], examples()["io.timegate.job.paused"]]
    sent = {"Entries": [entry(each) for each in documents]}
    stubber.add_response("put_events", answers(None, "ThrottlingException", None), sent)

    assert EventBridgeBus(client, BUS, telemetry).put_all(documents) == [True, False, True]
    assert [each.fields["code"] for each in telemetry.events] == ["ThrottlingException"]


def test_a_call_has_ten_entries_at_most(stubbed: Stubbed) -> None:
    """A call that fails as a whole leaves its entries alone unsent."""
    client, stubber = stubbed("events")
    stubber.add_response("put_events", answers(*[None] * MAX_ENTRIES))
    stubber.add_client_error("put_events", "InternalException")
    stubber.add_response("put_events", answers(None))
    bus = EventBridgeBus(client, BUS, MemoryTelemetry())

    assert bus.put_all([EVENT] * 21) == [True] * 10 + [False] * 10 + [True]


def test_what_is_no_event_keeps_no_other_one_from_the_bus(stubbed: Stubbed) -> None:
    """Its time is none: the client refuses the call, and the bus takes the others one by one."""
    client, stubber = stubbed("events")
    for _ in range(2):
        stubber.add_response("put_events", answers(None))
    telemetry = MemoryTelemetry()
    bus = EventBridgeBus(client, BUS, telemetry)

    assert bus.put_all([EVENT, {**EVENT, "time": "soon"}, EVENT]) == [True, False, True]
    assert [each.fields["count"] for each in telemetry.named("cloud_events_refused")] == [1]


@pytest.mark.parametrize(
    ("code", "calls"), [("ThrottlingException", 1), ("ValidationException", 3)]
)
def test_a_call_is_repeated_one_by_one_for_its_entries_only(
    stubbed: Stubbed, code: str, calls: int
) -> None:
    """A bus that is busy gets no more calls than before."""
    client, stubber = stubbed("events")
    for _ in range(calls):
        stubber.add_client_error("put_events", code)
    bus = EventBridgeBus(client, BUS, MemoryTelemetry())

    assert bus.put_all([EVENT, EVENT]) == [False, False]
    stubber.assert_no_pending_responses()


def test_the_queue_takes_one_message_for_each_event(stubbed: Stubbed) -> None:
    """In the group of its tenant; what SQS refuses is not queued, and a line says why."""
    client, stubber = stubbed("sqs")
    body = json.dumps(EVENT, separators=(",", ":"))
    entries = [{"Id": str(n), "MessageBody": body, "MessageGroupId": "acme"} for n in range(2)]
    stubber.add_response(
        "send_message_batch",
        {
            "Successful": [{"Id": "1", "MessageId": "m", "MD5OfMessageBody": ""}],
            "Failed": [{"Id": "0", "SenderFault": False, "Code": "InternalError"}],
        },
        {"QueueUrl": QUEUE, "Entries": entries},
    )

    telemetry = MemoryTelemetry()

    assert SqsEventQueue(client, QUEUE, telemetry).add_all([EVENT] * 2) == [False, True]
    assert [each.fields for each in telemetry.named("send_failed")] == [
        {"queue_url": QUEUE, "detail": "1 refused: InternalError"}
    ]


def test_a_queue_that_fails_is_called_once(stubbed: Stubbed) -> None:
    """A reader of a stream has ends of runs to follow, and does not wait ten times."""
    client, stubber = stubbed("sqs")
    stubber.add_client_error("send_message_batch", "ServiceUnavailable")
    telemetry = MemoryTelemetry()

    assert SqsEventQueue(client, QUEUE, telemetry).add_all([EVENT] * 100) == [False] * 100
    assert len(telemetry.events) == 1


@pytest.mark.parametrize("name", sorted(examples()))
def test_ten_events_fit_into_a_call(name: str) -> None:
    """Also those of tenants with the longest name, and with every field of the longest kind."""
    longest = "|" * 128
    assert TENANT_NAME.fullmatch(f"a{longest[1:]}")
    grown = {**examples()[name], "tenant": longest, "source": "%7C" * 128}
    fields = {**grown["data"], "error_code": "e" * 1_000, "changed_fields": ["f" * 64] * 60}
    size = len(json.dumps({**grown, "data": fields}).encode())

    assert MAX_ENTRIES * size < LEAST_LIMIT
