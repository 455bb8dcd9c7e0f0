"""Foreseeing ends: a run that will miss its deadline, or has missed it, is told of once."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from timegate.domain.execution.notices import notices
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.runs.finishing import forecast, news_of, with_finish, with_news
from timegate.domain.runs.run import Attempt
from timegate.domain.values.errors import Throttled
from timegate.ports.stores import RunStore
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import Telemetry, of_run
from timegate.usecases.outcomes.notify import OccasionNotice, store_told
from timegate.usecases.services.durations_at_hand import DurationsAtHand

_METRICS = {
    Occasion.WILL_BE_LATE: run_metrics.DEADLINES_FORECAST_MISSED,
    Occasion.MISSED_DEADLINE: run_metrics.DEADLINES_MISSED,
}


class Foreseeing(Protocol):
    """Services that forecast ends, of executors and the sweeper."""

    @property
    def runs(self) -> RunStore:
        """The history, and where notices are stored."""

    @property
    def durations(self) -> DurationsAtHand:
        """The usual durations that were read lately."""

    @property
    def telemetry(self) -> Telemetry:
        """One event per deadline that is in danger or missed."""


def foresee_finish(
    governed: Sequence[tuple[Attempt, Job]], foreseeing: Foreseeing, *, now: datetime
) -> list[Attempt]:
    """Forecast these attempts' ends and store notices of what is new; each attempt as it is now.

    A job without a deadline costs nothing. A repeat after a crash before the attempt is written
    meets the notices again: their ids are computed. Raises ``Throttled`` where a notice cannot be
    stored.
    """
    told: list[OccasionNotice] = []
    judged: list[Attempt] = []
    for attempt, job in governed:
        after = _forecast(with_finish(attempt, job), job, foreseeing, now)
        occasion = news_of(after, now=now)
        if occasion is not None:
            made = notices(job, after, occasion, at=now, now=now)
            told.append(OccasionNotice(attempt=after, occasion=occasion, notices=made))
            after = with_news(after, occasion)
        judged.append(after)
    store_told(told, foreseeing.runs, foreseeing.telemetry)
    for each in told:
        _report(each, foreseeing.telemetry)
    return judged


def foresee_one(
    attempt: Attempt, job: Job | None, foreseeing: Foreseeing, *, now: datetime
) -> Attempt:
    """The attempt with what is known of its deadline now, for the next writer of it."""
    return attempt if job is None else foresee_finish([(attempt, job)], foreseeing, now=now)[0]


def _forecast(attempt: Attempt, job: Job, foreseeing: Foreseeing, now: datetime) -> Attempt:
    if attempt.finish is None or job.finish_by is None:
        return attempt
    try:
        usual = foreseeing.durations.usual_ms(job.tenant, job.job_id, foreseeing.runs, now=now)
    except Throttled as error:
        # No run waits for a forecast; the next look makes it.
        foreseeing.telemetry.event(
            run_events.FORECAST_NOT_MADE,
            **of_run(attempt),
            detail=str(error),
        )
        return attempt
    return forecast(attempt, usual, now=now)


def _report(told: OccasionNotice, telemetry: Telemetry) -> None:
    finish = told.attempt.finish
    telemetry.count(_METRICS[told.occasion])
    telemetry.event(
        run_events.DEADLINE_IN_DANGER
        if told.occasion is Occasion.WILL_BE_LATE
        else run_events.DEADLINE_MISSED,
        **of_run(told.attempt),
        state=told.attempt.state,
        finish_by=finish.by if finish is not None else None,
        expected_at=finish.expected_at if finish is not None else None,
    )
