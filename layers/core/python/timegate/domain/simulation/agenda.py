"""Events of a simulation, on a clock that jumps."""

from collections.abc import Callable
from datetime import datetime
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from typing import Any

from timegate.domain.values.errors import InvalidInput

Act = Callable[[datetime], None]


class EventOrder(IntEnum):
    """Order of events in the same millisecond."""

    RESUME = 0
    EDIT = 1
    PAUSE = 2
    CANCEL = 3
    TRIGGER = 4
    TICK = 5
    SWEEP = 6
    CLAIM = 7
    WORK = 8
    #: At what is to be told.
    LOOK = 9


class Agenda:
    """Things to come, taken in order."""

    def __init__(self, now: datetime, *, most_steps: int) -> None:
        self.now = now
        self._most_steps = most_steps
        self._taken = 0
        self._looks = 0
        self._numbers = count()
        self._entries: list[tuple[datetime, EventOrder, tuple[Any, ...], int, Act]] = []

    def at(
        self, instant: datetime, turn: EventOrder, act: Act, *, order: tuple[Any, ...] = ()
    ) -> None:
        """Enter something; ``order`` sorts what has the same turn in the same millisecond."""
        heappush(self._entries, (instant, turn, order, next(self._numbers), act))

    @property
    def upcoming(self) -> tuple[datetime, EventOrder] | None:
        """Return the instant and turn of the next event."""
        return self._entries[0][:2] if self._entries else None

    def take(self) -> None:
        """Let the next thing happen; raises ``InvalidInput`` when there is no end of it."""
        self.now, turn, _, _, act = heappop(self._entries)
        self._taken += turn is not EventOrder.LOOK
        self._looks += turn is EventOrder.LOOK
        if self._taken > self._most_steps:
            detail = f"It takes more than {self._most_steps} steps: too many runs wait for others."
            raise InvalidInput("to", "simulation_too_large", detail)
        if self._looks > self._most_steps:
            detail = f"It takes more than {self._most_steps} looks at absences and rules."
            raise InvalidInput("to", "simulation_too_large", detail)
        act(self.now)
