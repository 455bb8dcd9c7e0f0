"""The way into the run queues, in memory."""

from collections.abc import Sequence
from threading import Lock

from timegate.domain.runs.gate import QUEUE_LIMIT_SECONDS
from timegate.ports.dispatch.messaging import Delayed


class MemoryPublisher:
    """The twin of ``SqsPublisher``: keeps what was sent."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.sent: list[Delayed] = []
        #: Queue keys that refuse messages, as an overloaded queue does.
        self.refusing: set[str] = set()

    def publish_all(self, messages: Sequence[Delayed]) -> list[bool]:
        """Keep messages; ``False`` where the queue refuses."""
        assert all(0 <= each.delay_seconds <= QUEUE_LIMIT_SECONDS for each in messages)
        with self._lock:
            accepted = [m.message.queue_key not in self.refusing for m in messages]
            pairs = zip(messages, accepted, strict=True)
            self.sent += [message for message, taken in pairs if taken]
            return accepted
