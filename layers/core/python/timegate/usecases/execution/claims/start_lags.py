"""Lateness of a start, the part that queue and executor cause, and skew of their clocks."""

from collections.abc import Iterable
from datetime import datetime

from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import milliseconds_between
from timegate.ports.telemetry import run_metrics
from timegate.ports.telemetry.telemetry import Telemetry


def measure_start(attempt: Attempt, started_at: datetime, telemetry: Telemetry) -> None:
    """Measure both; a run of a pool has no message, and waits for its worker alone.

    A run that waits for others of its job, or for a quota, is sent to its queue again when it may
    go on: the wait is in its start lag, and no part of its queue lag. The wait for the end of a
    pause of its pool is in neither: a caller asked for it.
    """
    pickup = attempt.pickup
    resumed_at = None if pickup is None else pickup.paused_until
    begins_at = attempt.due_at if resumed_at is None else max(attempt.due_at, resumed_at)
    telemetry.measure(run_metrics.START_LAG_MS, milliseconds_between(begins_at, started_at))
    if pickup is None or pickup.published_at is None:
        return
    ready_at = max(attempt.due_at, pickup.published_at)
    telemetry.measure(run_metrics.QUEUE_LAG_MS, milliseconds_between(ready_at, started_at))


def measure_skew(sent: Iterable[datetime], received_at: datetime, telemetry: Telemetry) -> None:
    """Measure a clock behind that of the queue: it receives messages before they were sent.

    It is measured when they arrive. By such a clock a run that is due is early: its message is
    hidden, and received after it was sent when its run is claimed.
    """
    latest = max(sent, default=received_at)
    if received_at < latest:
        telemetry.measure(run_metrics.CLOCK_SKEW_MS, milliseconds_between(received_at, latest))
