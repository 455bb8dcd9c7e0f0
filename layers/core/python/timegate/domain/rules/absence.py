"""Absence: when a rule asks for a success, and from when on."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, time, timedelta

from timegate.domain.jobs.job import Job, JobStatus
from timegate.domain.jobs.rules.absence_watch import AbsenceWatch, awaited_within
from timegate.domain.recurrence.zones.local_days import at_wall, day_of, weekday_of
from timegate.domain.rules.judging import succeeded_after
from timegate.domain.rules.rule import Absence, Rule
from timegate.domain.runs.run import Attempt

#: Jobs are asked for their successes this often, as a part of the span ...
_PARTS = 24
#: ... and never more or less often than this.
_LEAST, _MOST = timedelta(minutes=5), timedelta(minutes=15)
#: Runs of earlier instants have ended before the span, or take longer than a run may.
LONGEST_RUN = timedelta(days=1)
_DAY_SECONDS = 86_400
_WEEK = 7
#: Runs of instants since then, the latest first.
RunsSince = Callable[[datetime], Iterable[Attempt]]


def next_walk(absences: Iterable[Absence], *, last: datetime) -> datetime | None:
    """The instant of the round over all jobs that follows one of ``last``; ``None``: none does."""
    found = [
        last + min(max(timedelta(seconds=each.for_seconds or 0) / _PARTS, _LEAST), _MOST)
        if each.at is None
        else judged_at(each, before=last + timedelta(days=_WEEK + 1), after=last)
        for each in absences
    ]
    return min((each for each in found if each is not None), default=None)


def asked_at(absence: Absence, *, now: datetime, last: datetime) -> datetime | None:
    """The instant as of which a round of ``now`` judges; ``None``: it has none to judge.

    ``last``: the round before. A time of day that came between the two is judged once.
    """
    return now if absence.at is None else judged_at(absence, before=now, after=last, latest=True)


def judged_at(
    absence: Absence, *, before: datetime, after: datetime, latest: bool = False
) -> datetime | None:
    """The first time of day between two instants, or the last; the later instant is included."""
    at = time.fromisoformat(absence.at or "00:00")
    second = at.hour * 3600 + at.minute * 60 + at.second
    first, last = day_of(absence.timezone, after), day_of(absence.timezone, before)
    days = range(max(first, last - _WEEK), last + 1) if latest else range(first, last + 1)
    for day in reversed(days) if latest else days:
        instant = at_wall(absence.timezone, day * _DAY_SECONDS + second).astimezone(UTC)
        if weekday_of(day) in absence.weekdays and after < instant <= before:
            return instant
    return None


def may_be_absent(job: Job, *, since: datetime, is_own: bool = False) -> bool:
    """Tell if the job was to succeed since then: it recurs, and was meant to run all the time.

    A job that failures paused is silent against its owner's will; one that a caller paused is not,
    and is awaited anew from its resumption on.
    ``is_own``: the job itself says so, also one that others trigger.
    """
    timing = job.timing
    wanted = timing.status is JobStatus.ACTIVE or timing.paused_itself
    began = job.resumed_at or timing.created_at
    return wanted and (is_own or timing.schedule.is_recurring) and began <= since


def asked_span(rule: Rule, job: Job, at: datetime) -> tuple[datetime, datetime] | None:
    """Return the span in which a job was to succeed by a rule; ``None``: it was not."""
    absence = rule.when.absent
    if absence is None or not rule.jobs.selects(job):
        return None
    seconds = absence.for_seconds or awaited_within(job)
    if seconds is None:
        return None
    since = at - timedelta(seconds=seconds)
    is_own = absence.for_seconds is None
    return (since, at) if may_be_absent(job, since=since, is_own=is_own) else None


def with_successes(watch: AbsenceWatch, runs_since: RunsSince, *, now: datetime) -> AbsenceWatch:
    """Return the watch as of the last success that is on record, or of one within its span.

    ``runs_since`` yields runs of instants since then, the latest first.
    """
    found = _success(watch, runs_since)
    while found is not None:
        watch = watch.succeeded(found)
        found = _success(watch, runs_since) if watch.over_at <= now else None
    return watch


def _success(watch: AbsenceWatch, runs_since: RunsSince) -> datetime | None:
    """Return the end of the latest run that succeeded since; ``None``: none did."""
    for run in runs_since(watch.since - LONGEST_RUN):
        if succeeded_after(run, watch.since):
            return run.ended_at
    return None
