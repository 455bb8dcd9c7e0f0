"""A clock that moves when it is told to."""

from datetime import datetime, timedelta
from threading import Lock


class MemoryClock:
    """Shows the instant it was set to; waiting moves it instead of taking time."""

    def __init__(self, now: datetime) -> None:
        self._lock = Lock()
        self._now = now

    def now(self) -> datetime:
        """The instant it stands at."""
        return self._now

    def set(self, now: datetime) -> None:
        """Move to an instant, back as well as forth."""
        with self._lock:
            self._now = now

    def advance(self, seconds: float) -> None:
        """Step forward."""
        with self._lock:
            self._now += timedelta(seconds=seconds)

    def wait_until(self, instant: datetime) -> None:
        """Be at ``instant``; stays where it is when that has passed."""
        with self._lock:
            self._now = max(self._now, instant)
