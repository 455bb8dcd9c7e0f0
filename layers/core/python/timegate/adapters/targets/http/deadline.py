"""Deadlines: one instant after which no step of a call may wait."""

import time
from collections.abc import Callable
from typing import Self

from timegate.value_classes import dataclass


class DeadlinePassed(Exception):
    """The call is out of time."""


@dataclass(frozen=True, slots=True)
class Deadline:
    """An instant of the monotonic clock, which no correction of the time of day moves."""

    at: float
    monotonic: Callable[[], float] = time.monotonic

    @classmethod
    def after(cls, seconds: float, monotonic: Callable[[], float] = time.monotonic) -> Self:
        """Return the deadline that is so many seconds away."""
        return cls(monotonic() + seconds, monotonic)

    def within(self, seconds: float) -> "Deadline":
        """Return the earlier one of this deadline and one in so many seconds."""
        return Deadline(min(self.at, self.monotonic() + seconds), self.monotonic)

    def remaining(self) -> float:
        """Return the seconds that are left, always more than zero; raises ``DeadlinePassed``."""
        seconds = self.at - self.monotonic()
        if seconds <= 0:
            raise DeadlinePassed
        return seconds
