"""Tell of the runs of a batch that a worker has claimed."""

from collections.abc import Sequence

from timegate.domain.runs.run import RunState
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import lines_of_runs, of_run
from timegate.usecases.services.execution_services import Claimed, Execution


def report_claims(claimed: Sequence[Claimed], execution: Execution) -> None:
    """Log the claims of candidates as they were loaded: one line, and one for each that was held.

    A run that is taken over names the fence that keeps its former worker out.
    """
    rescued = [each for each in claimed if each.attempt.state is RunState.RUNNING]
    execution.telemetry.count(run_metrics.LEASES_RESCUED, len(rescued))
    for each in rescued:
        told = {"fence": each.lease.fence, "took_over": True}
        execution.telemetry.event(run_events.RUN_CLAIMED, **of_run(each.attempt), **told)
    fresh = [each.attempt for each in claimed if each.attempt.state is not RunState.RUNNING]
    for fields in lines_of_runs(fresh):
        execution.telemetry.event(run_events.RUN_CLAIMED, **fields)
