"""Reading the runs that a job's schedules named, page by page."""

from collections.abc import Iterator
from datetime import datetime

from timegate.domain.damaged_records import RunRecord
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import Timing
from timegate.ports.stores import RunStore


def runs_on_record(
    timing: Timing, runs: RunStore, *, start: datetime, end: datetime, page_size: int
) -> Iterator[RunRecord]:
    """Yield the last attempt of each run from ``start`` to ``end``, both inclusive, in order.

    Runs of every version of the job are among them, superseded ones too. Pages are read as they
    are taken.
    """
    while start <= end:
        page = runs.history(timing.tenant, timing.job_id, start=start, end=end, limit=page_size)
        yield from page
        if len(page) < page_size:
            return
        start = page[-1].id.run.scheduled_at + MILLISECOND
