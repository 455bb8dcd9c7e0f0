"""Ranges of instants, as callers ask for them."""

from datetime import datetime

from timegate.domain.values.errors import InvalidInput
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class InstantRange:
    """From one instant to another, both included; ``None``: as far as there is any."""

    start: datetime | None = None
    end: datetime | None = None

    def __post_init__(self) -> None:
        """Raise ``InvalidInput`` for a range that ends before it starts."""
        if self.start is not None and self.end is not None and self.end < self.start:
            raise InvalidInput("to", "range_reversed", "It is earlier than from.")

    def covers(self, instant: datetime) -> bool:
        """Tell if the instant is within."""
        return (self.start is None or self.start <= instant) and (
            self.end is None or instant <= self.end
        )


#: Everything.
EVER = InstantRange()
