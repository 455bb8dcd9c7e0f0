"""The inbox, the backlog and the queue of rejects."""

import json
from typing import Any

import pytest

from tests.support.factories import NOW, after
from tests.unit.adapters.conftest import Stubbed
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.adapters.sqs.backlog import SqsBacklog
from timegate.adapters.sqs.inbox import TRIES, SqsInbox
from timegate.adapters.sqs.look_queue import SqsLookQueue
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.domain.dispatch.looks import ShardLook
from timegate.domain.runs.watch import QueueDepth

URL = "https://sqs.us-east-1.amazonaws.com/111122223333/normal-short"
#: SQS's limit for a message, in bytes.
SQS_LIMIT = 262_144


def hiding(receipts: list[str], seconds: int) -> dict[str, Any]:
    """Return a batch that hides these messages."""
    return {
        "QueueUrl": URL,
        "Entries": [
            {"Id": str(n), "ReceiptHandle": receipt, "VisibilityTimeout": seconds}
            for n, receipt in enumerate(receipts)
        ],
    }


def test_messages_are_hidden_ten_a_call(stubbed: Stubbed) -> None:
    """SQS takes no more at once."""
    client, stubber = stubbed("sqs")
    receipts = [f"receipt-{n}" for n in range(12)]
    done: dict[str, list[object]] = {"Successful": [], "Failed": []}
    for part in (receipts[:10], receipts[10:]):
        stubber.add_response("change_message_visibility_batch", done, hiding(part, 65))
    SqsInbox(client, URL, MemoryTelemetry()).hide(receipts, seconds=65)

    stubber.assert_no_pending_responses()


def test_hiding_nothing_is_no_call(stubbed: Stubbed) -> None:
    """A batch without malformed messages asks for nothing."""
    client, _ = stubbed("sqs")

    SqsInbox(client, URL, MemoryTelemetry()).hide([], seconds=0)


def test_a_message_that_cannot_be_hidden_is_no_error(stubbed: Stubbed) -> None:
    """It was deleted, or has shown itself again: its lease decides, not its invisibility."""
    client, stubber = stubbed("sqs")
    failed = [{"Id": "0", "SenderFault": True, "Code": "MessageNotInflight"}]
    stubber.add_response("change_message_visibility_batch", {"Successful": [], "Failed": failed})
    telemetry = MemoryTelemetry()
    SqsInbox(client, URL, telemetry).hide(["receipt"], seconds=65)

    assert telemetry.events == []


def refused(*ids: int) -> dict[str, Any]:
    """An answer of a queue that failed for these entries of a batch."""
    entries = [{"Id": str(n), "SenderFault": False, "Code": "InternalError"} for n in ids]
    return {"Successful": [], "Failed": entries}


def test_an_entry_that_sqs_fails_for_is_hidden_by_another_call(stubbed: Stubbed) -> None:
    """A message that is early would stay hidden for as long as an executor may work."""
    client, stubber = stubbed("sqs")
    receipts = ["a", "b", "c"]
    again = hiding(receipts, 30)
    again["Entries"] = again["Entries"][1:2]
    stubber.add_response("change_message_visibility_batch", refused(1), hiding(receipts, 30))
    stubber.add_response("change_message_visibility_batch", refused(), again)
    telemetry = MemoryTelemetry()
    SqsInbox(client, URL, telemetry).hide(receipts, seconds=30)

    assert telemetry.events == []


def test_an_entry_that_sqs_keeps_failing_for_is_logged_once(stubbed: Stubbed) -> None:
    """After three tries; the messages behind its batch are deleted."""
    client, stubber = stubbed("sqs")
    receipts = [f"receipt-{n}" for n in range(11)]
    for _ in range(TRIES):
        stubber.add_response("delete_message_batch", refused(3))
    stubber.add_response("delete_message_batch", refused())
    telemetry = MemoryTelemetry()
    SqsInbox(client, URL, telemetry).acknowledge(receipts)

    assert [each.fields["detail"] for each in telemetry.named("acknowledge_failed")] == [
        "InternalError"
    ]


def test_a_call_that_fails_is_logged_and_the_rest_is_hidden(stubbed: Stubbed) -> None:
    """Work under way is not given up because a queue is overloaded."""
    client, stubber = stubbed("sqs")
    receipts = [f"receipt-{n}" for n in range(11)]
    stubber.add_client_error("change_message_visibility_batch", "RequestThrottled")
    stubber.add_response(
        "change_message_visibility_batch",
        {"Successful": [], "Failed": []},
        hiding(receipts[10:], 2),
    )
    telemetry = MemoryTelemetry()
    SqsInbox(client, URL, telemetry).hide(receipts, seconds=2)

    assert len(telemetry.named("hide_failed")) == 1


@pytest.mark.parametrize(
    ("ready", "in_flight", "load"),
    [
        ("0", "0", QueueDepth.IDLE),
        ("1", "0", QueueDepth.READY),
        ("0", "1", QueueDepth.IN_FLIGHT),
        ("3", "2", QueueDepth.READY),
    ],
)
def test_a_queues_load_tells_what_waits_from_what_workers_hold(
    stubbed: Stubbed, ready: str, in_flight: str, load: QueueDepth
) -> None:
    """Delayed messages are of runs still to come, and are not asked about."""
    client, stubber = stubbed("sqs")
    names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"]
    stubber.add_response(
        "get_queue_attributes",
        {"Attributes": dict(zip(names, (ready, in_flight), strict=True))},
        {"QueueUrl": URL, "AttributeNames": names},
    )

    backlog = SqsBacklog(client, {"normal-short": URL}, MemoryTelemetry())

    assert backlog.load("normal-short") is load


def test_a_queue_that_does_not_answer_counts_as_one_with_messages(stubbed: Stubbed) -> None:
    """No run is published for it a second time, and the sweeper goes on with all others."""
    client, stubber = stubbed("sqs")
    stubber.add_client_error("get_queue_attributes", "RequestThrottled")
    telemetry = MemoryTelemetry()
    backlog = SqsBacklog(client, {"normal-short": URL}, telemetry)

    assert backlog.load("normal-short") is QueueDepth.READY
    assert [each.fields["queue_url"] for each in telemetry.named("backlog_unknown")] == [URL]


def parked(stubbed: Stubbed, source: str, body: str, reason: str) -> str:
    """Return the body that reaches the queue of rejects."""
    client, stubber = stubbed("sqs")
    sent: list[str] = []
    client.meta.events.register(
        "provide-client-params.sqs", lambda params, **_: sent.append(params["MessageBody"])
    )
    stubber.add_response("send_message", {"MessageId": "m-1"})
    SqsRejects(client, URL).park(source, body, reason)
    return sent[0]


def test_a_reject_says_where_it_came_from_and_what_was_wrong(stubbed: Stubbed) -> None:
    """A human reads it, and may send its body again."""
    sent = parked(stubbed, "relay stream", '{"odd": 1}', "The image is no attempt.")

    assert json.loads(sent) == {
        "source": "relay stream",
        "reason": "The image is no attempt.",
        "body": '{"odd": 1}',
    }


@pytest.mark.parametrize("character", ["x", "\x00", "é", "\U0001f600"], ids=ascii)
def test_a_reject_fits_into_a_message_whatever_it_holds(stubbed: Stubbed, character: str) -> None:
    """JSON writes a character as up to twelve bytes; one that is refused would come for ever."""
    sent = parked(stubbed, "relay stream", character * 400_000, character * 400_000)

    assert len(sent.encode()) <= SQS_LIMIT
    assert json.loads(sent)["body"].startswith(character * 10_000)


def test_a_look_that_sqs_refuses_is_logged(stubbed: Stubbed) -> None:
    """The others are taken; the next tick asks for those of its own minute."""
    client, stubber = stubbed("sqs")
    taken = {"Id": "1", "MessageId": "m", "MD5OfMessageBody": ""}
    stubber.add_response("send_message_batch", {**refused(0), "Successful": [taken]})
    telemetry = MemoryTelemetry()
    looks = [ShardLook(shards=(0, 1), of=4, at=at) for at in (NOW, after(36))]

    assert SqsLookQueue(client, URL, telemetry).send_all(looks, now=NOW) == 1
    assert [each.fields for each in telemetry.named("looks_not_sent")] == [
        {"detail": "1 refused: InternalError"}
    ]
