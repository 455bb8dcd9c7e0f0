"""Claiming: one strongly consistent read and one conditional write decide who executes what."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from timegate.domain.action import silence_seconds
from timegate.domain.admission import Admission, Admit, Drop, Refuse, admit
from timegate.domain.conditions import asks_first
from timegate.domain.damage import DAMAGE
from timegate.domain.day_quota import Counted
from timegate.domain.errors import Malformed
from timegate.domain.job import Job
from timegate.domain.long_run import deadline, gone_on_too_long
from timegate.domain.notices import as_governed, heard_of, listening
from timegate.domain.restraint import PutOff
from timegate.domain.restrictions import Restrictions
from timegate.domain.run import Attempt, RunState
from timegate.domain.tenant import TenantId
from timegate.ports.claims import Claim
from timegate.ports.stores import AttemptRef, Loaded
from timegate.usecases.check_condition import Conditional
from timegate.usecases.execution import Claimed, Delivery, Execution
from timegate.usecases.keep_day import claim_in_days, leave_out_beyond, skip_beyond
from timegate.usecases.keep_pace import keep_pace
from timegate.usecases.notify import notify_of_lateness
from timegate.usecases.overlap_claims import give_back, give_back_unclaimed, take_slots
from timegate.usecases.overlap_releases import leave_line
from timegate.usecases.put_off_run import put_off_run
from timegate.usecases.refuse_run import drop_delivery, refuse_run
from timegate.usecases.reroute_run import reroute_run
from timegate.usecases.stop_target import stop_target


@dataclass(frozen=True, kw_only=True, slots=True)
class Claims:
    """What became of a group of deliveries; whatever is in neither has been settled."""

    held: tuple[Claimed, ...]
    #: Their records cannot be read: they go on to the dead letters.
    unreadable: tuple[Delivery, ...]
    #: They may be claimed if their conditions let them begin.
    conditional: tuple[Conditional, ...] = ()


def claim_runs(
    deliveries: Sequence[Delivery], execution: Execution, *, may_begin: bool = False
) -> Claims:
    """Lease what may execute; record what may not; drop duplicates.

    ``may_begin``: their conditions were asked. Otherwise those that have one are handed back as
    they are, so that nobody waits for the answer to another's.

    Raises ``Throttled`` when the store would not decide: then nothing here may be acknowledged.
    """
    refs = [AttemptRef(tenant=d.message.tenant, id=d.message.attempt) for d in deliveries]
    loaded = [_as_governed(each) for each in execution.runs.load_all(refs)]
    restrictions = _restrictions(refs, loaded, execution)
    now = execution.clock.now()
    candidates: list[Claimed] = []
    conditional: list[Conditional] = []
    unreadable: list[Delivery] = []
    for delivery, found in zip(deliveries, loaded, strict=True):
        try:
            own = restrictions[delivery.message.tenant]
            candidate = _consider(delivery, found, own, _Claiming(execution, may_begin), now)
        except DAMAGE as damage:
            unreadable.append(delivery)
            _report_unreadable(delivery, damage, execution)
        else:
            if isinstance(candidate, Conditional):
                conditional.append(candidate)
            elif candidate is not None:
                candidates.append(candidate)
    admitted = take_slots(candidates, execution, now=now)
    timely = keep_pace(leave_out_beyond(admitted, execution), execution)
    held = _claim(timely, execution)
    return Claims(held=tuple(held), unreadable=tuple(unreadable), conditional=tuple(conditional))


@dataclass(frozen=True, slots=True)
class _Claiming:
    """How a group of deliveries is claimed."""

    execution: Execution
    #: Conditions were asked before.
    may_begin: bool


def _as_governed(loaded: Loaded) -> Loaded:
    return replace(loaded, job=as_governed(loaded.job, loaded.attempt))


def _restrictions(
    refs: Sequence[AttemptRef], loaded: Sequence[Loaded], execution: Execution
) -> Mapping[TenantId, Restrictions]:
    in_force = {ref.tenant: found.in_force for ref, found in zip(refs, loaded, strict=True)}
    jobs = {found.job.job_id: found.job for found in loaded if found.job is not None}
    return execution.calendars.restrictions([job.timing for job in jobs.values()], in_force)


def _report_unreadable(delivery: Delivery, damage: Exception, execution: Execution) -> None:
    execution.telemetry.count("RecordsUnreadable")
    execution.telemetry.event(
        "run_unreadable",
        tenant_id=delivery.message.tenant,
        attempt_id=str(delivery.message.attempt),
        detail=repr(damage),
    )


def _consider(
    delivery: Delivery,
    loaded: Loaded,
    restrictions: Restrictions,
    claiming: _Claiming,
    now: datetime,
) -> Claimed | Conditional | None:
    execution = claiming.execution
    if loaded.unreadable is not None:
        raise Malformed(loaded.unreadable)
    admission = _admission(loaded, restrictions, now)
    match admission:
        case Drop():
            drop_delivery(delivery, loaded.attempt, execution)
        case Refuse() if loaded.attempt is not None:
            heard = listening(loaded.attempt, loaded.job)
            refuse_run(heard, admission, execution, now=now)
            if loaded.job is not None:
                _leave(loaded.attempt, loaded.job, admission, execution, now)
        case PutOff() if loaded.attempt is not None and loaded.job is not None:
            put_off_run(loaded.attempt, admission, execution, now=now)
            # It stands in nobody's way meanwhile.
            leave_line(loaded.attempt, loaded.job, execution, now=now)
        case Admit() if loaded.attempt is not None and loaded.job is not None:
            return _accept(delivery, loaded.attempt, loaded.job, claiming, now)
    return None


def _leave(
    attempt: Attempt, job: Job, refusal: Refuse, execution: Execution, now: datetime
) -> None:
    if refusal.state is RunState.CANCELLED:
        # Of an earlier attempt, or a worker that died.
        stop_target(attempt, job, execution, now=now)
    leave_line(attempt, job, execution, now=now)


def _accept(
    delivery: Delivery, attempt: Attempt, job: Job, claiming: _Claiming, now: datetime
) -> Claimed | Conditional | None:
    """A candidate, if this is the way its job's runs take now, and its condition was asked."""
    execution = claiming.execution
    if job.before is not None and asks_first(attempt, job) and not claiming.may_begin:
        if attempt.offer is None:
            return Conditional(delivery=delivery, attempt=attempt, job=job, condition=job.before)
        # Workers ask nobody: an executor does, and offers it again.
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


def _admission(loaded: Loaded, restrictions: Restrictions, now: datetime) -> Admission:
    attempt, job = loaded.attempt, loaded.job
    timing = job.timing if job is not None else None
    admission = admit(timing, attempt, now=now, restrictions=restrictions)
    if attempt is None or job is None or not isinstance(admission, Admit):
        return admission
    too_long = gone_on_too_long(attempt, job.long_run, now=now)
    if too_long is None:
        return admission
    return Refuse(state=RunState.DEAD_LETTERED, reason=too_long)


def _candidate(
    delivery: Delivery, attempt: Attempt, job: Job, execution: Execution, now: datetime
) -> Claimed:
    deadline_at = deadline(attempt, job.long_run, job.timeout_seconds, now=now)
    lease = execution.lease(attempt.fence + 1, now=now, deadline_at=deadline_at)
    if _needs_key(attempt, job, execution):
        attempt = replace(attempt, lease_key=execution.new_lease_key())
    return Claimed(delivery=delivery, attempt=attempt, job=job, lease=lease)


def _needs_key(attempt: Attempt, job: Job, execution: Execution) -> bool:
    """Its holder is to be a program outside, which shows a token: a worker, or the target."""
    outside = execution.pool is not None or silence_seconds(job.action) is not None
    return outside and attempt.lease_key is None


def _claim(candidates: Sequence[Claimed], execution: Execution) -> list[Claimed]:
    now = execution.clock.now()
    claims = [
        Claim(
            attempt=c.attempt,
            job_version=c.job.timing.version,
            lease=c.lease,
            delivery=c.job.delivery,
            notify=heard_of(c.job),
            begins_at=_begins_at(c, now),
        )
        for c in candidates
    ]
    try:
        notify_of_lateness(candidates, execution, now=now)
        won = claim_in_days(candidates, claims, execution, now=now)
    except Exception:
        # Whatever it was, nobody here goes on with any of them.
        give_back_unclaimed(candidates, execution)
        raise
    held, lost = [], []
    for candidate, claim, outcome in zip(candidates, claims, won, strict=True):
        match outcome:
            case Counted.HELD:
                held.append(_hold(candidate, claim, execution))
            case Counted.LOST:
                lost.append(candidate)
                drop_delivery(candidate.delivery, candidate.attempt, execution)
            case Counted.BEYOND:
                skip_beyond(candidate, execution, now=now)
    give_back(lost, execution, now=execution.clock.now())
    _settle_messages(held, execution)
    return held


def _settle_messages(held: Sequence[Claimed], execution: Execution) -> None:
    """What may run once only never comes again; the rest comes soon after its lease."""
    once = [c.delivery.receipt for c in held if c.runs_once]
    others = [c.delivery.receipt for c in held if not c.runs_once]
    if once:
        execution.inbox.acknowledge(once)
    if others and execution.shortens_visibility:
        execution.keep_hidden(others)


def _begins_at(candidate: Claimed, now: datetime) -> datetime | None:
    """A long run begins with its first claim: its duration counts from there."""
    begun = candidate.attempt.slices.begun_at is not None
    if begun or candidate.job.long_run is None:
        return None
    return max(now, candidate.attempt.due_at)


def _hold(candidate: Claimed, claim: Claim, execution: Execution) -> Claimed:
    before = candidate.attempt
    if before.state is RunState.RUNNING:
        execution.telemetry.count("LeasesRescued")
    execution.telemetry.event(
        "run_claimed",
        tenant_id=before.tenant,
        attempt_id=str(before.id),
        fence=candidate.lease.fence,
        took_over=before.state is RunState.RUNNING,
    )
    attempt = replace(
        before,
        state=RunState.RUNNING,
        job_version=candidate.job.timing.version,
        fence=candidate.lease.fence,
        lease=candidate.lease,
        delivery=candidate.job.delivery,
        direct=False,
        notify=claim.notify,
        slices=replace(before.slices, begun_at=claim.begins_at or before.slices.begun_at),
    )
    return replace(candidate, attempt=attempt)
