"""What a simulation comes to: runs, gaps, and the instants about which nothing is decided yet."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice

from timegate.domain.instants import MILLISECOND
from timegate.domain.job import JobStatus, Timing
from timegate.domain.ledger import Gap, gap_between
from timegate.domain.recurrence import fires_between
from timegate.domain.run import Attempt
from timegate.domain.simulation.scenario import MAX_INSTANTS, Scenario


@dataclass(frozen=True, kw_only=True, slots=True)
class Refused:
    """A change that the API would have answered with a conflict; it changed nothing."""

    at: datetime
    #: The field of the scenario that asked for it.
    field: str
    code: str


@dataclass(frozen=True, kw_only=True, slots=True)
class LeftOut:
    """A gap, and the timing that named its instants."""

    gap: Gap
    timing: Timing


@dataclass(frozen=True, kw_only=True, slots=True)
class Simulated:
    """The records of the range: each nominal instant is in one of them, or undecided."""

    #: Runs and gaps, by their first instants.
    rows: tuple[Attempt | Gap, ...]
    #: Instants of the range that have no record at its end: unplanned, or held by a pause.
    undecided: int
    refused: tuple[Refused, ...]
    #: The job as it stands in the end.
    timing: Timing


def instant_of(row: Attempt | Gap) -> datetime:
    """The nominal instant of a run, or the first one of a gap."""
    return row.first if isinstance(row, Gap) else row.id.run.scheduled_at


def rows_within(
    runs: Iterable[Attempt], left_out: Sequence[LeftOut], scenario: Scenario
) -> tuple[Attempt | Gap, ...]:
    """The records of the range, by their first instants."""
    rows: list[Attempt | Gap] = [*_runs_within(runs, scenario), *_gaps_within(left_out, scenario)]
    return tuple(sorted(rows, key=instant_of))


def _runs_within(runs: Iterable[Attempt], scenario: Scenario) -> list[Attempt]:
    return [run for run in runs if scenario.start <= run.id.run.scheduled_at < scenario.end]


def _gaps_within(left_out: Sequence[LeftOut], scenario: Scenario) -> list[Gap]:
    """The gaps of the range; of one that began before it, the part that lies in it."""
    gaps = []
    for one in left_out:
        gap: Gap | None = one.gap
        if one.gap.first < scenario.start:
            gap = _part(one, scenario.start)
        if gap is not None:
            gaps.append(gap)
    return gaps


def undecided_within(timing: Timing, scenario: Scenario) -> int:
    """How many instants of the range still wait for their record."""
    first = timing.held_at if timing.status is JobStatus.PAUSED else timing.next_run_at
    if first is None:
        return 0
    waiting = fires_between(
        timing.schedule,
        created_at=timing.anchored_at,
        after=max(first, scenario.start) - MILLISECOND,
        until=scenario.end - MILLISECOND,
    )
    limit = timing.schedule.max_runs
    most = MAX_INSTANTS if limit is None else max(limit - timing.runs_planned, 0)
    return sum(1 for _ in islice(waiting, most))


def _part(one: LeftOut, start: datetime) -> Gap | None:
    gap = gap_between(
        one.timing,
        first=start,
        until=one.gap.last,
        reason=one.gap.reason,
        now=one.gap.recorded_at,
    )
    return gap and replace(gap, job_version=one.gap.job_version)
