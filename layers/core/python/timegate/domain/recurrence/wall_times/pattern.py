"""Times that a schedule names on the wall clock of its zone, whatever notation names them."""

from collections.abc import Iterator
from typing import Protocol


class WallPattern(Protocol):
    """Wall times: seconds from 1970-01-01 00:00 to what the clock shows."""

    @property
    def is_interval(self) -> bool:
        """Tell whether they mean real hours or minutes rather than times of the day."""

    def walls_from(self, start: int) -> Iterator[int]:
        """Yield walls from ``start`` on, in order; ends when none comes for decades."""

    def count_walls(self, begin: int, end: int) -> int:
        """Count those with ``begin`` <= wall < ``end``, in bounded time."""

    def day_key(self, day: int) -> int | None:
        """Give days with the same times the same key; ``None`` to a day that has none."""
