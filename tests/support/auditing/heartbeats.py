"""Heartbeats that are kept instead of sent."""

from dataclasses import dataclass, field


@dataclass
class MemoryHeartbeat:
    """An address that takes every heartbeat, or fails each in the same way."""

    failure: str | None = None
    beats: list[int] = field(default_factory=list)

    def beat(self, group: int) -> str | None:
        """Keep it."""
        self.beats.append(group)
        return self.failure
