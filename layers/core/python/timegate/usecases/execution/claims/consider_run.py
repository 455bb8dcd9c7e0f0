"""Considering a run: whether a delivered run may be claimed now, by the records as they are."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.admission import Admission, Admit, Drop, Refuse, admit, superseded
from timegate.domain.execution.long_run import deadline, gone_on_too_long
from timegate.domain.execution.notices import listening
from timegate.domain.execution.restriction_check import PutOff, may_rest
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.job import Job
from timegate.domain.planning.untallied import is_stray
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.suspects import is_suspect
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import Malformed
from timegate.ports.stores import Loaded
from timegate.usecases.execution.claims.put_off_run import put_off_run, rest_run
from timegate.usecases.execution.claims.reroute_run import reroute_run
from timegate.usecases.execution.stop_target import stop_target
from timegate.usecases.limits.overlap_releases import leave_line
from timegate.usecases.limits.refuse_run import drop_delivery, refuse_run
from timegate.usecases.services.calendars_at_hand import CalendarsAtHand
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class LookedUp:
    """A message with the records that decide about its run."""

    delivery: Delivery
    loaded: Loaded
    restrictions: Restrictions


@dataclass(frozen=True, kw_only=True, slots=True)
class Claiming:
    """Circumstances under which a group of deliveries is claimed."""

    execution: Execution
    #: Conditions were asked before.
    may_begin: bool
    #: Nothing else is executed in this process.
    alone: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Suspect:
    """An admitted run that a worker held when it died: it is claimed beside nothing else."""

    delivery: Delivery
    attempt: Attempt
    job: Job


@dataclass(frozen=True, kw_only=True, slots=True)
class Conditional:
    """A run that was admitted, and whose condition is to be asked."""

    delivery: Delivery
    attempt: Attempt
    job: Job
    condition: Condition


Considered = Claimed | Conditional | Suspect


def with_restrictions(
    found: Sequence[tuple[Delivery, Loaded]], calendars: CalendarsAtHand
) -> list[LookedUp]:
    """Return the runs with their restrictions: one read for all calendars that are new.

    A run whose calendar cannot be read is unreadable itself, and holds up no other.
    """
    try:
        return _looked_up(found, calendars)
    except DAMAGE:
        # One by one: each is judged by its own calendars.
        return [_by_itself(delivery, loaded, calendars) for delivery, loaded in found]


def _by_itself(delivery: Delivery, loaded: Loaded, calendars: CalendarsAtHand) -> LookedUp:
    try:
        (looked_up,) = _looked_up([(delivery, loaded)], calendars)
    except DAMAGE as damage:
        unreadable = replace(loaded, unreadable=loaded.unreadable or repr(damage))
        return LookedUp(delivery=delivery, loaded=unreadable, restrictions=UNRESTRICTED)
    return looked_up


def _looked_up(
    found: Sequence[tuple[Delivery, Loaded]], calendars: CalendarsAtHand
) -> list[LookedUp]:
    in_force = {delivery.message.tenant: loaded.in_force for delivery, loaded in found}
    # A run that cannot be judged needs no calendar.
    readable = [loaded.job for _, loaded in found if loaded.unreadable is None]
    jobs = {job.job_id: job for job in readable if job is not None}
    restrictions = calendars.restrictions([job.timing for job in jobs.values()], in_force)
    return [
        LookedUp(
            delivery=delivery, loaded=loaded, restrictions=restrictions[delivery.message.tenant]
        )
        for delivery, loaded in found
    ]


def consider_run(looked_up: LookedUp, claiming: Claiming, *, now: datetime) -> Considered | None:
    """Judge one delivered run; ``None``: it was settled, as refused, put off or a duplicate.

    Raises ``Throttled``, and one of ``DAMAGE`` for a record that cannot be read.
    """
    delivery, loaded, restrictions = looked_up.delivery, looked_up.loaded, looked_up.restrictions
    execution = claiming.execution
    if loaded.unreadable is not None:
        raise Malformed(loaded.unreadable)
    admission = _admission(loaded, restrictions, now)
    match admission:
        case Drop():
            drop_delivery(delivery, loaded.attempt, execution)
        case Refuse() if loaded.attempt is not None:
            _refuse(loaded.attempt, loaded.job, admission, execution, now)
        case PutOff() if loaded.attempt is not None and loaded.job is not None:
            # One that rests in a freeze stays its last holder's, who may still say how it ended.
            if may_rest(loaded.job.timing, loaded.attempt):
                rest_run(loaded.attempt, admission, execution, now=now)
            else:
                put_off_run(loaded.attempt, admission, execution, now=now)
            # It blocks no other run meanwhile.
            leave_line(loaded.attempt, loaded.job, execution, now=now)
        case Admit() if loaded.attempt is not None and loaded.job is not None:
            return _accept(delivery, loaded.attempt, loaded.job, claiming, now)
    return None


def suspect_in_turn(
    deliveries: Sequence[Delivery], suspects: Sequence[Suspect], candidates: Sequence[Claimed]
) -> Suspect | None:
    """Return the run of a dead worker that comes before all that may be claimed; ``None``: none.

    It is the first of the deliveries, or was due before each that is ahead of it: of these there
    may be others at every claim, and it would never get its turn.
    """
    suspected = {each.delivery.id: each for each in suspects}
    claimable = {each.delivery.id for each in candidates}
    earliest: int | None = None
    for each in deliveries:
        second = int(each.message.due_at.timestamp())
        suspect = suspected.get(each.id)
        if suspect is not None and (earliest is None or second < earliest):
            return suspect
        if each.id in claimable:
            earliest = second if earliest is None else min(earliest, second)
    return None


def _refuse(
    attempt: Attempt, job: Job | None, refusal: Refuse, execution: Execution, now: datetime
) -> None:
    """Record this end; nothing follows that of a run which is none of the job's."""
    if job is not None and is_stray(attempt, job):
        attempt, job = replace(attempt, final=False), None
    if execution.pool_pause is not None:
        # Imported here: few pools are ever paused.
        from timegate.domain.pools.paused_runs import with_pause  # noqa: PLC0415

        refusal = with_pause(refusal, attempt, execution.pool_pause, now=now)
    refuse_run(listening(attempt, job), refusal, execution, now=now)
    if job is None:
        return
    if refusal.state is RunState.CANCELLED:
        # An earlier attempt, or a worker that died, may have begun it.
        stop_target(attempt, job, execution, now=now)
    leave_line(attempt, job, execution, now=now)


def _accept(
    delivery: Delivery, attempt: Attempt, job: Job, claiming: Claiming, now: datetime
) -> Considered | None:
    """A candidate, if this is the way its job's runs take now, and its condition was asked."""
    execution = claiming.execution
    if is_suspect(attempt) and not claiming.alone:
        return Suspect(delivery=delivery, attempt=attempt, job=job)
    if job.before is not None and _asks_first(attempt) and not claiming.may_begin:
        if attempt.offer is None:
            return Conditional(delivery=delivery, attempt=attempt, job=job, condition=job.before)
        # Workers make no such request: an executor does, and offers it again.
        reroute_run(attempt, None, execution, now=now)
        return None
    if attempt.offer != job.timing.offer:
        reroute_run(attempt, job.timing.offer, execution, now=now)
        return None
    if (attempt.offer.pool if attempt.offer is not None else None) != execution.pool:
        # An old message, or an index that lags behind: it is to be had elsewhere.
        drop_delivery(delivery, attempt, execution)
        return None
    return _candidate(delivery, attempt, job, execution, now)


def _asks_first(attempt: Attempt) -> bool:
    """Tell if a condition is asked before the run begins: not once it cleared, or began."""
    begun = attempt.leases > 0 or attempt.id.number != attempt.opened_as
    cleared = attempt.checks is not None and attempt.checks.cleared
    return not begun and not cleared


def _admission(loaded: Loaded, restrictions: Restrictions, now: datetime) -> Admission:
    attempt, job = loaded.attempt, loaded.job
    timing = job.timing if job is not None else None
    admission = admit(timing, attempt, now=now, restrictions=restrictions)
    if attempt is not None and isinstance(admission, Admit | PutOff) and _is_stray(loaded):
        return superseded(attempt)
    if attempt is None or job is None or not isinstance(admission, Admit):
        return admission
    too_long = gone_on_too_long(attempt, job.slices_allowed, now=now)
    if too_long is None:
        return admission
    return Refuse(state=RunState.DEAD_LETTERED, reason=too_long)


def _is_stray(loaded: Loaded) -> bool:
    attempt, job = loaded.attempt, loaded.job
    return attempt is not None and job is not None and is_stray(attempt, job)


def _candidate(
    delivery: Delivery, attempt: Attempt, job: Job, execution: Execution, now: datetime
) -> Claimed:
    deadline_at = deadline(attempt, job.slices_allowed, job.timeout_seconds, now=now)
    lease = execution.lease(attempt.fence + 1, now=now, deadline_at=deadline_at)
    if _needs_key(attempt, job, execution):
        attempt = replace(attempt, lease_key=execution.new_lease_key())
    return Claimed(delivery=delivery, attempt=attempt, job=job, lease=lease)


def _needs_key(attempt: Attempt, job: Job, execution: Execution) -> bool:
    """Its holder is to be a program outside, which shows a token: a worker, or the target."""
    outside = execution.pool is not None or job.action.silence_seconds is not None
    return outside and attempt.lease_key is None
