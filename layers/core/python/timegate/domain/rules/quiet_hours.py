"""Quiet hours: the hours of a week in which a rule holds its messages back."""

from datetime import datetime, time

from timegate.domain.calendars.coverage import Coverage, covered_by
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class QuietWindow:
    """Hours of some days; one that closes when it opens or earlier reaches into the next day."""

    #: Days on which it opens; 0 is Monday.
    weekdays: frozenset[int] = frozenset(range(7))
    #: ``HH:MM``, part of it.
    opens: str
    #: ``HH:MM``, no longer part of it.
    closes: str


@dataclass(frozen=True, kw_only=True, slots=True)
class QuietHours:
    """Windows on the wall clock of a zone."""

    timezone: str = "UTC"
    windows: tuple[QuietWindow, ...]

    def hold(self, instant: datetime) -> bool:
        """Tell if the instant is in a window."""
        return self._coverage.holds(instant)

    def may_end_at(self, instant: datetime) -> datetime | None:
        """Return the next instant at which the answer may be another; ``None``: it stays."""
        return self._coverage.next_change(instant)

    @property
    def _coverage(self) -> Coverage:
        windows = [
            (each.weekdays, time.fromisoformat(each.opens), time.fromisoformat(each.closes))
            for each in self.windows
        ]
        return covered_by(self.timezone, days=(), weekdays=(), windows=windows, periods=())
