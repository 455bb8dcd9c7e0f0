"""How full the run queues are, in memory."""


class MemoryBacklog:
    """The twin of ``SqsBacklog``: queues are idle unless named busy."""

    def __init__(self) -> None:
        self.busy: set[str] = set()
        #: Each question: one call to a queue.
        self.asked: list[str] = []

    def is_idle(self, queue_key: str) -> bool:
        """No message is ready or in flight."""
        self.asked.append(queue_key)
        return queue_key not in self.busy
