"""Time for which no reader of a stream has acted on a run that is due."""

from datetime import datetime

from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import QueueDepth, claimable_from
from timegate.domain.values.instants import milliseconds_between
from timegate.ports.telemetry import service_metrics
from timegate.ports.telemetry.telemetry import Telemetry


def measure_unread(
    attempt: Attempt, load: QueueDepth, telemetry: Telemetry, *, now: datetime
) -> None:
    """Measure for how long a run that is published again has been due, in milliseconds.

    Its queue is empty, so that the relay published it in vain, or not at all. A run that a worker
    once held is left out: its record does not say when it was queued again.
    """
    is_new = attempt.state is RunState.QUEUED and attempt.offer is None and attempt.fence == 0
    if is_new and load is QueueDepth.IDLE:
        unread = milliseconds_between(claimable_from(attempt), now)
        telemetry.measure(service_metrics.STREAM_UNREAD_MS, unread)
