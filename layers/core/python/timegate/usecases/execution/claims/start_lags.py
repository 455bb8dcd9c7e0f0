"""Lateness of a start, and the part of it that queue and executor are the cause of."""

from datetime import datetime

from timegate.domain.runs.run import Attempt
from timegate.domain.values.instants import milliseconds_between
from timegate.ports.telemetry import run_metrics
from timegate.ports.telemetry.telemetry import Telemetry


def measure_start(attempt: Attempt, started_at: datetime, telemetry: Telemetry) -> None:
    """Measure both; a run of a pool has no message, and waits for its worker alone.

    A run that waits for others of its job, or for a quota, is sent to its queue again when it may
    go on: the wait is in its start lag, and no part of its queue lag.
    """
    lag = milliseconds_between(attempt.due_at, started_at)
    telemetry.measure(run_metrics.START_LAG_MS, lag)
    if attempt.pickup is not None and attempt.pickup.published_at is not None:
        ready_at = max(attempt.due_at, attempt.pickup.published_at)
        telemetry.measure(run_metrics.QUEUE_LAG_MS, milliseconds_between(ready_at, started_at))
