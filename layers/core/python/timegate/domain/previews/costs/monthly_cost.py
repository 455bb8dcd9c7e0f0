"""Estimating the cost of a job's runs in a month, from its definition and measured runs."""

from datetime import datetime, timedelta

from timegate.domain.actions.action import Action
from timegate.domain.jobs.job import Timing
from timegate.domain.metering.flow import Flow
from timegate.domain.metering.measured_flows import FLOWS
from timegate.domain.recurrence.counting import span_between
from timegate.domain.recurrence.schedule import Schedule, ScheduleKind
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

MONTH = timedelta(days=30)
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
    #: The schedule is one that recurs.
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
    """Estimate the month after ``now``, or after the schedule starts.

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
    """Count the instants of a month, up to what is left of ``max_runs``; ``None``: manual."""
    schedule = timing.schedule
    if schedule.kind is ScheduleKind.MANUAL:
        return None
    if not schedule.is_recurring:
        return 1
    first = max(now + MILLISECOND, schedule.starts_at or now)
    until = first - MILLISECOND + MONTH
    named = span_between(schedule, created_at=timing.anchored_at, first=first, until=until)
    runs = 0 if named is None else named.count
    if schedule.max_runs is None:
        return runs
    return min(runs, max(schedule.max_runs - timing.runs_begun, 0))


def _usd(low: float, high: float) -> str:
    """Write a range of dollars, to the cent."""
    if high < _LEAST:
        return "0.01 USD or less"
    shown = [f"{max(each, _LEAST):,.2f}" for each in (low, high)]
    return f"about {' to '.join(dict.fromkeys(shown))} USD"
