"""One queue of SQS in virtual time, with its messages."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from tests.crash.services.service import KIND, Service
from timegate.domain.runs.watch import MAX_RECEIVES

#: The queue of looks. It is never empty for long, and none of its messages is owed anything.
LOOKS = "looks"
#: The queue of events that are to be sent, and of those that were not.
EVENTS, UNSENT = "cloud-events", "cloud-events-dlq"
#: Messages of a batch are executed in turn: a run that waits for its target holds up others.
BATCH = {"short": 10, "long": 1}
#: Counts of a queue are that old, at most: they are eventually consistent.
#: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/API_GetQueueAttributes.html
COUNTED_EVERY = timedelta(minutes=1)


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
    _counted_at: datetime | None = None
    _counts: tuple[int, int] = (0, 0)

    def begin(self, service: Service) -> None:
        """Forget all messages; a new story has another service."""
        self.messages.clear()
        self.service, self._counted_at = service, None

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
        if self.service.is_careless:
            seen.reverse()
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

    def hide(self, receipt: str, until: datetime, now: datetime) -> bool:
        """Hide a message on; ``False``: it is gone, was received again, or shows itself."""
        for message in self.messages:
            if message.receipt == receipt and message.visible_at > now:
                message.visible_at = until
                return True
        return False

    def counts(self, now: datetime) -> tuple[int, int]:
        """Count what is ready and what is in flight, or was a while ago."""
        is_old = self._counted_at is None or now - self._counted_at >= COUNTED_EVERY
        if is_old or not self.service.is_careless:
            ready = sum(each.visible_at <= now for each in self.messages)
            in_flight = sum(each.visible_at > now and each.receives > 0 for each in self.messages)
            self._counted_at, self._counts = now, (ready, in_flight)
        return self._counts

    def next_at(self) -> datetime | None:
        """Instant at which the next message is visible."""
        return min((message.visible_at for message in self.messages), default=None)
