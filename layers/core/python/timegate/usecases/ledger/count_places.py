"""Counting the places of ``max_runs`` that a job's runs hold, from their records."""

from collections.abc import Callable
from datetime import UTC, datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.planning.places import Places, count_places, counted_from, counts_places
from timegate.ports.stores import RunStore
from timegate.usecases.ledger.runs_on_record import runs_on_record

#: Runs read at once.
_PAGE = 500
_EVER = datetime.max.replace(tzinfo=UTC)


def places_of(
    timing: Timing, runs: RunStore, *, holding: Callable[[RunRecord], bool] | None = None
) -> Places | None:
    """Read the runs that are not counted yet; ``None``, and no read, if the job counts none.

    ``holding``: count the runs of which it is true, as a preview does.
    """
    if not counts_places(timing):
        return None
    start = counted_from(timing)
    records = list(runs_on_record(timing, runs, start=start, end=_EVER, page_size=_PAGE))
    return count_places(timing, [each for each in records if holding is None or holding(each)])
