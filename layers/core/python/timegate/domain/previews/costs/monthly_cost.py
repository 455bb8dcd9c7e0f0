"""Estimating the cost of a job's runs in a month, from its definition and measured runs."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice

from timegate.domain.actions.action import Action
from timegate.domain.jobs.job import Timing
from timegate.domain.metering.flow import Flow
from timegate.domain.metering.measured_flows import FLOWS
from timegate.domain.recurrence.fires import fires_between
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.value_classes import dataclass

MONTH = timedelta(days=30)
#: Instants that are counted; the rest of a month goes on as these did.
MOST_COUNTED = 1_000
_DAY, _WEEK = timedelta(days=1), timedelta(days=7)
#: Runs of a job share the writes of their plan up to this distance (``domain/planning/window``).
_SHARED = timedelta(minutes=1)
_MILLION = 1_000_000
#: The least amount that is written.
_LEAST = 0.01


@dataclass(frozen=True, kw_only=True, slots=True)
class MonthlyCost:
    """US dollars of a job's runs, by list price, for a target that answers within 200 ms."""

    #: In 30 days; of a job that runs once: 1. ``None``: runs are asked for, and cannot be foreseen.
    runs: int | None
    #: The job recurs, and goes on after this month.
    recurs: bool
    #: The measured run that stands for its runs (``measured_flows``).
    kind: Flow
    #: For a million runs: in full batches, and each alone.
    low_per_million: float
    high_per_million: float

    @property
    def low(self) -> float:
        """Return the dollars of the runs that are foreseen, in full batches."""
        return (self.runs or 0) * self.low_per_million / _MILLION

    @property
    def high(self) -> float:
        """Return the dollars of the runs that are foreseen, each alone."""
        return (self.runs or 0) * self.high_per_million / _MILLION

    @property
    def description(self) -> str:
        """Return the estimate in words."""
        if self.runs is None:
            return f"{_usd(self.low_per_million, self.high_per_million)} for a million runs"
        if not self.recurs:
            return f"{_usd(self.low, self.high)}, once"
        return f"{_usd(self.low, self.high)} a month: {self.runs:,} run{'s' * (self.runs != 1)}"


def monthly_cost(timing: Timing, action: Action, *, now: datetime) -> MonthlyCost:
    """Estimate the month after ``now``.

    Instants that calendars leave out are counted, and retries and Timegate's idle stage are not.
    The tasks of a DAG are none of its job's runs.
    """
    runs = _runs(timing, now)
    kind = _kind(timing.schedule, action, runs)
    alone, together = (round(each.usd * _MILLION, 2) for each in FLOWS[kind])
    return MonthlyCost(
        runs=runs,
        recurs=timing.schedule.is_recurring,
        kind=kind,
        low_per_million=together,
        high_per_million=alone,
    )


def _kind(schedule: Schedule, action: Action, runs: int | None) -> Flow:
    if action.type == "worker":
        return Flow.POOL
    if not schedule.is_recurring and schedule.kind is not ScheduleKind.MANUAL:
        return Flow.ONE_SHOT
    often = runs is not None and runs * _SHARED >= MONTH
    return Flow.MINUTELY if often else Flow.DAILY


def _runs(timing: Timing, now: datetime) -> int | None:
    """Count instants until there are enough, and go on at their rate for whole days or weeks."""
    schedule = timing.schedule
    if schedule.kind is ScheduleKind.MANUAL:
        return None
    if not schedule.is_recurring:
        return 1
    named = fires_between(schedule, created_at=timing.anchored_at, after=now, until=now + MONTH)
    counted = list(islice(named, MOST_COUNTED))
    runs = len(counted)
    if runs == MOST_COUNTED:
        runs = _extrapolated(counted, now)
    return runs if schedule.max_runs is None else min(runs, schedule.max_runs)


def _extrapolated(counted: Sequence[datetime], start: datetime) -> int:
    """Go on at the rate of whole weeks or days, so that nights and weekends count once."""
    reached = counted[-1] - start
    whole = next((each for each in (_WEEK, _DAY) if reached >= each), None)
    if whole is None:
        return round((len(counted) - 1) * (MONTH / (counted[-1] - counted[0])))
    span = reached // whole * whole
    return round(sum(each <= start + span for each in counted) * (MONTH / span))


def _usd(low: float, high: float) -> str:
    """Write a range of dollars, to the cent."""
    if high < _LEAST:
        return "0.01 USD or less"
    shown = [f"{max(each, _LEAST):,.2f}" for each in (low, high)]
    return f"about {' to '.join(dict.fromkeys(shown))} USD"
