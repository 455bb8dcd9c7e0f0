"""Patience: what must be on record is tried for again, as long as this worker has time."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar

from timegate.domain.values.errors import Throttled
from timegate.ports.telemetry import run_metrics
from timegate.usecases.services.execution_services import Execution

Written = TypeVar("Written")

#: After a throttled write of an end; doubled from one to the next.
FIRST_PAUSE = timedelta(milliseconds=500)


def patiently(write: Callable[[], Written], execution: Execution) -> Written:
    """Try again after a throttled write, for half a lease and not beyond this worker's time.

    Raises ``Throttled`` then.
    """
    until = min(execution.clock.now() + execution.lease_length / 2, execution.stops_at)
    pause = FIRST_PAUSE
    while True:
        again_at = execution.clock.now() + pause
        execution.clock.wait_until(again_at)
        execution.telemetry.count(run_metrics.ENDINGS_DELAYED)
        try:
            return write()
        except Throttled:
            pause *= 2
            if again_at + pause > until:
                raise
