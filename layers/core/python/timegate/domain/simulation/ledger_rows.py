"""Results of a simulation: runs, gaps, and instants that are undecided yet."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from itertools import islice

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.ledger.gap_parts import without
from timegate.domain.ledger.ledger import Gap, gap_between
from timegate.domain.planning.places import (
    Places,
    count_places,
    counted_from,
    counts_places,
    keeps_place,
)
from timegate.domain.planning.transitions import with_unrecorded
from timegate.domain.recurrence.fires import instants_between
from timegate.domain.runs.run import Attempt
from timegate.domain.simulation.events.definitions import EventRow, WaitRow
from timegate.domain.simulation.notices.told import SimulatedNotice
from timegate.domain.simulation.scenario import MAX_INSTANTS, Scenario
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: The record of an instant, or of several.
Row = Attempt | Gap


@dataclass(frozen=True, kw_only=True, slots=True)
class RejectedChange:
    """A change that the API would have answered with a conflict; it changed nothing."""

    at: datetime
    #: The field of the scenario that asked for it.
    field: str
    code: str


@dataclass(frozen=True, kw_only=True, slots=True)
class GapRow:
    """A gap, and the timing that named its instants."""

    gap: Gap
    timing: Timing


@dataclass(frozen=True, kw_only=True, slots=True)
class JobLedger:
    """The records of a job in the range: each nominal instant is in one of them, or undecided."""

    #: The scenario's name of the job, if there are several.
    name: str | None
    #: Runs and gaps, by their first instants.
    rows: tuple[Row, ...]
    #: Instants of the range that have no record at its end: unplanned, or held by a pause.
    undecided: int
    refused: tuple[RejectedChange, ...]
    #: The job as it stands in the end.
    timing: Timing


@dataclass(frozen=True, kw_only=True, slots=True)
class Simulated:
    """The ledgers of a scenario's jobs, in its order."""

    ledgers: tuple[JobLedger, ...]
    #: Notices to people, in order.
    notices: tuple[SimulatedNotice, ...] = ()
    #: Triggers that each event meets, in order, and the ends of waits.
    events: tuple[EventRow, ...] = ()
    waits: tuple[WaitRow, ...] = ()

    @property
    def named_rows(self) -> list[tuple[str | None, Row]]:
        """The records of all jobs by their first instants, each with the name of its job."""
        rows = [(ledger.name, row) for ledger in self.ledgers for row in ledger.rows]
        return sorted(rows, key=lambda named: instant_of(named[1]))

    @property
    def refused(self) -> tuple[RejectedChange, ...]:
        """The changes that were refused, of all jobs, in order."""
        every = [refused for ledger in self.ledgers for refused in ledger.refused]
        return tuple(sorted(every, key=lambda refused: refused.at))


def instant_of(row: Row) -> datetime:
    """The nominal instant of a run, or the first one of a gap."""
    return row.first if isinstance(row, Gap) else row.id.run.scheduled_at


def rows_within(
    runs: Iterable[Attempt], left_out: Iterable[GapRow], scenario: Scenario
) -> tuple[Row, ...]:
    """The records of the range; of a gap, the parts that lie in it and between its runs.

    A change may leave a gap where its job was planned ahead: a run is the record of its instant.
    """
    within = {run.id.run.scheduled_at: run for run in runs}
    within = {at: run for at, run in within.items() if scenario.start <= at < scenario.end}
    rows: list[Row] = [*within.values()]
    for one in left_out:
        part = _part(one, scenario.start, scenario.end - MILLISECOND)
        rows += without(within, [part.gap], part.timing) if part is not None else []
    return tuple(sorted(rows, key=instant_of))


def until_replaced(left_out: Iterable[GapRow], timing: Timing) -> list[GapRow]:
    """Cut from instants left out ahead those for which another schedule answers now."""
    given_at = timing.anchored_at
    names_it = (timing.next_run_at or timing.held_at) == given_at
    last = given_at - MILLISECOND if names_it else given_at
    parts = (_part(one, one.gap.first, last) for one in left_out)
    return [part for part in parts if part is not None]


def as_it_waited(timing: Timing, runs: Iterable[Attempt], left_out: Iterable[GapRow]) -> Timing:
    """Return a job that used up its ``max_runs`` as it was before it completed."""
    begun = [run.id.run.scheduled_at for run in runs if keeps_place(run)]
    last = max([*begun, *(one.gap.last for one in left_out)], default=None)
    return with_unrecorded(timing, last)


def places_of(timing: Timing, runs: Mapping[datetime, Attempt]) -> Places | None:
    """Count the places that the runs of a job hold; ``None``: it does not count them."""
    if not counts_places(timing):
        return None
    first = counted_from(timing)
    return count_places(timing, [run for at, run in sorted(runs.items()) if at >= first])


def undecided_within(
    timing: Timing, scenario: Scenario, places: Places | None, recorded: Collection[datetime]
) -> int:
    """Count the instants of the range without a record; ``recorded`` have a run."""
    first = timing.held_at if timing.status is JobStatus.PAUSED else timing.next_run_at
    if first is None:
        return 0
    waiting = instants_between(
        timing, after=max(first, scenario.start) - MILLISECOND, until=scenario.end - MILLISECOND
    )
    most = MAX_INSTANTS if places is None else min(places.free, MAX_INSTANTS)
    return sum(1 for _ in islice((at for at in waiting if at not in recorded), most))


def _part(one: GapRow, start: datetime, last: datetime) -> GapRow | None:
    gap = one.gap
    if start <= gap.first and gap.last <= last:
        return one
    part = gap_between(
        one.timing,
        first=max(start, gap.first),
        until=min(last, gap.last),
        reason=gap.reason,
        now=gap.recorded_at,
    )
    if part is None:
        return None
    return GapRow(gap=replace(part, job_version=gap.job_version), timing=one.timing)
