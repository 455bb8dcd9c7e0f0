"""Delivery modes: what a job asks for when a worker may or may not have called its target."""

from datetime import datetime
from enum import StrEnum

from timegate.value_classes import dataclass


class DeliveryMode(StrEnum):
    """Numbers of times that a run may reach its target."""

    #: Acknowledged before the work, never tried again: a failure or a dead worker ends the run.
    AT_MOST_ONCE = "at_most_once"
    #: Tried again until it is known to have succeeded, or is given up.
    AT_LEAST_ONCE = "at_least_once"
    #: Like the above, and an answer on record under the run's key is never asked for again.
    EXACTLY_ONCE = "exactly_once"


@dataclass(frozen=True, kw_only=True, slots=True)
class KeptAnswer:
    """A target's answer to a worker that had lost its lease: the effect exists."""

    text: str
    #: Under which the target was called.
    fence: int
    at: datetime
