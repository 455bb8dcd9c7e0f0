"""A job as another stage takes it over: what its runs here hold is counted, for they stay."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.values.instants import MILLISECOND
from timegate.ports.stores import RunStore
from timegate.usecases.ledger.count_places import places_of


def as_moved(timing: Timing, runs: RunStore, *, now: datetime) -> Timing:
    """Count runs that wait as if they had begun: the other stage has no record of them.

    A read for jobs with ``max_runs``, and none for others. A run that ends before it began gives no
    place back any more.
    """
    places = places_of(timing, runs)
    if places is None:
        return timing
    until = timing.next_run_at - MILLISECOND if timing.next_run_at is not None else now
    begun = places.begun + places.waiting
    return replace(timing, runs_begun=begun, counted_until=until, uncounted=())
