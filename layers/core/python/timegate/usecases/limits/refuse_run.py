"""Refusing: a run that is due but may not execute ends on record; a duplicate leaves no trace."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.admission import Refuse
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.runs.conclusion import end_unworked
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import TimegateError
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.limits.overlap_releases import SlotKeeper
from timegate.usecases.limits.tallied_ends import counted_as
from timegate.usecases.services.execution_services import Delivery, Execution, of_delivery

_METRICS = {
    RunState.SKIPPED: run_metrics.RUNS_SKIPPED,
    RunState.CANCELLED: run_metrics.RUNS_CANCELLED,
    RunState.FAILED: run_metrics.RUNS_FAILED,
    RunState.DEAD_LETTERED: run_metrics.RUNS_DEAD_LETTERED,
}


def refuse_run(attempt: Attempt, refusal: Refuse, keeper: SlotKeeper, *, now: datetime) -> bool:
    """Record this end, unless the attempt changed since it was read; whether it was recorded."""
    ended = end_unworked(attempt, refusal.state, now=now, reason=refusal.reason)
    if refusal.reason is Reason.REGION_LOST:
        from timegate.domain.regions.doubt import fenced_off  # noqa: PLC0415 - few stages

        ended = fenced_off(ended)
    if refusal.explanation is not None:
        ended = replace(ended, explanation=refusal.explanation)
    recorded = keeper.runs.replace(attempt, ended)
    keeper.telemetry.count(counted_as(attempt, _METRICS[refusal.state]), int(recorded))
    keeper.telemetry.event(
        run_events.RUN_REFUSED,
        **of_run(attempt),
        state=refusal.state,
        reason=refusal.reason,
        recorded=recorded,
    )
    return recorded


def drop_delivery(delivery: Delivery, attempt: Attempt | None, execution: Execution) -> None:
    """The run has ended or a live worker holds it; should that one die, the sweeper comes."""
    execution.telemetry.count(run_metrics.DUPLICATES_REFUSED)
    execution.telemetry.event(run_events.DUPLICATE_REFUSED, **of_delivery(delivery, attempt))
    if attempt is not None and attempt.delivery is DeliveryMode.EXACTLY_ONCE:
        count_prevented(attempt, execution)


def count_prevented(attempt: Attempt, execution: Execution) -> None:
    """An execution that did not happen because its effect is, or is being, had already.

    Never raises ``Throttled``: a count is no reason to disturb a run.
    """
    execution.telemetry.count(run_metrics.DUPLICATES_PREVENTED)
    try:
        execution.runs.count_duplicate(attempt)
    except TimegateError as error:
        execution.telemetry.event(
            run_events.DUPLICATE_NOT_COUNTED, **of_run(attempt), code=error.code
        )
