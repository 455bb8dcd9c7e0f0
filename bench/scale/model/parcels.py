"""Runs that the model need not tell apart, and the lateness of their starts."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Self

#: Virtual time begins here.
EPOCH = datetime(2026, 11, 25, tzinfo=UTC)


def instant(seconds: float) -> datetime:
    """Return the instant of virtual time, as production code is given it."""
    return EPOCH + timedelta(seconds=round(seconds, 3))


def seconds_of(at: datetime) -> float:
    """Return virtual time of an instant."""
    return (at - EPOCH).total_seconds()


@dataclass(frozen=True, kw_only=True, slots=True)
class Parcel:
    """Runs of one tenant in one lane that are due in one instant."""

    tenant: str
    lane: str
    due: float
    count: int

    def split(self, count: int) -> tuple[Self, Self | None]:
        """Return the first ``count`` runs, and the rest."""
        if count >= self.count:
            return self, None
        return replace(self, count=count), replace(self, count=self.count - count)


@dataclass(slots=True)
class Lateness:
    """Starts by how late they were, in seconds."""

    starts: list[tuple[float, int]] = field(default_factory=list)
    count: int = 0
    _is_sorted: bool = False

    def add(self, seconds: float, count: int) -> None:
        """Add starts; one that is early is an error of the model."""
        if seconds < 0:
            raise AssertionError(f"A run started {-seconds} s early.")
        self.starts.append((seconds, count))
        self.count += count
        self._is_sorted = False

    def percentiles(self, percents: Sequence[float]) -> list[float | None]:
        """Return percentiles, in seconds; ``None`` without a start."""
        if not self._is_sorted:
            self.starts.sort()
            self._is_sorted = True
        return [self._percentile(each) for each in percents]

    def _percentile(self, percent: float) -> float | None:
        wanted, passed = self.count * percent / 100, 0
        for seconds, count in self.starts:
            passed += count
            if passed >= wanted:
                return seconds
        return None
