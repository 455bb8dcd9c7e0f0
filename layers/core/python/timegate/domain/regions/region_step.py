"""Steps of operators: who let which region act, kept with the record that each step changed."""

from datetime import datetime
from enum import StrEnum

from timegate.domain.regions.region_record import RegionRecord
from timegate.value_classes import dataclass


class RegionCommand(StrEnum):
    """Commands that change a region's record."""

    FENCE = "fence"
    PROMOTE = "promote"
    FAIL_BACK = "fail-back"
    ALONE = "alone"
    LOOK_AGAIN = "look-again"


@dataclass(frozen=True, kw_only=True, slots=True)
class RegionStep:
    """A change of a region's record that an operator asked for."""

    command: RegionCommand
    at: datetime
    #: The principal of AWS whose credentials the command had.
    by: str
    #: The record after it.
    record: RegionRecord
