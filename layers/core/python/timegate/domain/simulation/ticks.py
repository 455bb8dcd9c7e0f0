"""When the ticks of a scenario come, every minute but for outages, and who comes before whom."""

from datetime import datetime, timedelta
from enum import IntEnum

from timegate.domain.simulation.scenario import Scenario, after_outages, seconds

MINUTE = timedelta(minutes=1)


class Turn(IntEnum):
    """Who comes first when several things happen in the same millisecond."""

    RESUME = 0
    EDIT = 1
    PAUSE = 2
    CANCEL = 3
    TICK = 4
    SWEEP = 5
    CLAIM = 6
    END = 7


def tick_from(scenario: Scenario, earliest: datetime) -> datetime:
    """The first tick not before ``earliest``."""
    offset = seconds(scenario.tick_offset_seconds)
    tick = earliest.replace(second=0, microsecond=0) + offset
    return tick if tick >= earliest else tick + MINUTE


def planned_from(scenario: Scenario, earliest: datetime) -> datetime:
    """The first tick of the planner not before ``earliest``."""
    at = tick_from(scenario, earliest)
    while (later := after_outages(at, scenario.planner_outages)) != at:
        at = tick_from(scenario, later)
    return at
