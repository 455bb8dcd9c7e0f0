"""Putting off: a run that is due but may not begin yet waits for another moment."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.restriction_check import PutOff, put_off, rest_look
from timegate.domain.runs.run import Attempt
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.services.execution_services import Execution


def put_off_run(attempt: Attempt, wanted: PutOff, execution: Execution, *, now: datetime) -> None:
    """Let it wait, unless the attempt changed since it was read; the stream publishes it again."""
    waits = execution.runs.replace(attempt, put_off(attempt, wanted, now=now))
    execution.telemetry.count(run_metrics.RUNS_PUT_OFF, int(waits))
    execution.telemetry.event(
        run_events.RUN_PUT_OFF,
        **of_run(attempt),
        reason=wanted.reason,
        due_at=wanted.due_at,
        recorded=waits,
    )


def rest_run(attempt: Attempt, wanted: PutOff, execution: Execution, *, now: datetime) -> None:
    """Leave a frozen run to its last holder, and offer it to no worker before the next look.

    A run that goes through a queue needs no write: the redelivered message was its last.
    """
    look_at = rest_look(wanted.due_at, now=now)
    if attempt.offer is None or attempt.watch_at == look_at:
        return
    rests = execution.runs.replace(attempt, replace(attempt, watch_at=look_at))
    execution.telemetry.event(
        run_events.RUN_RESTS,
        **of_run(attempt),
        fence=attempt.fence,
        look_at=look_at,
        recorded=rests,
    )
