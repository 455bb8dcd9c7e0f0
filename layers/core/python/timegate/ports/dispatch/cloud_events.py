"""CloudEvents on their way: the queue that keeps them, and the bus of the stage."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

Document = Mapping[str, Any]


class EventQueue(Protocol):
    """The queue between readers of streams and the bus: a bus that fails holds up no reader."""

    def add_all(self, documents: Sequence[Document]) -> list[bool]:
        """Keep events; ``False`` where the queue did not take one. Raises nothing."""


class EventBus(Protocol):
    """The bus that subscribers have rules on."""

    def put_all(self, documents: Sequence[Document]) -> list[bool]:
        """Send events; ``False`` where the bus did not take one. Raises nothing."""
