"""Handing a run over to its target, which has accepted it and works on by itself."""

from datetime import timedelta
from functools import partial

from timegate.domain.runs.watch import moved_look
from timegate.domain.values.errors import LeaseLost, Throttled
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.execution.claims.start_lags import measure_start
from timegate.usecases.execution.supervise_run import HandedOver
from timegate.usecases.limits.overlap_claims import renew_slot
from timegate.usecases.services.execution_services import Claimed, Execution
from timegate.usecases.services.retry_until_deadline import patiently


def hand_over(claimed: Claimed, handed: HandedOver, execution: Execution) -> None:
    """Leave the lease to the target; then its message has done its duty.

    The sweeper watches over it from here on. Raises ``LeaseLost`` when there is no lease to leave:
    the target was so quick that its run has ended, or another worker has taken it over.
    """
    now = execution.clock.now()
    expires_at = now + timedelta(seconds=handed.silence_seconds)
    # The slot first: a lease never outlives it.
    renew_slot(claimed, execution, now=now, expires_at=expires_at)
    write = partial(
        execution.runs.hand_over,
        claimed.attempt,
        expires_at=expires_at,
        at=now,
        to=handed.to,
        watch_at=moved_look(
            claimed.attempt.watch_at,
            expires_at,
            now=now,
            returns=False,
            finish=claimed.attempt.finish,
        ),
    )
    try:
        done = write()
    except Throttled:
        done = patiently(write, execution)
    if not done:
        raise LeaseLost(str(claimed.attempt.id))
    measure_start(claimed.attempt, handed.started_at, execution.telemetry)
    execution.telemetry.count(run_metrics.RUNS_HANDED_OVER)
    execution.telemetry.event(
        run_events.RUN_HANDED_OVER,
        **of_run(claimed.attempt),
        fence=claimed.lease.fence,
        lease_expires_at=expires_at,
    )
