"""Reading the runs that a job's schedules named, page by page."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.values.instants import MILLISECOND
from timegate.ports.stores import RunStore

#: Runs of a paused job that are read at once, latest first.
_LATEST_AT_ONCE = 500
#: Jitter and backlogs let a run start so long after its instant.
_LATE = timedelta(hours=2)
_EVER = datetime.max.replace(tzinfo=UTC)


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


def latest_runs(timing: Timing, runs: RunStore) -> tuple[RunRecord, ...]:
    """Read the last attempts of a paused job's latest runs, in order.

    They reach back before all runs that the pause may have skipped. Planners store runs in the
    order of their instants. However long calendars, jitter and queues put runs off, they start
    within a page of one another.
    """
    found: list[RunRecord] = []
    oldest, end = timing.reopens_from or timing.paused_at or timing.created_at, _EVER
    while True:
        page = runs.history(
            timing.tenant,
            timing.job_id,
            start=timing.created_at,
            end=end,
            limit=_LATEST_AT_ONCE,
            latest_first=True,
        )
        found += page
        if len(page) < _LATEST_AT_ONCE or page[-1].id.run.scheduled_at < oldest - _LATE:
            return tuple(reversed(found))
        end = page[-1].id.run.scheduled_at - MILLISECOND
