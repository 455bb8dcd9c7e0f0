"""Turns of rate limits, in memory."""

from collections.abc import Sequence
from datetime import datetime
from threading import Lock

from timegate.domain.limits.rate_limit import (
    RateKey,
    Wish,
    from_microseconds,
    microseconds,
    take_turns,
)


class MemoryRateStore:
    """The twin of ``DynamoRateStore``."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.used_until: dict[RateKey, int] = {}

    def take_turns(
        self, key: RateKey, wishes: Sequence[Wish], *, at: datetime
    ) -> list[datetime | None]:
        """Reserve calls; ``None`` for each that would come too late."""
        with self._lock:
            used = self.used_until.get(key, 0)
            turns = take_turns(wishes, at=microseconds(at), used_until=used)
            if any(turn is not None for turn in turns.at):
                self.used_until[key] = turns.used_until
            return [None if turn is None else from_microseconds(turn) for turn in turns.at]

    def hold_back(self, key: RateKey, *, used_until: int, at: datetime) -> None:
        """Let no turn be given before."""
        del at
        with self._lock:
            self.used_until[key] = max(self.used_until.get(key, 0), used_until)
