"""The way into the run queues: batches of ten, delays, refusals, sizes."""

import json
from typing import Any

import pytest
from botocore.stub import ANY

from tests.support.factories import after, attempt_factory, attempt_id, job_id
from tests.unit.adapters.conftest import Stubbed
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.adapters.sqs.publisher import TRIES, SqsPublisher
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.jobs.demands import Priority
from timegate.domain.values.tenant import TenantId
from timegate.ports.dispatch.messaging import Delayed

URLS = {
    "normal-short": "https://sqs.us-east-1.amazonaws.com/111122223333/normal-short",
    "critical-short": "https://sqs.us-east-1.amazonaws.com/111122223333/critical-short",
}
#: SQS's limit for a message, and for a batch of them, in bytes.
SQS_LIMIT = 262_144


def message(
    number: int = 0, *, delay_seconds: int = 0, priority: Priority = Priority.NORMAL
) -> Delayed:
    """The message of one run of many."""
    attempt = attempt_factory(id=attempt_id(job=job_id(str(number))), priority=priority)
    return Delayed(message=RunMessage.of(attempt), delay_seconds=delay_seconds)


def accepted(*ids: int) -> dict[str, object]:
    """SQS took these entries of a batch and refused the others for load."""
    taken = [{"Id": str(n), "MessageId": f"m-{n}", "MD5OfMessageBody": ""} for n in ids]
    return {"Successful": taken, "Failed": []}


def refused(*ids: int) -> list[dict[str, object]]:
    return [{"Id": str(n), "SenderFault": False, "Code": "InternalError"} for n in ids]


def batch(queue: str, *ids: int) -> dict[str, object]:
    """Return a batch of entries with these ids and any content."""
    entry = {"MessageBody": ANY, "DelaySeconds": ANY, "MessageGroupId": ANY}
    return {"QueueUrl": URLS[queue], "Entries": [{"Id": str(n), **entry} for n in ids]}


class Desk:
    """A publisher with its stubbed queue."""

    def __init__(self, stubbed: Stubbed) -> None:
        self.client, self.stubber = stubbed("sqs")
        self.telemetry = MemoryTelemetry()
        self.pauses: list[float] = []
        self.sent: list[dict[str, Any]] = []
        self.trace: str | None = None
        self.publisher = SqsPublisher(
            self.client,
            URLS,
            telemetry=self.telemetry,
            trace_header=lambda: self.trace,
            pause=self.pauses.append,
        )
        events = self.client.meta.events
        events.register("provide-client-params.sqs", self._keep)

    def _keep(self, params: dict[str, Any], **_: object) -> None:
        self.sent += params["Entries"]

    def expect(self, queue: str, *ids: int, answer: dict[str, Any] | None = None) -> None:
        """A batch of these entries comes; all are accepted unless told otherwise."""
        self.stubber.add_response(
            "send_message_batch", answer or accepted(*ids), batch(queue, *ids)
        )


@pytest.fixture
def desk(stubbed: Stubbed) -> Desk:
    return Desk(stubbed)


def test_messages_are_sent_ten_a_call(desk: Desk) -> None:
    """SQS takes no more at once, and bills a batch as one request."""
    desk.expect("normal-short", *range(10))
    desk.expect("normal-short", *range(10, 20))
    desk.expect("normal-short", 20)

    assert desk.publisher.publish_all([message(n) for n in range(21)]) == [True] * 21


def test_each_queue_gets_its_own_batches(desk: Desk) -> None:
    """Answers stay in the order of the question."""
    desk.expect("normal-short", 0, 2, answer=accepted(0))
    desk.stubber.add_response("send_message_batch", accepted(), batch("normal-short", 2))
    desk.stubber.add_response("send_message_batch", accepted(), batch("normal-short", 2))
    desk.expect("critical-short", 1)
    critical = message(1, priority=Priority.CRITICAL)

    assert desk.publisher.publish_all([message(0), critical, message(2)]) == [True, True, False]


def test_nothing_to_send_is_no_call(desk: Desk) -> None:
    """An empty batch is an error of SQS's."""
    assert desk.publisher.publish_all([]) == []


def test_a_message_names_its_run_its_delay_and_its_tenant(desk: Desk) -> None:
    """The group lets SQS be fair between tenants; ordering is not asked for."""
    desk.expect("normal-short", 0)
    desk.publisher.publish_all([message(delay_seconds=900)])
    (entry,) = desk.sent
    read = RunMessage.from_fields(json.loads(entry["MessageBody"]), queue_key="normal-short")

    assert read == message().message
    assert (entry["DelaySeconds"], entry["MessageGroupId"]) == (900, "acme")


def test_a_message_carries_on_the_trace_of_its_sender(stubbed: Stubbed) -> None:
    """One trace from the request to the run's end (O2)."""
    desk = Desk(stubbed)
    desk.trace = "Root=1-69201ab0-0123456789abcdef01234567"
    desk.stubber.add_response("send_message_batch", accepted(0))
    desk.publisher.publish_all([message()])

    assert desk.sent[0]["MessageSystemAttributes"] == {
        "AWSTraceHeader": {"DataType": "String", "StringValue": desk.trace}
    }


def test_only_the_refused_entries_are_sent_again(desk: Desk) -> None:
    """The accepted ones would be doubled; a pause grows before each further try."""
    desk.expect("normal-short", 0, 1, 2, answer={**accepted(1), "Failed": refused(0, 2)})
    desk.expect("normal-short", 0, 2, answer={**accepted(2), "Failed": refused(0)})
    desk.expect("normal-short", 0)

    assert desk.publisher.publish_all([message(n) for n in range(3)]) == [True] * 3
    assert desk.pauses == sorted(desk.pauses)
    assert len(desk.pauses) == TRIES
    assert desk.telemetry.events == []


def test_an_entry_that_stays_refused_is_reported(desk: Desk) -> None:
    """After three tries a line says why, and its sender decides; its neighbours are sent."""
    desk.expect("normal-short", 0, 1, answer={**accepted(1), "Failed": refused(0)})
    for _ in range(TRIES - 1):
        desk.expect("normal-short", 0, answer={**accepted(), "Failed": refused(0)})

    assert desk.publisher.publish_all([message(0), message(1)]) == [False, True]
    assert [each.fields for each in desk.telemetry.named("send_failed")] == [
        {"queue_url": URLS["normal-short"], "detail": "1 refused: InternalError"}
    ]


def test_a_call_that_fails_leaves_its_messages_unsent_and_the_others_alone(desk: Desk) -> None:
    """The client has tried again already; the failure is logged, not raised."""
    desk.expect("normal-short", *range(10))
    desk.stubber.add_client_error("send_message_batch", "RequestThrottled")
    desk.expect("critical-short", 11)
    messages = [message(n) for n in range(11)] + [message(11, priority=Priority.CRITICAL)]

    assert desk.publisher.publish_all(messages) == [True] * 10 + [False, True]
    assert [URLS["normal-short"]] == [
        event.fields["queue_url"] for event in desk.telemetry.named("send_failed")
    ]


def test_ten_of_the_largest_messages_fit_into_a_batch(desk: Desk) -> None:
    """A message stays far below the queue's limit: payloads do not travel."""
    longest = attempt_factory(
        tenant=TenantId("t" * 128), id=attempt_id(999_999_999), due_at=after(0.999)
    )
    desk.expect("normal-short", *range(10))
    delayed = Delayed(message=RunMessage.of(longest), delay_seconds=900)
    desk.publisher.publish_all([delayed] * 10)
    size = sum(len(entry["MessageBody"].encode()) for entry in desk.sent)

    assert size < SQS_LIMIT / 50
    assert {"t" * 128} == {entry["MessageGroupId"] for entry in desk.sent}
