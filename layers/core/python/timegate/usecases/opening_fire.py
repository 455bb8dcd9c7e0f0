"""The first instant of a schedule that was just given."""

from datetime import datetime, timedelta

from timegate.domain.errors import InvalidInput
from timegate.domain.job import Timing
from timegate.domain.plan import first_fire

_MILLISECOND = timedelta(milliseconds=1)


def opening_fire(timing: Timing, *, now: datetime) -> datetime:
    """When a job whose schedule was given at ``now`` first runs; raises ``InvalidInput`` if never.

    A schedule that runs once may name this very instant; one that recurs begins after it.
    """
    after = now if timing.schedule.is_recurring else now - _MILLISECOND
    fire = first_fire(timing, after=after)
    if fire is None:
        detail = "It names no instant from now on that max_runs and ends_at still allow."
        raise InvalidInput("schedule", "never_fires", detail)
    return fire
