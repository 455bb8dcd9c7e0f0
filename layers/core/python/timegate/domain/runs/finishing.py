"""Forecasts: whether a run will have ended by its deadline, judged by its job's recent runs."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from timegate.domain.jobs.finish_by import FinishBy, finish_instant
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.notification import Occasion
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.zones.zone_clock import is_known
from timegate.domain.runs.finish import Finish
from timegate.domain.runs.run import TERMINAL, Attempt, RunState
from timegate.domain.values.instants import milliseconds_between


class FinishOutlook(StrEnum):
    """States of a run with regard to its deadline."""

    #: Too few runs are on record for a forecast, or it was not made yet.
    UNKNOWN = "unknown"
    #: It is expected to end by then.
    IN_TIME = "in_time"
    WILL_BE_LATE = "will_be_late"
    #: It ended by then.
    MET = "met"
    MISSED = "missed"


#: The runs that a forecast reads: one page of a query.
RECENT_RUNS = 30
#: With fewer successes among them, no forecast is made.
FEWEST_RUNS = 5
#: Runs in a hundred that take no longer than the forecast says.
_PERCENT = 95


def duration_ms(attempt: Attempt) -> int | None:
    """Milliseconds that the try took which succeeded, of a run in slices all of them.

    ``None``: it did not succeed, or its target was not called.
    """
    begun_at = attempt.slices.begun_at or attempt.started_at
    if attempt.state is not RunState.SUCCEEDED or begun_at is None or attempt.ended_at is None:
        return None
    return max(0, milliseconds_between(begun_at, attempt.ended_at))


def usual_ms(recent: Iterable[Attempt]) -> int | None:
    """The 95th percentile of their durations, by nearest rank; ``None``: they are too few."""
    durations = sorted(ms for each in recent if (ms := duration_ms(each)) is not None)
    if len(durations) < FEWEST_RUNS:
        return None
    return durations[-(-len(durations) * _PERCENT // 100) - 1]


def finish_of(attempt: Attempt, job: Job) -> Finish | None:
    """The attempt's deadline as its job has it now, with what is known while it stays the same.

    It counts from the run's instant, or from when the run was opened again. A run keeps a deadline
    that its job has dropped since, and one on the clock of a zone that was withdrawn since.
    """
    return finish_under(attempt, job.finish_by, job.timing.schedule)


def finish_under(attempt: Attempt, finish_by: FinishBy | None, schedule: Schedule) -> Finish | None:
    """Return ``finish_of`` under the ``finish_by`` and the schedule of the attempt's job."""
    if finish_by is None or attempt.state in TERMINAL:
        return attempt.finish
    after = attempt.opened_at or attempt.id.run.scheduled_at
    zone = finish_by.timezone or schedule.wall_timezone or "UTC"
    if finish_by.time is not None and not is_known(zone):
        # No clock tells the time of a zone that was withdrawn.
        return attempt.finish
    by = finish_instant(finish_by, zone, after=after)
    known = attempt.finish
    return known if known is not None and known.by == by else Finish(by=by)


def with_finish(attempt: Attempt, job: Job | None) -> Attempt:
    """The attempt with its deadline."""
    if job is None:
        return attempt
    finish = finish_of(attempt, job)
    return attempt if finish == attempt.finish else replace(attempt, finish=finish)


def forecast(attempt: Attempt, usual: int | None, *, now: datetime) -> Attempt:
    """The attempt with the end that its job's recent runs let expect, ``usual`` in milliseconds.

    The forecast of a run at work was made when it began, and stays.
    """
    finish = attempt.finish
    if finish is None or (attempt.state is RunState.RUNNING and finish.is_judged):
        return attempt
    expected_at = _expected_at(attempt, finish, usual, now)
    judged = replace(finish, is_judged=True, usual_ms=usual, expected_at=expected_at)
    return replace(attempt, finish=judged)


def news_of(attempt: Attempt, *, now: datetime) -> Occasion | None:
    """Return the occasion about its deadline that no hook was told of; ``None``: there is none."""
    finish = attempt.finish
    if finish is None or finish.missed:
        return None
    if now > finish.by:
        return Occasion.MISSED_DEADLINE
    expected_at = finish.expected_at
    if expected_at is not None and expected_at > finish.by and not finish.will_be_late:
        return Occasion.WILL_BE_LATE
    return None


def outlook(attempt: Attempt, finish: Finish) -> FinishOutlook:
    """Return the run's state with regard to its deadline, by the record."""
    if attempt.ends_run and attempt.ended_at is not None:
        return FinishOutlook.MISSED if attempt.ended_at > finish.by else FinishOutlook.MET
    if finish.missed:
        return FinishOutlook.MISSED
    if finish.expected_at is None:
        return FinishOutlook.UNKNOWN
    return FinishOutlook.WILL_BE_LATE if finish.expected_at > finish.by else FinishOutlook.IN_TIME


def margin_ms(attempt: Attempt, finish: Finish) -> int | None:
    """Milliseconds from the end, or the expected end, to the deadline; negative when it is late.

    ``None``: no end is expected.
    """
    ended_at = attempt.ended_at if attempt.ends_run else None
    at = ended_at or finish.expected_at
    return milliseconds_between(at, finish.by) if at is not None else None


def with_news(attempt: Attempt, occasion: Occasion) -> Attempt:
    """The attempt, which knows that this was told."""
    if attempt.finish is None:
        return attempt
    missed = occasion is Occasion.MISSED_DEADLINE
    finish = replace(
        attempt.finish,
        missed=attempt.finish.missed or missed,
        will_be_late=attempt.finish.will_be_late or not missed,
    )
    return replace(attempt, finish=finish)


def _expected_at(
    attempt: Attempt, finish: Finish, usual: int | None, now: datetime
) -> datetime | None:
    begins_at = max(now, attempt.due_at)
    if usual is None:
        # No history is needed to see that a run cannot end before it begins.
        return begins_at if begins_at > finish.by else None
    took_from = attempt.slices.begun_at or begins_at
    return max(begins_at, took_from + timedelta(milliseconds=usual))
