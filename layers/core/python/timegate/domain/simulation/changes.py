"""Changes of a simulated job by callers, as the use cases decide them."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial

from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.planning.transitions import Transition, cancelled, paused, rescheduled, resumed
from timegate.domain.simulation.agenda import EventOrder
from timegate.domain.simulation.scenario import Edit, SimulatedJob
from timegate.domain.values.errors import InvalidInput

Decide = Callable[[Timing, datetime], Transition | None]


def changes_of(
    job: SimulatedJob, end: datetime
) -> Iterator[tuple[datetime, EventOrder, str, Decide]]:
    """Yield pauses, resumptions and the cancellation, with the fields that ask for them."""
    for number, pause in enumerate(job.pauses):
        if pause.start > job.created_at:
            yield pause.start, EventOrder.PAUSE, f"pauses.{number}.from", pause_now
        if pause.end is not None and pause.end < end:
            yield (
                pause.end,
                EventOrder.RESUME,
                f"pauses.{number}.to",
                partial(_resume, catch_up=pause.catch_up),
            )
    for number, at in enumerate(job.resumes):
        yield at, EventOrder.RESUME, f"resumes.{number}", partial(_resume, catch_up=False)
    if job.cancelled_at is not None:
        yield job.cancelled_at, EventOrder.CANCEL, "cancelled_at", cancel_now


def edit_of(edit: Edit, field: str) -> Decide:
    """An edit; its schedule is refused by the name of its field."""
    return partial(_edit, edit=edit, field=field)


def pause_now(timing: Timing, now: datetime) -> Transition | None:
    """The beginning of a pause."""
    return paused(timing, now=now)


def _resume(timing: Timing, now: datetime, *, catch_up: bool) -> Transition | None:
    return resumed(timing, now=now, catch_up=catch_up)


def cancel_now(timing: Timing, now: datetime) -> Transition | None:
    """The end of the job."""
    return cancelled(timing, now=now)


def _edit(timing: Timing, now: datetime, *, edit: Edit, field: str) -> Transition | None:
    if edit.schedule == timing.schedule and timing.status is not JobStatus.CANCELLED:
        return None
    try:
        return rescheduled(timing, edit.schedule, now=now)
    except InvalidInput as error:
        raise InvalidInput(f"{field}.{error.field}", error.code, error.detail) from error
