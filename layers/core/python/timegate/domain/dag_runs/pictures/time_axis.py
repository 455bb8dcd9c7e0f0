"""Ticks of a time axis, at instants that people name, on the clock of a time zone."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from timegate.value_classes import dataclass

#: Seconds between two ticks.
_STEPS = (
    *(0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30),
    *(60, 120, 300, 600, 900, 1800),
    *(3600, 7200, 10_800, 21_600, 43_200),
    *(86_400, 172_800, 604_800, 1_209_600, 2_419_200),
)
_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
#: Labels of an axis do not touch.
MOST_TICKS = 9
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class AxisTick:
    """An instant that an axis names."""

    at: datetime
    label: str


def ticks_of(begins_at: datetime, ends_at: datetime, zone: tzinfo = UTC) -> list[AxisTick]:
    """Return ticks from beginning to end, on whole steps of the zone's clock.

    An instant has none. Where the clock is changed, an hour of the day has two ticks or none.
    """
    seconds = (ends_at - begins_at).total_seconds()
    if seconds <= 0:
        return []
    fitting = (step for step in _STEPS if seconds / step < MOST_TICKS)
    step = next(fitting, _STEPS[-1] * (1 + seconds // (_STEPS[-1] * (MOST_TICKS - 1))))
    found = _within_hours if step < _HOUR else _on_wall_clock
    return [
        AxisTick(at=at, label=_label(at.astimezone(zone), step))
        for at in dict.fromkeys(found(begins_at, ends_at, zone, step))
        if begins_at <= at <= ends_at
    ]


def _within_hours(
    begins_at: datetime, ends_at: datetime, zone: tzinfo, seconds: float
) -> Iterator[datetime]:
    """Yield instants at even distances: no change of a clock moves minutes against these steps."""
    step = timedelta(seconds=seconds)
    wall = _EPOCH - (begins_at.astimezone(zone).utcoffset() or timedelta())
    at = wall + -((wall - begins_at) // step) * step
    while at <= ends_at:
        yield at
        at += step


def _on_wall_clock(
    begins_at: datetime, ends_at: datetime, zone: tzinfo, seconds: float
) -> Iterator[datetime]:
    """Yield the instants at which the zone's clock shows whole steps since its midnight."""
    days = max(1, round(seconds / _DAY))
    hours = range(0, 24, max(1, round(seconds / _HOUR))) if seconds < _DAY else range(1)
    first, last = (each.astimezone(zone).toordinal() for each in (begins_at, ends_at))
    # Ordinal 1 is a Monday, on which weeks begin.
    for ordinal in range(first - (first - 1) % days, last + 1, days):
        day = date.fromordinal(ordinal)
        yield from (at for hour in hours for at in _shown(day, hour, zone))


def _shown(day: date, hour: int, zone: tzinfo) -> list[datetime]:
    """Return the instants at which a clock shows an hour: one, or two or none at its changes."""
    wall = datetime.combine(day, time(hour))
    both = {wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1)}
    shown = [at for at in sorted(both) if at.astimezone(zone).replace(tzinfo=None, fold=0) == wall]
    # A day without midnight begins at the first instant that it has.
    return shown or ([max(both)] if hour == 0 else [])


def _label(at: datetime, step: float) -> str:
    if step >= _DAY or (at.hour, at.minute, at.second, at.microsecond) == (0, 0, 0, 0):
        return f"{at:%Y-%m-%d}"
    if step >= _MINUTE:
        return f"{at:%H:%M}"
    tenths = f".{at.microsecond // 100_000}" if step < 1 else ""
    return f"{at:%H:%M:%S}{tenths}"
