"""SQS in virtual time: no emulator lets a test step its clock."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import urlsplit

from botocore.awsrequest import AWSPreparedRequest, AWSResponse

from infra.stage.delivery import (
    DEAD_LETTER_TIMEOUT_SECONDS,
    EVENT_TIMEOUT_SECONDS,
    EVENT_TRIES,
    LOOK_RETENTION_SECONDS,
    VISIBILITY_PER_TIMEOUT,
)
from infra.stage.settings import STAGES
from tests.crash.services.service import KIND, Service
from tests.support.stores.dynamodb_inside import answer, body_of
from timegate.domain.runs.watch import MAX_RECEIVES
from timegate.ports.clock import Clock

HOST = "https://sqs.us-east-1.amazonaws.com/111122223333"
#: The stack makes them alike: a message is hidden as long as its executor may work.
VISIBILITY = {
    name: timedelta(seconds=own.timeout_seconds) for name, own in STAGES["prod"].classes.items()
}
DEAD_LETTER_VISIBILITY = timedelta(seconds=VISIBILITY_PER_TIMEOUT * DEAD_LETTER_TIMEOUT_SECONDS)
#: The queue of looks. It is never empty for long, and none of its messages is owed anything.
LOOKS = "looks"
LOOK_VISIBILITY = timedelta(seconds=VISIBILITY_PER_TIMEOUT * STAGES["prod"].tick_timeout_seconds)
#: The queue of events that are to be sent, and of those that were not.
EVENTS, UNSENT = "cloud-events", "cloud-events-dlq"
EVENT_VISIBILITY = timedelta(seconds=VISIBILITY_PER_TIMEOUT * EVENT_TIMEOUT_SECONDS)
#: Messages of a batch are executed in turn: a run that waits for its target holds up others.
BATCH = {"short": 10, "long": 1}


@dataclass
class Message:
    """One message, wherever it is in its life."""

    id: str
    body: str
    visible_at: datetime
    #: SQS deletes it then.
    expires_at: datetime | None = None
    receives: int = 0
    receipt: str = ""
    #: Copies of a message lie on several servers of SQS; each has receipts of its own.
    copy: int = 0

    def is_over(self, now: datetime) -> bool:
        """Return whether its queue has kept it for the longest time."""
        return self.expires_at is not None and self.expires_at <= now

    def record(self, queue: str) -> dict[str, str]:
        """Return the record in a function's event."""
        return {
            "messageId": self.id,
            "receiptHandle": self.receipt,
            "body": self.body,
            "eventSource": "aws:sqs",
            "eventSourceARN": f"arn:aws:sqs:us-east-1:111122223333:{queue}",
        }


@dataclass
class Queue:
    """One queue, and the one its poison goes to."""

    name: str
    visibility: timedelta
    dead_letters: "Queue | None" = None
    most_receives: int = MAX_RECEIVES
    #: So many messages are received together.
    batch: int = BATCH["short"]
    #: Messages are kept so long, received or not; ``None``: longer than a story.
    retention: timedelta | None = None
    service: Service = KIND
    messages: list[Message] = field(default_factory=list)

    @property
    def holds_looks(self) -> bool:
        """Nothing is owed to its messages: ticks send others."""
        return self.name == LOOKS

    @property
    def holds_runs(self) -> bool:
        """Its messages name runs."""
        return self.name not in {LOOKS, EVENTS, UNSENT}

    def put(self, name: str, body: str, *, now: datetime, visible_at: datetime) -> None:
        """Take a message that was sent now."""
        expires_at = now + self.retention if self.retention is not None else None
        for copy, delay in enumerate(self.service.delays):
            message = Message(name, body, visible_at + delay, expires_at, copy=copy)
            self.messages.append(message)

    def receive(self, now: datetime) -> list[Message]:
        """A batch of what can be seen; what was received too often goes to the dead letters."""
        self.messages = [message for message in self.messages if not message.is_over(now)]
        seen = [message for message in self.messages if message.visible_at <= now]
        received = []
        for message in seen[: self.batch]:
            if self.dead_letters is not None and message.receives >= self.most_receives:
                self.messages.remove(message)
                self.dead_letters.put(message.id, message.body, now=now, visible_at=now)
                continue
            message.receives += 1
            message.receipt = f"{message.id}-{message.copy}-{message.receives}"
            message.visible_at = now + self.visibility
            received.append(message)
        return received

    def delete(self, receipt: str) -> Message | None:
        """Only the latest receipt of a message counts; what was deleted, if it was there."""
        found = next((each for each in self.messages if each.receipt == receipt), None)
        if found is not None:
            self.messages.remove(found)
        return found

    def next_at(self) -> datetime | None:
        """Instant at which the next message is visible."""
        return min((message.visible_at for message in self.messages), default=None)


class Queues:
    """The run queues with their dead letters, and that of the rejects."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._numbers = count(1)
        self.queues: dict[str, Queue] = {}
        self.rejected: list[str] = []
        #: Events that SQS took, and lost.
        self.lost_events: list[str] = []
        #: Called with the body of each message that is deleted, by the actor at work.
        self.watch_deleted: Callable[[str], None] = lambda _: None
        for resource_class, visibility in VISIBILITY.items():
            name = f"normal-{resource_class}"
            dead = Queue(name=f"{name}-dead", visibility=DEAD_LETTER_VISIBILITY)
            self.queues[name] = Queue(
                name=name, visibility=visibility, dead_letters=dead, batch=BATCH[resource_class]
            )
            self.queues[dead.name] = dead
        self.queues[LOOKS] = Queue(
            name=LOOKS,
            visibility=LOOK_VISIBILITY,
            batch=1,
            retention=timedelta(seconds=LOOK_RETENTION_SECONDS),
        )
        unsent = Queue(name=UNSENT, visibility=EVENT_VISIBILITY)
        self.queues[EVENTS] = Queue(
            name=EVENTS,
            visibility=EVENT_VISIBILITY,
            dead_letters=unsent,
            most_receives=EVENT_TRIES,
        )
        self.queues[UNSENT] = unsent

    @property
    def urls(self) -> dict[str, str]:
        """Queues' addresses for functions."""
        return {f"normal-{each}": f"{HOST}/normal-{each}" for each in VISIBILITY}

    @property
    def owe_nothing(self) -> bool:
        """No message is left but looks."""
        return not any(each.messages for each in self.queues.values() if not each.holds_looks)

    def begin(self, service: Service) -> None:
        """A new story: nothing is left in any of them."""
        self.rejected.clear()
        self.lost_events.clear()
        for queue in self.queues.values():
            queue.messages.clear()
            queue.service = service

    def send(self, request: AWSPreparedRequest) -> AWSResponse:
        """Serve one request of SQS's JSON protocol."""
        operation = _operation(request)
        asked = json.loads(body_of(request))
        done = getattr(self, f"_{operation}")(asked)
        headers = {"content-type": "application/x-amz-json-1.0"}
        return answer(request, 200, headers, json.dumps(done).encode())

    def lose(self, request: AWSPreparedRequest) -> AWSResponse:
        """Answer as if messages had been taken, and take none."""
        headers = {"content-type": "application/x-amz-json-1.0"}
        asked = json.loads(body_of(request))
        if self._queue(asked).name == EVENTS:
            self.lost_events += [entry["MessageBody"] for entry in asked["Entries"]]
        return answer(request, 200, headers, json.dumps(_all_done(asked)).encode())

    def _SendMessage(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802 - SQS's names
        self.rejected.append(asked["MessageBody"])
        return {"MessageId": f"rejected-{len(self.rejected)}"}

    def _SendMessageBatch(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        queue = self._queue(asked)
        for entry in asked["Entries"]:
            now = self._clock.now()
            visible_at = now + timedelta(seconds=entry.get("DelaySeconds", 0))
            name = f"message-{next(self._numbers)}"
            queue.put(name, entry["MessageBody"], now=now, visible_at=visible_at)
        return _all_done(asked)

    def _DeleteMessageBatch(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        for entry in asked["Entries"]:
            deleted = self._queue(asked).delete(entry["ReceiptHandle"])
            if deleted is not None:
                self.watch_deleted(deleted.body)
        return _all_done(asked)

    def _ChangeMessageVisibilityBatch(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        now = self._clock.now()
        hidden = {e["ReceiptHandle"]: e["VisibilityTimeout"] for e in asked["Entries"]}
        for message in self._queue(asked).messages:
            if message.receipt in hidden:
                message.visible_at = now + timedelta(seconds=hidden[message.receipt])
        return _all_done(asked)

    def _GetQueueAttributes(self, asked: dict[str, Any]) -> dict[str, Any]:  # noqa: N802
        now, messages = self._clock.now(), self._queue(asked).messages
        ready = sum(each.visible_at <= now for each in messages)
        in_flight = sum(each.visible_at > now and each.receives > 0 for each in messages)
        return {
            "Attributes": {
                "ApproximateNumberOfMessages": str(ready),
                "ApproximateNumberOfMessagesNotVisible": str(in_flight),
            }
        }

    def _queue(self, asked: dict[str, Any]) -> Queue:
        return self.queues[urlsplit(asked["QueueUrl"]).path.rpartition("/")[2]]


def _all_done(asked: dict[str, Any]) -> dict[str, Any]:
    done = [{"Id": each["Id"], "MessageId": each["Id"]} for each in asked["Entries"]]
    return {"Successful": done, "Failed": []}


def _operation(request: AWSPreparedRequest) -> str:
    target = request.headers["X-Amz-Target"]
    return str(target.decode() if isinstance(target, bytes) else target).rpartition(".")[2]
