"""Tell of the runs of a batch that a worker has taken over."""

from collections.abc import Sequence

from timegate.domain.runs.run import RunState
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.services.execution_services import Claimed, Execution


def report_take_overs(claimed: Sequence[Claimed], execution: Execution) -> None:
    """Log each claim of a candidate that another worker held when it was loaded.

    The line names that worker, whose own lines have its request, and the fence that keeps it out.
    Other claims are in the records of their runs.
    """
    rescued = [each for each in claimed if each.attempt.state is RunState.RUNNING]
    execution.telemetry.count(run_metrics.LEASES_RESCUED, len(rescued))
    for each in rescued:
        former = each.attempt.lease
        execution.telemetry.event(
            run_events.RUN_TAKEN_OVER,
            **of_run(each.attempt),
            fence=each.lease.fence,
            held_by=former.owner if former is not None else None,
        )
