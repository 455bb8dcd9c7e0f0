"""The clock."""

from datetime import datetime
from typing import Protocol


class Clock(Protocol):
    """The only source of time."""

    def now(self) -> datetime:
        """Aware UTC."""

    def wait_until(self, instant: datetime) -> None:
        """Return at ``instant``, never before; at once if it has passed."""
