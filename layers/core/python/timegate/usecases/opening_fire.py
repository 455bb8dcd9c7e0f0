"""The first instant of a schedule that was just given."""

from datetime import datetime

from timegate.domain.errors import InvalidInput
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import Timing
from timegate.domain.plan import first_fire


def opening_fire(timing: Timing, *, now: datetime) -> datetime:
    """When a job whose schedule was given at ``now`` first runs; raises ``InvalidInput`` if never.

    A schedule that runs once may name this very instant; one that recurs begins after it.
    """
    after = now if timing.schedule.is_recurring else now - MILLISECOND
    fire = first_fire(timing, after=after)
    if fire is None:
        detail = "It names no instant from now on that max_runs and ends_at still allow."
        raise InvalidInput("schedule", "never_fires", detail)
    return fire
