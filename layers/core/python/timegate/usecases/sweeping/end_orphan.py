"""Ending runs without a job: their creator died between the two, or is slow."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.ports.telemetry import run_metrics
from timegate.usecases.limits.tallied_ends import counted_as
from timegate.usecases.sweeping.sweeper_services import Sweeping


def end_orphan(attempt: Attempt, sweeping: Sweeping, *, now: datetime) -> bool:
    """End a run that was stored before its job, once its job can never come.

    ``False``: its job has come meanwhile, and the next look finds it, or the run has changed.
    """
    if not sweeping.runs.bar_creation(attempt.tenant, attempt.id.run.job_id):
        return False
    # It is the last run of no job.
    orphan = replace(attempt, final=False)
    ended = end(orphan, RunState.SKIPPED, now=now, reason=Reason.SUPERSEDED)
    told = replace(ended, explanation="its job was never stored: the request ended before that")
    done = sweeping.runs.replace(attempt, told)
    sweeping.telemetry.count(counted_as(ended, run_metrics.RUNS_SKIPPED), int(done))
    return done
