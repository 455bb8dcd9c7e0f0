"""Callers act at instants of a story."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(order=True)
class Appointment:
    """Something that a caller does at an instant."""

    at: datetime
    act: Callable[[], object] = field(compare=False)


class Appointments(list[Appointment]):
    """All that are ahead, the next one first."""

    def add(self, at: datetime, act: Callable[[], object]) -> None:
        """One more."""
        self.append(Appointment(at, act))
        self.sort()

    def keep(self, now: datetime) -> bool:
        """Do what is to be done by now, one thing; ``False``: there is nothing."""
        if not self or self[0].at > now:
            return False
        self.pop(0).act()
        return True
