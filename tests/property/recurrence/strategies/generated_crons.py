"""Expressions around a change of the clock: drawn as numbers by a seed, then written."""

import random
from collections.abc import Iterable
from datetime import datetime, timedelta

from tests.property.recurrence.oracles.zone_transitions import Transition
from tests.property.recurrence.strategies.cron_strategies import MONTHS, WEEKDAYS, Cron, Field

#: Most expressions ask for a time that the wall shows this long before or after a change.
NEAR = timedelta(minutes=100)
MINUTE = timedelta(minutes=1)
STEPS = {59: (2, 5, 7, 10, 15, 20, 25, 30, 45), 23: (2, 3, 4, 6, 8, 12)}


def generated(transition: Transition, lot: random.Random) -> Cron:
    """An expression that has something to do with a change of the clock, or nearly so."""
    walls = [_near(transition, lot) for _ in range(lot.randint(1, 3))]
    shape = lot.choice(["fixed", "fixed", "fixed", "minutes", "hours", "ranges"])
    match shape:
        case "minutes":
            minute, hour = _step(59, lot), lot.choice([_star(23), _listed(w.hour for w in walls)])
        case "hours":
            hour = lot.choice([_star(23), _step(23, lot)])
            minute = _listed(w.minute for w in walls)
        case "ranges":
            minute, hour = _range(59, lot), _around(walls[0].hour, lot)
        case _:
            minute, hour = _listed(w.minute for w in walls), _listed(w.hour for w in walls)
    return Cron(
        second=_listed(lot.sample(range(60), lot.randint(1, 2))) if lot.random() < 0.2 else None,
        minute=minute,
        hour=hour,
        day=_day(walls, lot),
        month=_month(walls[0], lot),
        weekday=_weekday(walls, lot),
    )


def _near(transition: Transition, lot: random.Random) -> datetime:
    earlier, later = transition.walls
    marks = [earlier, later, later - MINUTE, earlier - MINUTE]
    span = int((later - earlier + 2 * NEAR) / MINUTE)
    anywhere = earlier - NEAR + lot.randint(0, span) * MINUTE
    return lot.choice([*marks, anywhere, anywhere, anywhere])


def _star(high: int, low: int = 0) -> Field:
    return Field(text="*", values=frozenset(range(low, high + 1)))


def _listed(values: Iterable[int]) -> Field:
    chosen = frozenset(values)
    return Field(text=",".join(map(str, sorted(chosen))), values=chosen)


def _step(high: int, lot: random.Random) -> Field:
    step = lot.choice(STEPS[high])
    return Field(text=f"*/{step}", values=frozenset(range(0, high + 1, step)))


def _range(high: int, lot: random.Random) -> Field:
    first, last = sorted(lot.sample(range(high + 1), 2))
    step = lot.randint(1, last - first)
    return Field(text=f"{first}-{last}/{step}", values=frozenset(range(first, last + 1, step)))


def _around(hour: int, lot: random.Random) -> Field:
    first, last = max(hour - lot.randint(0, 2), 0), min(hour + lot.randint(0, 2), 23)
    text = f"{first}-{last}" if first < last else str(first)
    return Field(text=text, values=frozenset(range(first, last + 1)))


def _day(walls: list[datetime], lot: random.Random) -> Field:
    draw = lot.random()
    if draw < 0.65:
        return _star(31, 1)
    if draw < 0.75:
        return Field(text="L", values=frozenset(), last_day=True)
    if draw < 0.85:
        step = lot.randint(2, 5)
        return Field(text=f"*/{step}", values=frozenset(range(1, 32, step)))
    return _listed([walls[0].day, lot.randint(1, 28)])


def _month(wall: datetime, lot: random.Random) -> Field:
    if lot.random() < 0.8:
        return _star(12, 1)
    months = sorted({wall.month, lot.randint(1, 12)})
    return Field(text=",".join(MONTHS[m - 1] for m in months), values=frozenset(months))


def _weekday(walls: list[datetime], lot: random.Random) -> Field:
    draw, weekday = lot.random(), (walls[0].weekday() + 1) % 7
    if draw < 0.65:
        return _star(6)
    if draw < 0.75:
        week = lot.choice([0, (walls[0].day - 1) // 7 + 1, lot.randint(1, 5)])
        text = f"{weekday}#{week}" if week else f"{weekday}L"
        return Field(text=text, values=frozenset(), nth_weekdays=frozenset({(weekday, week)}))
    if draw < 0.85:
        return Field(text=WEEKDAYS[weekday], values=frozenset({weekday}))
    return _listed(lot.sample(range(7), lot.randint(1, 6)))
