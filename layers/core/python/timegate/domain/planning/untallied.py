"""Jobs that no tally counts: their one run is due soon, and stored with them or before them.

A tally costs such a job as much as its record does, and is right again once it has ended.
"""

from collections.abc import Sequence
from dataclasses import replace

from timegate.domain.jobs.job import Job
from timegate.domain.runs.run import Attempt


def ends_soon(first: Sequence[Attempt]) -> bool:
    """Tell if a job that is stored with these runs has no other."""
    return len(first) == 1 and first[0].final


def untallied(job: Job, first: Sequence[Attempt]) -> tuple[Job, list[Attempt]]:
    """Return the job and its run as they are stored where no tally counts the job."""
    marked = replace(job, timing=replace(job.timing, untallied=True))
    return marked, [replace(each, untallied=True) for each in first]


def founds(attempt: Attempt) -> bool:
    """Tell if the run may have been stored before its job: without the job, it may not begin."""
    return attempt.untallied and attempt.id.number == 1


def is_stray(attempt: Attempt, job: Job) -> bool:
    """Tell if the run is none of the job's: two requests under one key stored a run, one the job.

    A job that tells of its own creation was stored with its run, or after it, by one request.
    """
    if job.creation is None or not founds(attempt):
        return False
    timing = job.timing
    if attempt.created_at != timing.created_at:
        return True
    # Requests of one millisecond may name different instants.
    from timegate.domain.recurrence.fires import names_instant  # noqa: PLC0415 - few jobs tell of theirs

    is_first = timing.anchored_at == timing.created_at
    return is_first and not names_instant(timing, attempt.id.run.scheduled_at)
