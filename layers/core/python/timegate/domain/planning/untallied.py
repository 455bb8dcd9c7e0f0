"""Jobs that no tally counts: their one run is stored with them, and due soon.

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
