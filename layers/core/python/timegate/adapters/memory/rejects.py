"""Rejected messages and records, in memory."""

from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ParkedMessage:
    """A message or record kept for a human."""

    source: str
    body: str
    reason: str


class MemoryRejects:
    """The twin of ``SqsRejects``."""

    def __init__(self) -> None:
        self.parked: list[ParkedMessage] = []

    def park(self, source: str, body: str, reason: str) -> None:
        """Keep one."""
        self.parked.append(ParkedMessage(source=source, body=body, reason=reason))
