"""Backfilling: which instants of the past are meant, and what becomes of each."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.ledger.damaged_records import DamageCode
from timegate.domain.ledger.explanations import explain_run
from timegate.domain.operations.operation import (
    Backfill,
    ItemError,
    Opened,
    Operation,
    Reprocess,
)
from timegate.domain.planning.plan import first_attempt, left_to_stream
from timegate.domain.planning.reopen import reopened
from timegate.domain.recurrence.counting import series_between
from timegate.domain.recurrence.fires import instants_between, next_instant
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import InvalidInput, JobIsCancelled, JobIsPaused
from timegate.domain.values.identity import Origin
from timegate.domain.values.instants import MILLISECOND, rfc3339

#: Instants of one backfill.
MAX_INSTANTS = 10_000
#: Counting stops after a stretch of so long in which there are more: a union that named hundreds
#: of thousands since 1970 took seconds to refuse.
_STRETCH = timedelta(days=366)
#: Runs of one backfill under way at once: each is a part of its record.
MAX_CONCURRENT = 100
#: States that ``reprocess: failed`` runs again. A caller who cancelled a run did not want it to
#: succeed.
NOT_SUCCEEDED = frozenset(
    {RunState.FAILED, RunState.TIMED_OUT, RunState.DEAD_LETTERED, RunState.SKIPPED}
)


class InstantFate(StrEnum):
    """Fates of an instant in a backfill."""

    #: It has no run, whatever the reason: it gets one.
    NEW = "new"
    #: Its run is tried again, as a new attempt.
    REOPENED = "reopened"
    UNCHANGED = "unchanged"


def fate_of(last: Attempt | None, reprocess: Reprocess) -> InstantFate:
    """Decide about an instant by the last attempt at its run; ``None``: it has no run."""
    if last is None:
        return InstantFate.NEW
    if not last.ends_run:
        return InstantFate.UNCHANGED
    match reprocess:
        case Reprocess.NONE:
            again = False
        case Reprocess.FAILED:
            again = last.state in NOT_SUCCEEDED
        case Reprocess.ALL:
            again = True
    return InstantFate.REOPENED if again else InstantFate.UNCHANGED


def instants_of(timing: Timing, start: datetime, end: datetime) -> Iterator[datetime]:
    """Yield the instants of the present schedule from ``start`` to ``end``, both included.

    A cron, or a rate with a beginning, names instants before the job was created as well.
    """
    return instants_between(timing, after=start - MILLISECOND, until=end)


def check_backfill(
    timing: Timing, asked: Backfill, *, now: datetime, oldest_record: datetime
) -> int:
    """Count the instants meant; raises ``InvalidInput``, ``JobIsCancelled``, ``JobIsPaused``.

    ``oldest_record``: what happened before may have been forgotten.
    """
    if timing.status is JobStatus.CANCELLED:
        raise JobIsCancelled(timing.job_id)
    if timing.status is JobStatus.PAUSED:
        raise JobIsPaused(timing.job_id)
    _check_range(timing, asked, now, oldest_record)
    count, counted_until = _count(timing, asked)
    if count == 0:
        detail = "The job's schedule names no instant in this range."
        raise InvalidInput("from", "no_instants", detail)
    if count > MAX_INSTANTS:
        detail = (
            f"The range has {count} instants up to {rfc3339(counted_until)};"
            f" a backfill may have {MAX_INSTANTS}."
        )
        raise InvalidInput("to", "too_many_instants", detail)
    return count


def opening(
    operation: Operation, opened: Opened, last: Attempt | None, timing: Timing, *, now: datetime
) -> Attempt:
    """The attempt with which a backfill begins a run, due at once; the stream publishes it.

    Raises ``RunIsUnfinished``.
    """
    owner = operation.operation_id
    if last is not None:
        return reopened(last, timing, now=now, operation=owner)
    attempt = first_attempt(timing, Origin.SCHEDULE, opened.instant, now=now, due_at=now)
    attempt = left_to_stream(attempt, now=now)
    return replace(attempt, operation=owner, opened_at=now, backfilled=True)


def _count(timing: Timing, asked: Backfill) -> tuple[int, datetime]:
    """Count the instants meant, no further than shows that they are too many, and say how far."""
    count, until = 0, asked.start - MILLISECOND
    while count <= MAX_INSTANTS:
        first = next_instant(timing, until)
        if first is None or first > asked.end:
            break
        until = min(first + _STRETCH, asked.end)
        span = series_between(timing, first=first, until=until)
        count += span.count if span is not None else 0
    return count, until


def _check_range(timing: Timing, asked: Backfill, now: datetime, oldest_record: datetime) -> None:
    if asked.end < asked.start:
        raise InvalidInput("to", "range_reversed", "It is earlier than from.")
    if asked.end > now:
        raise InvalidInput("to", "in_the_future", "Only what has passed can be backfilled.")
    may_have_run = max(asked.start, timing.created_at)
    if asked.reprocess is not Reprocess.ALL and may_have_run < min(oldest_record, asked.end):
        detail = "Records this old are forgotten, so what has run cannot be told; reprocess all."
        raise InvalidInput("from", "beyond_retention", detail)


def still_open(opened: Opened, last: Attempt) -> Opened | None:
    """Return a run that a backfill waits for or begins again; ``None``: it has come to its end.

    A run that was skipped because its job was paused begins again, as its next attempt.
    """
    if not last.ends_run:
        return opened
    held_up = last.state is RunState.SKIPPED and last.reason is Reason.PAUSED
    return replace(opened, number=last.id.number + 1) if held_up else None


def run_error(last: Attempt) -> ItemError:
    """Return the reason for which a run did not succeed."""
    if last.error is not None:
        return ItemError(item=str(last.id.run), code=last.error.code, detail=last.error.message)
    return ItemError(
        item=str(last.id.run), code=last.reason or last.state, detail=explain_run(last)
    )


def expired_error(opened: Opened) -> ItemError:
    """Return the error of a run whose record is gone."""
    detail = "Its record has reached the end of its retention."
    return ItemError(item=rfc3339(opened.instant), code="record_expired", detail=detail)


def damage_error(instant: datetime, reason: str | None) -> ItemError:
    """Return the error of a run whose record cannot be read."""
    detail = f"Its record cannot be read: {reason}"
    return ItemError(item=rfc3339(instant), code=DamageCode.RUN, detail=detail)
