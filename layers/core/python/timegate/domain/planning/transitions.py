"""Changes of a job's timing by callers, and the gaps that they leave in its ledger."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.job import FailurePause, JobStatus, Timing
from timegate.domain.ledger.ledger import Gap, abandoned
from timegate.domain.planning.places import Places
from timegate.domain.planning.plan import first_fire
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.runs.run import Reason
from timegate.domain.values.errors import InvalidInput, JobIsCancelled, JobIsCompleted
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Transition:
    """The timing after a change. Its version is still the old one: the store counts it."""

    timing: Timing
    gap: Gap | None = None


def opening_fire(timing: Timing, *, now: datetime) -> datetime | None:
    """Return the first run of a schedule given at ``now``; raises ``InvalidInput`` without one.

    A schedule that runs once may name this very instant; one that recurs begins after it. A manual
    one has none, which is no error.
    """
    if timing.schedule.is_manual:
        return None
    after = now if timing.schedule.is_recurring else now - MILLISECOND
    fire = first_fire(timing, after=after)
    if fire is None:
        detail = "It names no instant from now on that max_runs and ends_at still allow."
        raise InvalidInput("schedule", "never_fires", detail)
    return fire


def paused(timing: Timing, *, now: datetime) -> Transition | None:
    """Nothing new is materialised from ``now`` on; ``None`` for a job that is paused already.

    Raises ``JobIsCancelled`` or ``JobIsCompleted`` for a job that fires no more.
    """
    _refuse_ended(timing)
    if timing.status is JobStatus.PAUSED:
        return None
    # Catch-up is held like the rest; the caller who resumes decides about all of it.
    after = replace(
        timing,
        status=JobStatus.PAUSED,
        next_run_at=None,
        held_at=timing.next_run_at,
        decided_until=None,
        # Runs of an earlier pause that are not all reopened are decided about with the others.
        paused_at=timing.paused_at or now,
        reopens_from=None,
        # It no longer ends soon.
        untallied=False,
    )
    return Transition(timing=after)


def paused_by_failures(timing: Timing, pause: FailurePause) -> Transition | None:
    """Pause an active job as a caller would, at ``pause.at``, and record why; as ``paused``."""
    transition = paused(timing, now=pause.at)
    if transition is None:
        return None
    return Transition(timing=replace(transition.timing, failure_pause=pause))


def resumed(timing: Timing, *, now: datetime, catch_up: bool) -> Transition | None:
    """Go on at the first fire after ``now``; ``None`` for a job that is active already.

    Instants that passed during the pause are one gap of its ledger, or, with ``catch_up``, are left
    for its catch-up policy to settle, runs that the pause skipped among them. A job whose instants
    all passed becomes completed, in the latter case by its planner. One that failures paused is on
    trial: its next failed run pauses it again. Raises as ``paused``.
    """
    _refuse_ended(timing)
    if timing.status is JobStatus.ACTIVE:
        return None
    held = timing.held_at
    goes_on = held is not None and (catch_up or held > now)
    fire = held if goes_on else first_fire(timing, after=now)
    gap = None if goes_on else abandoned(timing, Reason.PAUSED, now=now)
    is_manual = timing.schedule.is_manual
    # A full job waits for its runs: its planner completes it. No planner sees a manual one.
    paused_at = timing.paused_at if catch_up and not is_manual else None
    ends = fire is None and not timing.full and paused_at is None and not is_manual
    status = JobStatus.COMPLETED if ends else JobStatus.ACTIVE
    after = replace(timing, status=status, next_run_at=fire, held_at=None, paused_at=paused_at)
    return Transition(timing=replace(after, failure_pause=_tried(timing)), gap=gap)


def resumed_at(
    earlier: datetime | None, before: Timing, after: Timing, *, now: datetime
) -> datetime | None:
    """Return the instant from which a job is awaited again, after a change at ``now``.

    A pause by failures was against its owner's will: its end leaves the ``earlier`` instant.
    """
    was_paused = before.status is JobStatus.PAUSED and not before.paused_itself
    return now if was_paused and after.status is JobStatus.ACTIVE else earlier


def _tried(timing: Timing) -> FailurePause | None:
    """Return the pause by failures, which ends as the version that the resumption makes."""
    pause = timing.failure_pause
    if pause is None or pause.resumed_as is not None:
        return pause
    return replace(pause, resumed_as=timing.version + 1)


def cancelled(timing: Timing, *, now: datetime) -> Transition | None:
    """It never fires again; ``None`` for a job that is cancelled already."""
    if timing.status is JobStatus.CANCELLED:
        return None
    after = replace(
        timing,
        status=JobStatus.CANCELLED,
        next_run_at=None,
        held_at=None,
        decided_until=None,
        paused_at=None,
        reopens_from=None,
    )
    return Transition(timing=after, gap=abandoned(timing, Reason.JOB_CANCELLED, now=now))


def rescheduled(timing: Timing, schedule: Schedule, *, now: datetime) -> Transition:
    """Another schedule from ``now`` on: it never fires the past again, and revives a completed job.

    Runs planned ahead give their places of ``max_runs`` back, and take them anew. A paused job
    stays paused. Raises ``InvalidInput``, and ``JobIsCancelled``.
    """
    if timing.status is JobStatus.CANCELLED:
        raise JobIsCancelled(timing.job_id)
    validate_schedule(schedule, now=now)
    after = replace(timing, schedule=schedule, anchored_at=now, decided_until=None, full=False)
    if timing.schedule.max_runs is None:
        # Runs count from the change that bounds them: nothing has counted those before.
        after = replace(after, runs_begun=0, counted_until=now, uncounted=())
    fire = opening_fire(after, now=now)
    # Runs that a pause skipped by now are of the old schedule: they are not reopened.
    if timing.status is JobStatus.PAUSED:
        after = replace(after, held_at=fire, paused_at=now)
    else:
        after = replace(after, status=JobStatus.ACTIVE, next_run_at=fire, paused_at=None)
    after = replace(after, reopens_from=None)
    # An instant that the new schedule names as well has its record as a run of that.
    until = now if fire is None or fire > now else now - MILLISECOND
    gap = abandoned(timing, Reason.SUPERSEDED, now=until)
    return Transition(timing=after, gap=gap and replace(gap, recorded_at=now))


def with_unrecorded(timing: Timing, last: datetime | None) -> Timing:
    """Return a job that completed by ``max_runs`` as it stood before: the next instant waited.

    ``last``: its last instant on record; ``None``: not known. Other jobs stay as they are.
    """
    if timing.status is not JobStatus.COMPLETED or not timing.full or last is None:
        return timing
    following = next_instant(timing, last)
    return replace(timing, next_run_at=following)


def may_complete(timing: Timing, places: Places | None) -> bool:
    """Tell if the end of its last run ends an active job; ``places``: of one with ``max_runs``."""
    if timing.schedule.is_manual:
        return False
    if places is None:
        return timing.next_run_at is None
    return places.are_used_up(timing.next_run_at)


def completed(timing: Timing) -> Timing:
    """A job with nothing left to do, as a new version: no update may undo its completion."""
    return replace(timing, status=JobStatus.COMPLETED, next_run_at=None, version=timing.version + 1)


def _refuse_ended(timing: Timing) -> None:
    match timing.status:
        case JobStatus.CANCELLED:
            raise JobIsCancelled(timing.job_id)
        case JobStatus.COMPLETED:
            raise JobIsCompleted(timing.job_id)
