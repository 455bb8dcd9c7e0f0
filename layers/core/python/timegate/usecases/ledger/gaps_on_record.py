"""Reading a job's gaps, each as far as it answers for its instants."""

from collections.abc import Iterator
from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import GapRecord
from timegate.domain.ledger.gap_parts import as_answered
from timegate.domain.values.instants import MILLISECOND
from timegate.ports.stores import JobStore


def gaps_on_record(
    timing: Timing, jobs: JobStore, *, since: datetime, page_size: int
) -> Iterator[GapRecord]:
    """The gaps that reach to ``since`` or beyond, in order; read page by page as they are taken.

    ``timing``: the job as it was read before them.
    """
    for stored in stored_gaps(timing, jobs, since=since, page_size=page_size):
        gap = as_answered(stored, timing)
        if gap is not None and gap.last >= since:
            yield gap


def stored_gaps(
    timing: Timing, jobs: JobStore, *, since: datetime, page_size: int
) -> Iterator[GapRecord]:
    """The same, as they are stored: some may have to be cut yet."""
    while True:
        page = jobs.gaps(timing.tenant, timing.job_id, since=since, limit=page_size)
        yield from page
        if len(page) < page_size:
            return
        since = page[-1].last + MILLISECOND
