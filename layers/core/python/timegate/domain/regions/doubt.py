"""Doubt: what the region that was active before may have begun, and did not tell of any more."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.runs.run import TERMINAL, Attempt
from timegate.domain.values.identity import Origin

#: The fences of a region are so far beyond those that the other one may have given out.
FENCE_STEP = 1_000
#: Words for a run that arrived without its job.
LACKS_JOB = "its job did not arrive from the region before"


def is_in_doubt(attempt: Attempt, lost_until: datetime | None) -> bool:
    """Tell if the region before may have begun an attempt that is open here.

    It may have begun what was due in its time: what it stored itself, and what this region stores
    for instants, ends and announcements of that time. Runs that callers and operations ask for here
    are none of them. A task that this region begins in a DAG run of that time is one: the end that
    it follows may be of that time.
    """
    if lost_until is None or attempt.state in TERMINAL:
        return False
    run = attempt.id.run
    if attempt.created_at >= lost_until:
        is_first = attempt.id.number == 1 and attempt.operation is None
        if run.origin is Origin.TRIGGER or not is_first:
            return False
        if run.origin is Origin.TASK:
            return run.scheduled_at < lost_until
    return attempt.due_at < lost_until


def may_lack_its_job(attempt: Attempt, lost_until: datetime | None) -> bool:
    """Tell if the job of an attempt may have been lost with the region before.

    Jobs, or what governs a task, were stored there with their runs in one write, and arrive each by
    itself. Attempts of this region at a task's run have the governor of that time.
    """
    run = attempt.id.run
    since = run.scheduled_at if run.origin is Origin.TASK else attempt.created_at
    return lost_until is not None and since < lost_until


def fenced_off(ended: Attempt) -> Attempt:
    """An attempt that ended in doubt: fences of its run go on beyond those of the region before."""
    return replace(ended, fence=ended.fence + FENCE_STEP)


def names_lost_instants(timing: Timing, lost_until: datetime | None) -> bool:
    """Tell if the region before may have begun the job's next instant, whose run is unknown here.

    A job that was made or changed in this region names no instant of before.
    """
    first = timing.next_run_at
    if lost_until is None or first is None or first >= lost_until:
        return False
    return timing.anchored_at < lost_until
