"""Ticks of a time axis, at instants that people name."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

#: Seconds between two ticks.
_STEPS = (
    *(0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30),
    *(60, 120, 300, 600, 900, 1800),
    *(3600, 7200, 10_800, 21_600, 43_200),
    *(86_400, 172_800, 604_800, 1_209_600, 2_419_200),
)
_MINUTE, _DAY = 60, 86_400
#: Labels of an axis do not touch.
MOST_TICKS = 9
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class AxisTick:
    """An instant that an axis names, in UTC."""

    at: datetime
    label: str


def ticks_of(begins_at: datetime, ends_at: datetime) -> list[AxisTick]:
    """Return ticks from beginning to end, on whole steps since midnight; none for an instant."""
    seconds = (ends_at - begins_at).total_seconds()
    if seconds <= 0:
        return []
    fitting = (step for step in _STEPS if seconds / step < MOST_TICKS)
    step = next(fitting, _STEPS[-1] * (1 + seconds // (_STEPS[-1] * (MOST_TICKS - 1))))
    return list(_ticks(begins_at, ends_at, timedelta(seconds=step)))


def _ticks(begins_at: datetime, ends_at: datetime, step: timedelta) -> Iterator[AxisTick]:
    at = _EPOCH + -((_EPOCH - begins_at) // step) * step
    while at <= ends_at:
        yield AxisTick(at=at, label=_label(at.astimezone(UTC), step.total_seconds()))
        at += step


def _label(at: datetime, step: float) -> str:
    if step >= _DAY or (at.hour, at.minute, at.second, at.microsecond) == (0, 0, 0, 0):
        return f"{at:%Y-%m-%d}"
    if step >= _MINUTE:
        return f"{at:%H:%M}"
    tenths = f".{at.microsecond // 100_000}" if step < 1 else ""
    return f"{at:%H:%M:%S}{tenths}"
