"""The queue of events and the bus, in memory."""

from collections.abc import Sequence

from timegate.ports.dispatch.cloud_events import Document


class MemoryEventQueue:
    """The twin of ``SqsEventQueue``: keeps what was added."""

    def __init__(self) -> None:
        self.kept: list[Document] = []
        #: It takes nothing, as one that SQS throttles.
        self.is_refusing = False

    def add_all(self, documents: Sequence[Document]) -> list[bool]:
        """Keep events; ``False`` for all where the queue refuses."""
        if not self.is_refusing:
            self.kept += documents
        return [not self.is_refusing] * len(documents)


class MemoryEventBus:
    """The twin of ``EventBridgeBus``: keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[Document] = []
        #: Ids of events that it does not take.
        self.refusing: set[str] = set()

    def put_all(self, documents: Sequence[Document]) -> list[bool]:
        """Keep events; ``False`` where the bus refuses."""
        taken = [each["id"] not in self.refusing for each in documents]
        self.sent += [each for each, ok in zip(documents, taken, strict=True) if ok]
        return taken
