"""Claiming: one strongly consistent read and one conditional write decide who executes what."""

from collections.abc import Sequence
from dataclasses import field, replace
from datetime import datetime

from timegate.domain.execution.day_quota import Counted
from timegate.domain.execution.late_starts import marked_late, with_lateness
from timegate.domain.execution.notices import as_governed, heard_of
from timegate.domain.runs.finishing import with_finish
from timegate.domain.runs.lease import Pickup
from timegate.domain.runs.run import RunState
from timegate.domain.runs.suspects import alone_when_claimed
from timegate.domain.runs.watch import message_returns, moved_look
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.errors import TimegateError
from timegate.ports.runs.claims import LeaseClaim
from timegate.ports.stores import AttemptRef, Loaded
from timegate.ports.telemetry import run_events, service_metrics
from timegate.usecases.execution.claims.consider_run import (
    Claiming,
    Conditional,
    LookedUp,
    Suspect,
    consider_run,
    suspect_in_turn,
    with_restrictions,
)
from timegate.usecases.execution.claims.report_take_overs import report_take_overs
from timegate.usecases.limits.keep_day import DayBid, claim_in_days, leave_out_beyond, skip_beyond
from timegate.usecases.limits.keep_pace import keep_pace
from timegate.usecases.limits.overlap_claims import give_back, give_back_unclaimed, take_slots
from timegate.usecases.limits.refuse_run import drop_delivery
from timegate.usecases.limits.tenant_groups import (
    FailedMessages,
    FailureCollector,
    all_tenants,
    each_tenant,
)
from timegate.usecases.outcomes.foresee_finish import foresee_finish
from timegate.usecases.outcomes.notify import notify_of_lateness
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution, of_delivery
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class ClaimedGroup:
    """Results of claiming a group of deliveries; one that is in no field has been settled."""

    held: tuple[Claimed, ...]
    #: Their records cannot be read: they go on to the dead letters.
    unreadable: tuple[Delivery, ...]
    #: They may be claimed if their conditions let them begin.
    conditional: tuple[Conditional, ...] = ()
    #: They may be claimed once this process executes nothing else.
    suspects: tuple[Suspect, ...] = ()
    #: A call that concerned them failed; they must be delivered again.
    failed: tuple[FailedMessages, ...] = ()

    def raise_failed(self) -> None:
        """Raise the first failure, if there is one."""
        for each in self.failed:
            raise each.error


def claim_runs(
    deliveries: Sequence[Delivery],
    execution: Execution,
    *,
    may_begin: bool = False,
    alone: bool = False,
    in_turn: bool = False,
) -> ClaimedGroup:
    """Lease what may execute; record what may not; drop duplicates.

    ``may_begin``: their conditions were asked. Otherwise those that have one are handed back as
    they are, so that none waits for the answer to another's.

    ``alone``: this process executes nothing else until the run has ended. Otherwise a run that was
    held by a dead worker is handed back as it is.

    ``in_turn``: where a run that a dead worker held comes before the others that may be claimed, it
    is the only one of ``suspects``, and those are handed back as they are.

    A call that fails for one tenant is reported in ``failed`` and keeps no other tenant's run.
    """
    group, now = _Group(failures=FailureCollector()), execution.clock.now()
    # Those that are left are the next active region's, whose sweeper finds their records.
    begun = [d for d in deliveries if execution.may_begin(d.message.due_at, now=now)]
    messages = [_Message(delivery=delivery) for delivery in begun]
    looked_up = all_tenants(messages, lambda some: _look_up(some, execution), group.failures)
    claiming = Claiming(execution=execution, may_begin=may_begin, alone=alone)
    candidates = _consider(looked_up, claiming, group)
    suspects = tuple(group.suspects)
    if in_turn and (suspect := suspect_in_turn(begun, suspects, candidates)):
        candidates, suspects = [], (suspect,)
    timely = each_tenant(candidates, lambda own: _prepare(own, execution), group.failures)
    held = _claim(timely, execution, group.failures)
    return ClaimedGroup(
        held=tuple(held),
        unreadable=tuple(group.unreadable),
        conditional=tuple(group.conditional),
        suspects=suspects,
        failed=tuple(group.failures.found),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class _Message:
    """A message of which nothing is known yet."""

    delivery: Delivery


@dataclass(frozen=True, kw_only=True, slots=True)
class _Group:
    """Deliveries of a group that are not claimed."""

    failures: FailureCollector
    unreadable: list[Delivery] = field(default_factory=list)
    conditional: list[Conditional] = field(default_factory=list)
    suspects: list[Suspect] = field(default_factory=list)


def _look_up(messages: Sequence[_Message], execution: Execution) -> list[LookedUp]:
    deliveries = [each.delivery for each in messages]
    refs = [AttemptRef(tenant=d.message.tenant, id=d.message.attempt) for d in deliveries]
    read, now = execution.runs.load_all(refs), execution.clock.now()
    loaded = [_governed(each, execution.console_url, now) for each in read]
    return with_restrictions(list(zip(deliveries, loaded, strict=True)), execution.calendars)


def _governed(loaded: Loaded, console_url: str, now: datetime) -> Loaded:
    attempt = loaded.attempt
    job = as_governed(loaded.job, attempt, console_url=console_url)
    if attempt is not None:
        late = marked_late(with_finish(attempt, job), job, at=now)
        attempt = with_lateness(late, job)
    return replace(loaded, attempt=attempt, job=job)


def _consider(looked_up: Sequence[LookedUp], claiming: Claiming, group: _Group) -> list[Claimed]:
    """Return the runs that may be claimed; settle the others or note them in the group."""
    now = claiming.execution.clock.now()
    candidates: list[Claimed] = []
    for each in looked_up:
        with group.failures.keep([each]):
            try:
                considered = consider_run(each, claiming, now=now)
            except DAMAGE as damage:
                group.unreadable.append(each.delivery)
                _report_unreadable(each, damage, claiming.execution)
                continue
            match considered:
                case Claimed():
                    candidates.append(considered)
                case Conditional():
                    group.conditional.append(considered)
                case Suspect():
                    group.suspects.append(considered)
    return candidates


def _report_unreadable(found: LookedUp, damage: Exception, execution: Execution) -> None:
    execution.telemetry.count(service_metrics.RECORDS_UNREADABLE)
    told = of_delivery(found.delivery, found.loaded.attempt)
    execution.telemetry.event(run_events.RUN_UNREADABLE, **told, detail=repr(damage))


def _prepare(candidates: Sequence[Claimed], execution: Execution) -> list[Claimed]:
    """Take slots and turns for runs of one tenant; return those that may be claimed now.

    Raises ``Throttled``, having given back every slot.
    """
    admitted = take_slots(candidates, execution, now=execution.clock.now())
    timely = keep_pace(leave_out_beyond(admitted, execution), execution)
    now = execution.clock.now()
    try:
        notify_of_lateness(timely, execution, now=now)
        return _foresee(timely, execution, now)
    except TimegateError:
        give_back(timely, execution, now=now)
        raise


def _foresee(candidates: Sequence[Claimed], execution: Execution, now: datetime) -> list[Claimed]:
    """Forecast their ends before their claims, which record the forecasts and late starts."""
    governed = [
        (marked_late(each.attempt, each.job, at=max(now, each.attempt.due_at)), each.job)
        for each in candidates
    ]
    judged = foresee_finish(governed, execution, now=now)
    return [replace(c, attempt=a) for c, a in zip(candidates, judged, strict=True)]


def _claim(
    candidates: Sequence[Claimed], execution: Execution, failures: FailureCollector
) -> list[Claimed]:
    now = execution.clock.now()
    batch = len(candidates)
    bids = [DayBid(candidate=c, claim=_claim_of(c, execution, now, batch)) for c in candidates]
    undecided = FailureCollector()
    decided = claim_in_days(bids, execution, undecided, now=now)
    _give_back_undecided(candidates, undecided, execution)
    failures.found += undecided.found
    held, lost = [], []
    for bid, outcome in decided:
        match outcome:
            case Counted.HELD:
                held.append(_hold(bid.candidate, bid.claim))
            case Counted.LOST:
                lost.append(bid.candidate)
                drop_delivery(bid.delivery, bid.candidate.attempt, execution)
            case Counted.BEYOND:
                with failures.keep([bid]):
                    skip_beyond(bid.candidate, execution, now=now)
    report_take_overs([b.candidate for b, outcome in decided if outcome is Counted.HELD], execution)
    give_back(lost, execution, now=execution.clock.now())
    _settle_messages(held, execution)
    return held


def _claim_of(candidate: Claimed, execution: Execution, now: datetime, batch: int) -> LeaseClaim:
    return LeaseClaim(
        attempt=candidate.attempt,
        job_version=candidate.job.timing.version,
        lease=candidate.lease,
        delivery=candidate.job.delivery,
        notify=heard_of(candidate.job),
        alone=alone_when_claimed(candidate.attempt),
        begins_at=_begins_at(candidate, now),
        pickup=Pickup(
            published_at=candidate.delivery.sent_at,
            received_at=execution.received_at if execution.pool is None else None,
            claimed_at=now,
            batch=batch,
            paused_until=_paused_until(candidate, execution, now),
        ),
        watch_at=_look_at(candidate, now),
    )


def _paused_until(candidate: Claimed, execution: Execution, now: datetime) -> datetime | None:
    if execution.pool_pause is None:
        return None
    # Imported here: few pools are ever paused.
    from timegate.domain.pools.pause import held_up  # noqa: PLC0415

    pause = held_up(execution.pool_pause, candidate.attempt.due_at, now=now)
    return None if pause is None else pause.ends_at


def _look_at(candidate: Claimed, now: datetime) -> datetime | None:
    """The watch instant that the lease needs, if the known one does not do."""
    attempt, lease = candidate.attempt, candidate.lease
    returns = message_returns(replace(attempt, delivery=candidate.job.delivery, lease=lease))
    known, finish = attempt.watch_at, attempt.finish
    return moved_look(known, lease.expires_at, now=now, returns=returns, finish=finish)


def _give_back_undecided(
    candidates: Sequence[Claimed], undecided: FailureCollector, execution: Execution
) -> None:
    """The store did not decide these claims: this worker goes on with none of them."""
    ids = {each.id for failed in undecided.found for each in failed.deliveries}
    give_back_unclaimed([c for c in candidates if c.delivery.id in ids], execution)


def _settle_messages(held: Sequence[Claimed], execution: Execution) -> None:
    """The message of a run that may begin once only never comes again."""
    once = [c.delivery.receipt for c in held if c.runs_once]
    if once:
        execution.inbox.acknowledge(once)


def _begins_at(candidate: Claimed, now: datetime) -> datetime | None:
    """A long run begins with its first claim: its duration counts from there."""
    begun = candidate.attempt.slices.begun_at is not None
    if begun or candidate.job.slices_allowed is None:
        return None
    return max(now, candidate.attempt.due_at)


def _hold(candidate: Claimed, claim: LeaseClaim) -> Claimed:
    before = candidate.attempt
    attempt = replace(
        before,
        state=RunState.RUNNING,
        job_version=candidate.job.timing.version,
        fence=candidate.lease.fence,
        lease=candidate.lease,
        delivery=candidate.job.delivery,
        direct=False,
        notify=claim.notify,
        watch_at=claim.watch_at or before.watch_at,
        alone=claim.alone,
        pickup=claim.pickup,
        slices=replace(before.slices, begun_at=claim.begins_at or before.slices.begun_at),
    )
    return replace(candidate, attempt=attempt)
