"""Timegate's own queues on moto: what is published is received, hidden and acknowledged."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.support.factories import NOW, after, attempt_factory, attempt_id, job_id
from tests.support.stores.moto_inside import Aws
from timegate.adapters.memory.telemetry import MemoryTelemetry
from timegate.adapters.sqs.backlog import SqsBacklog
from timegate.adapters.sqs.inbox import SqsInbox
from timegate.adapters.sqs.look_queue import SqsLookQueue
from timegate.adapters.sqs.publisher import SqsPublisher
from timegate.adapters.sqs.rejects import SqsRejects
from timegate.domain.dispatch.looks import ShardLook
from timegate.domain.dispatch.message import RunMessage
from timegate.domain.runs.watch import QueueDepth
from timegate.ports.dispatch.messaging import Delayed
from timegate.ports.telemetry import run_events
from timegate.runtime.events.queue_records import read_deliveries

if TYPE_CHECKING:
    from mypy_boto3_sqs import SQSClient

KEY = "normal-short"


@pytest.fixture
def sqs(aws: Aws) -> "SQSClient":
    """A client of moto's SQS."""
    client: SQSClient = aws("sqs")
    return client


@pytest.fixture
def queue(sqs: "SQSClient") -> Iterator[str]:
    """A new queue."""
    url = sqs.create_queue(QueueName="runs", Attributes={"VisibilityTimeout": "600"})["QueueUrl"]
    yield url
    sqs.delete_queue(QueueUrl=url)


@pytest.fixture
def telemetry() -> MemoryTelemetry:
    return MemoryTelemetry()


def message(number: int, *, delay_seconds: int = 0) -> Delayed:
    """The message of one run of many."""
    attempt = attempt_factory(id=attempt_id(job=job_id(str(number))))
    told = replace(RunMessage.of(attempt), queue_key=KEY)
    return Delayed(message=told, delay_seconds=delay_seconds)


def received(sqs: "SQSClient", url: str) -> list[Any]:
    """Every message that is ready."""
    found: list[Any] = []
    while answer := sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10).get("Messages"):
        found += answer
    return found


def test_runs_are_published_received_and_acknowledged(
    sqs: "SQSClient", queue: str, telemetry: MemoryTelemetry
) -> None:
    """More than a batch: the backlog is ready, in flight and empty in turn."""
    backlog = SqsBacklog(sqs, {KEY: queue}, MemoryTelemetry())
    publisher = SqsPublisher(sqs, {KEY: queue}, telemetry=telemetry)
    sent = [message(number) for number in range(12)]
    loads = [backlog.load(KEY)]
    published = publisher.publish_all(sent)
    loads.append(backlog.load(KEY))
    found = received(sqs, queue)
    loads.append(backlog.load(KEY))
    SqsInbox(sqs, queue, telemetry).acknowledge([each["ReceiptHandle"] for each in found])
    loads.append(backlog.load(KEY))
    read = [RunMessage.from_fields(json.loads(each["Body"]), queue_key=KEY) for each in found]

    assert published == [True] * 12
    assert sorted(map(repr, read)) == sorted(repr(each.message) for each in sent)
    assert loads == [QueueDepth.IDLE, QueueDepth.READY, QueueDepth.IN_FLIGHT, QueueDepth.IDLE]
    assert telemetry.events == []


def test_a_delayed_run_is_not_received_yet(
    sqs: "SQSClient", queue: str, telemetry: MemoryTelemetry
) -> None:
    """A queue holds it, and its backlog does not count it."""
    publisher = SqsPublisher(sqs, {KEY: queue}, telemetry=telemetry)

    assert publisher.publish_all([message(0, delay_seconds=900)]) == [True]
    assert received(sqs, queue) == []
    assert SqsBacklog(sqs, {KEY: queue}, MemoryTelemetry()).load(KEY) is QueueDepth.IDLE


def test_a_message_that_is_hidden_for_no_time_is_received_again(
    sqs: "SQSClient", queue: str, telemetry: MemoryTelemetry
) -> None:
    """A hidden one is not, however often it was received before."""
    SqsPublisher(sqs, {KEY: queue}, telemetry=telemetry).publish_all([message(0)])
    (found,) = received(sqs, queue)
    inbox = SqsInbox(sqs, queue, telemetry)

    inbox.hide([found["ReceiptHandle"]], seconds=60)
    assert received(sqs, queue) == []
    inbox.hide([found["ReceiptHandle"]], seconds=0)
    assert [each["MessageId"] for each in received(sqs, queue)] == [found["MessageId"]]


def test_an_unknown_receipt_hides_nothing_and_is_no_error(
    sqs: "SQSClient", queue: str, telemetry: MemoryTelemetry
) -> None:
    """Its message was deleted, or belongs to another receiver by now."""
    SqsInbox(sqs, queue, telemetry).hide(["unknown"], seconds=60)

    assert received(sqs, queue) == []


def test_a_queue_that_is_gone_accepts_nothing(
    sqs: "SQSClient", queue: str, telemetry: MemoryTelemetry
) -> None:
    """The publisher says which messages were not sent, and logs why."""
    publisher = SqsPublisher(sqs, {KEY: f"{queue}-gone"}, telemetry=telemetry)

    assert publisher.publish_all([message(0)]) == [False]
    assert len(telemetry.events) == 1


def test_looks_are_held_until_their_instants(
    sqs: "SQSClient", queue: str, telemetry: MemoryTelemetry
) -> None:
    """One that is due is received, and read back as it was sent."""
    looks = [ShardLook(shards=(0, 1), of=4, at=at) for at in (NOW, after(36))]
    accepted = SqsLookQueue(sqs, queue, telemetry).send_all(looks, now=NOW)
    (found,) = received(sqs, queue)

    assert accepted == 2
    assert ShardLook.parse(json.loads(found["Body"])) == looks[0]


def test_what_is_parked_names_its_source_and_its_reason(sqs: "SQSClient", queue: str) -> None:
    """A human reads it."""
    SqsRejects(sqs, queue).park("jobs", "body", "reason")
    (found,) = received(sqs, queue)

    assert json.loads(found["Body"]) == {"source": "jobs", "body": "body", "reason": "reason"}


def test_an_executor_receives_what_a_source_would_hand_over(
    sqs: "SQSClient", queue: str, telemetry: MemoryTelemetry
) -> None:
    """No more than asked for, hidden as long as it says; a queue that is empty has none."""
    SqsPublisher(sqs, {KEY: queue}, telemetry=telemetry).publish_all([message(n) for n in range(3)])
    inbox = SqsInbox(sqs, queue, telemetry)
    first, rest, none = (
        read_deliveries(inbox.receive(limit, hidden), KEY, telemetry).deliveries
        for limit, hidden in ((2, 0), (100, 60), (1, 60))
    )

    assert len(first) == 2
    assert len({each.message.attempt for each in rest}) == 3
    assert none == ()
    assert all(each.sent_at is not None for each in rest)
    inbox.acknowledge([each.receipt for each in rest])
    assert SqsBacklog(sqs, {KEY: queue}, MemoryTelemetry()).load(KEY) is QueueDepth.IDLE


def test_a_queue_that_does_not_answer_gives_no_messages(
    sqs: "SQSClient", telemetry: MemoryTelemetry
) -> None:
    """Runs under way go on; Lambda hands the messages over."""
    found = SqsInbox(sqs, "https://sqs.us-east-1.amazonaws.com/1/none", telemetry).receive(10, 60)

    assert found == {"Records": []}
    assert [each.name for each in telemetry.events] == [run_events.RECEIVE_FAILED]
