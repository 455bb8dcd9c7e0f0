"""Counting the places of ``max_runs`` that a job's runs hold, from their records."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.ledger.damaged_records import RunRecord
from timegate.domain.planning.places import (
    Places,
    count_places,
    counted_from,
    counted_without,
    counts_places,
    left_open,
)
from timegate.ports.stores import RunStore
from timegate.usecases.ledger.runs_on_record import runs_on_record

#: Runs read at once.
_PAGE = 500
_EVER = datetime.max.replace(tzinfo=UTC)


def places_of(
    timing: Timing,
    runs: RunStore,
    *,
    holding: Callable[[RunRecord], bool] | None = None,
    passing_by: datetime | None = None,
    pauses: bool = False,
) -> Places | None:
    """Read the runs that are not counted yet; ``None``, and no read, if the job counts none.

    ``holding``: count the runs of which it is true, as a preview does. ``passing_by`` and
    ``pauses``: as ``count_places``.
    """
    if not counts_places(timing):
        return None
    left, gone = list[RunRecord](), list[datetime]()
    for at in left_open(timing):
        found = list(runs_on_record(timing, runs, start=at, end=at, page_size=1))
        left += found
        gone += [] if found else [at]
    start = counted_from(timing)
    records = [*left, *runs_on_record(timing, runs, start=start, end=_EVER, page_size=_PAGE)]
    wanted = [each for each in records if holding is None or holding(each)]
    timing = counted_without(timing, gone)
    return count_places(timing, wanted, passing_by=passing_by, pauses=pauses)


def counted(timing: Timing, runs: RunStore) -> Timing:
    """Return the timing of a job that is about to pause, with what has ended counted.

    Records of runs may be forgotten before it is resumed.
    """
    places = places_of(timing, runs, pauses=True)
    if places is None:
        return timing
    return replace(
        timing,
        runs_begun=places.counted,
        counted_until=places.counted_until,
        uncounted=places.uncounted,
    )
