"""The run queues, as those see them that send and receive runs."""

from collections.abc import Sequence
from typing import Protocol

from timegate.domain.dispatch.message import RunMessage
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Delayed:
    """A message, and the whole seconds (0 to 900) its queue holds it."""

    message: RunMessage
    delay_seconds: int


class Publisher(Protocol):
    """Writes to the run queues."""

    def publish_all(self, messages: Sequence[Delayed]) -> list[bool]:
        """Send in batches per queue; ``False`` where a queue refused, after retries."""


class Inbox(Protocol):
    """The queue an executor is fed from."""

    def hide(self, receipts: Sequence[str], *, seconds: int) -> None:
        """Keep received messages invisible for ``seconds`` (0 to 43,200) from now."""

    def acknowledge(self, receipts: Sequence[str]) -> None:
        """Delete received messages before their work is done: they never come again.

        One that could not be deleted comes again, and finds its run claimed.
        """


class Rejects(Protocol):
    """Messages and records that functions cannot read, kept for operators."""

    def park(self, source: str, body: str, reason: str) -> None:
        """Store one, with where it came from and what was wrong."""
