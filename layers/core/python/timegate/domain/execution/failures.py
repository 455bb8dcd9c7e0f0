"""Failures in a row: how many of a job's runs pause it, judged by what is on record."""

from collections.abc import Iterable

from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.jobs.notification import Occasion
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.identity import Origin

#: A run that ended so has failed for good; one that was skipped or cancelled says nothing.
FAILURES = frozenset({RunState.FAILED, RunState.TIMED_OUT, RunState.DEAD_LETTERED})
_JUDGED = FAILURES | {RunState.SUCCEEDED}


def may_decide(ended: Attempt) -> bool:
    """Tell if the end of this run may pause its job, or end its trial.

    Runs of the schedule count. Triggers, backfills and redrives happen because a person looks.
    """
    asked = Occasion.PAUSED in ended.notify
    return asked and ended.operation is None and _is_judged(ended)


def is_open(job: Job, ended: Attempt) -> bool:
    """Tell if this end may change the job as it is now.

    A run that began before the last resumption was judged, and says nothing about what was mended.
    """
    timing, pause = job.timing, job.timing.failure_pause
    if timing.status is not JobStatus.ACTIVE or job.pause_after_failures is None:
        return False
    since = 0 if pause is None else pause.resumed_as or 0
    if ended.job_version < since:
        return False
    return ended.state in FAILURES or timing.on_trial


def failures_that_pause(job: Job, latest_first: Iterable[RunRecord]) -> int | None:
    """Count the failures that pause the job; ``None``: they do not.

    ``latest_first``: the last attempts of its runs by due order, read as they are taken. Runs that
    have not ended, were triggered, skipped or cancelled, are in doubt, or cannot be read are passed
    over. On trial, one failure is enough, unless a run of the trial succeeded.
    """
    pause = job.timing.failure_pause
    tried_as = pause.resumed_as if pause is not None and pause.on_trial else None
    failures, fails_trial = 0, False
    for run in latest_first:
        if not isinstance(run, Attempt) or not _is_judged(run):
            continue
        of_trial = tried_as is not None and run.job_version >= tried_as
        if run.state is RunState.SUCCEEDED:
            fails_trial = fails_trial and not of_trial
            break
        failures += 1
        fails_trial = fails_trial or of_trial
        if failures == job.pause_after_failures:
            return failures
    return failures if fails_trial else None


def _is_judged(run: Attempt) -> bool:
    """A trigger's run is none of the row; one that another region may have begun says nothing.

    Nor does a try that another one follows: perhaps that was skipped, and is left out.
    """
    is_end = run.id.run.origin is Origin.SCHEDULE and run.ends_run
    return is_end and run.state in _JUDGED and run.reason is not Reason.REGION_LOST
