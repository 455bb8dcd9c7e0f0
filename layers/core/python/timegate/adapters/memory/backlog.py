"""Lengths of the run queues, in memory."""

from timegate.domain.runs.watch import QueueDepth


class MemoryBacklog:
    """The twin of ``SqsBacklog``: queues are idle unless named."""

    def __init__(self) -> None:
        #: Messages wait in these.
        self.busy: set[str] = set()
        #: Workers have received all messages of these.
        self.in_flight: set[str] = set()
        #: Each question: one call to a queue.
        self.asked: list[str] = []

    def load(self, queue_key: str) -> QueueDepth:
        """Its messages that are ready or in flight."""
        self.asked.append(queue_key)
        if queue_key in self.busy:
            return QueueDepth.READY
        return QueueDepth.IN_FLIGHT if queue_key in self.in_flight else QueueDepth.IDLE
