"""Durations of a simulated job's runs, and the forecasts made from them."""

from bisect import bisect_right, insort
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.runs.conclusion import fail, succeed
from timegate.domain.runs.finishing import (
    RECENT_RUNS,
    finish_under,
    forecast,
    news_of,
    usual_ms,
    with_news,
)
from timegate.domain.runs.run import Attempt
from timegate.domain.simulation.scenario import RunOutcome, SimulatedJob, seconds
from timegate.value_classes import dataclass

#: An attempt is the run's last, as that of a run whose retries are used up.
_ONCE = RetryPolicy(max_attempts=1)
_KINDS = {
    RunOutcome.FAILED: FailureKind.PERMANENT,
    RunOutcome.DEAD_LETTERED: FailureKind.RETRYABLE,
}


def ended_as(
    outcome: RunOutcome, running: Attempt, *, started_at: datetime, now: datetime
) -> Attempt:
    """Return the attempt after its end, as a worker would report it."""
    if outcome is RunOutcome.SUCCEEDED:
        return succeed(running, started_at=started_at, now=now, result="")
    failure = Failure(
        kind=_KINDS[outcome], code="simulated", type="Simulated", message="The scenario says so."
    )
    return fail(running, failure, _ONCE, started_at=started_at, now=now).ended


@dataclass(frozen=True, kw_only=True, slots=True)
class RunCourse:
    """The end that a scenario gives a run that starts."""

    ends_at: datetime
    outcome: RunOutcome


class Foresight:
    """The runs of a job, by their instants; each forecast reads the recent ones."""

    def __init__(self, job: SimulatedJob, runs: dict[datetime, Attempt]) -> None:
        self._job = job
        self._runs = runs
        self._instants: list[datetime] = []
        self._started = 0

    def next_course(self, now: datetime) -> RunCourse:
        """Return the course of the run that starts now: lists name runs in the order they start."""
        number, self._started = self._started, self._started + 1
        durations, outcomes = self._job.run_seconds, self._job.outcomes
        return RunCourse(
            ends_at=now + seconds(durations[min(number, len(durations) - 1)]),
            outcome=outcomes[min(number, len(outcomes) - 1)],
        )

    def note(self, instant: datetime) -> None:
        """Take up an instant that has its first record."""
        insort(self._instants, instant)

    def foreseen(self, attempt: Attempt, timing: Timing, now: datetime) -> Attempt:
        """The attempt with its deadline, its expected end, and what is told of them."""
        finish = finish_under(attempt, self._job.finish_by, timing.schedule)
        if finish is None:
            return attempt
        last = bisect_right(self._instants, now)
        recent = [self._runs[at] for at in self._instants[max(0, last - RECENT_RUNS) : last]]
        judged = forecast(replace(attempt, finish=finish), usual_ms(recent), now=now)
        occasion = news_of(judged, now=now)
        return judged if occasion is None else with_news(judged, occasion)
