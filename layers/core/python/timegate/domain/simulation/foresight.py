"""Durations of a simulated job's runs, and the forecasts made from them."""

from bisect import bisect_right, insort
from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import Timing
from timegate.domain.runs.finishing import (
    RECENT_RUNS,
    finish_under,
    forecast,
    news_of,
    usual_ms,
    with_news,
)
from timegate.domain.runs.run import Attempt
from timegate.domain.simulation.scenario import SimulatedJob


class Foresight:
    """The runs of a job, by their instants; each forecast reads the recent ones."""

    def __init__(self, job: SimulatedJob, runs: dict[datetime, Attempt]) -> None:
        self._job = job
        self._runs = runs
        self._instants: list[datetime] = []
        self._started = 0

    def next_duration(self) -> float:
        """Return the duration in seconds of the run that starts now."""
        durations = self._job.run_seconds
        self._started += 1
        return durations[min(self._started, len(durations)) - 1]

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
