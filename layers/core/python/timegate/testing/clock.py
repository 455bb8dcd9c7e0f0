"""A clock that stands still until the test steps it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

START = datetime(2026, 1, 1, tzinfo=UTC)


class SteppedClock:
    """Time of one run under test: a step takes no real time, and brings the heartbeats due."""

    def __init__(self, start: datetime = START) -> None:
        self._start = start
        self._seconds = 0.0
        self._due: dict[object, tuple[float, Callable[[], None]]] = {}

    @property
    def now(self) -> datetime:
        """The present instant."""
        return self._start + timedelta(seconds=self._seconds)

    def monotonic(self) -> float:
        """Return the seconds since the clock was made."""
        return self._seconds

    def step(self, seconds: float, *, silently: bool = False) -> None:
        """Let time pass; raises ``ValueError`` for negative seconds.

        ``silently``: the worker sends nothing meanwhile, as on a machine that is suspended.
        """
        if seconds < 0:
            message = "a clock steps forward"
            raise ValueError(message)
        end = self._seconds + seconds
        while not silently and (due := self._next(end)) is not None:
            key, (at, call) = due
            del self._due[key]
            self._seconds = max(self._seconds, at)
            call()
        self._seconds = end

    def call_at(self, key: object, seconds: float, call: Callable[[], None]) -> None:
        """Call once the clock reads so many seconds; another call of this key is replaced."""
        self._due[key] = (seconds, call)

    def forget(self) -> None:
        """Call nothing any more."""
        self._due.clear()

    def _next(self, end: float) -> tuple[object, tuple[float, Callable[[], None]]] | None:
        due = [each for each in self._due.items() if each[1][0] <= end]
        return min(due, key=lambda each: each[1][0], default=None)
