"""The queue of looks, in memory."""

from collections.abc import Sequence
from datetime import datetime

from timegate.domain.dispatch.looks import ShardLook
from timegate.domain.runs.gate import QUEUE_LIMIT_SECONDS

_MAX_BATCH = 10


class MemoryLookQueue:
    """Keeps what was sent."""

    def __init__(self) -> None:
        self.sent: list[ShardLook] = []

    def send_all(self, looks: Sequence[ShardLook], *, now: datetime) -> int:
        """Send looks, each delayed to its instant; how many were accepted."""
        # SQS takes no empty batch, and no more than ten messages in one.
        assert 1 <= len(looks) <= _MAX_BATCH
        assert all(look.delay_seconds(now) <= QUEUE_LIMIT_SECONDS for look in looks)
        self.sent.extend(looks)
        return len(looks)
