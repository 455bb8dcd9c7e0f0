"""Overlap, decided when a run is due: between its admission and its claim."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from timegate.domain.execution.admission import Refuse
from timegate.domain.execution.contention import (
    Contender,
    Duplicate,
    SlotWait,
    contend,
    in_line,
    without_slot,
)
from timegate.domain.execution.notices import listening
from timegate.domain.limits.overlap import OverlapPolicy, SlotKey
from timegate.domain.limits.slots import Bid, SlotHold, SlotRefused, Slots, Taken, Why
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.run_states import check_transition
from timegate.domain.runs.watch import PATIENCE, looked_at_for_finish
from timegate.domain.values.errors import LeaseLost, SlotLost, TimegateError
from timegate.domain.values.identity import RunId
from timegate.ports.limits.slots import Reach
from timegate.ports.stores import AttemptRef
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.limits.overlap_releases import (
    SPARE,
    clear_line,
    governing,
    held_slots,
    hold_of,
    release_kept,
    release_slot,
)
from timegate.usecases.limits.refuse_run import drop_delivery, refuse_run
from timegate.usecases.services.execution_services import Claimed, Execution

#: A holder heartbeats and ends meanwhile; each time a run made progress.
_MAX_TRIES = 5


def take_slots(
    candidates: Sequence[Claimed], execution: Execution, *, now: datetime
) -> list[Claimed]:
    """Return runs that may be claimed; the others are skipped, wait, or were duplicates.

    First come the slots of a job's own key, then those of its tenant's quota: who has to wait for
    these gives the former back. The candidates of one key share a read and a write; those without
    a policy or a quota cost nothing. Raises ``Throttled``, having given back what it took.
    """
    release_kept([(each.attempt, each.job) for each in candidates], execution, now=now)
    return [_holding(each) for each in _take_both(candidates, execution, now)]


def _holding(candidate: Claimed) -> Claimed:
    """The candidate with a lease that says which slots it took."""
    names = tuple(key.name for _, key in governing(candidate.job, candidate.attempt.id))
    if not names:
        return candidate
    return replace(candidate, lease=replace(candidate.lease, slots=names))


def _take_both(candidates: Sequence[Claimed], execution: Execution, now: datetime) -> list[Claimed]:
    """Take slots of the jobs' own keys, and then of the tenants' quotas."""
    granted = _take(candidates, execution, now)
    asking = {id(c): job for c in granted if (job := c.job.under_quota(c.attempt.id.run))}
    if not asking:
        return granted
    under_quota = [replace(c, job=asking[id(c)]) for c in granted if id(c) in asking]
    try:
        let_in = {c.attempt.id for c in _take(under_quota, execution, now)}
    except TimegateError:
        _give_back_own(granted, execution, now)
        raise
    held_up = [c for c in granted if id(c) in asking and c.attempt.id not in let_in]
    _give_back_own(held_up, execution, now)
    execution.telemetry.count(run_metrics.RUNS_OVER_QUOTA, len(held_up))
    return [c for c in granted if id(c) not in asking or c.attempt.id in let_in]


def _give_back_own(candidates: Sequence[Claimed], execution: Execution, now: datetime) -> None:
    """Only the slot of the job's own key."""
    own = [replace(c, job=replace(c.job, tenant_runs=None)) for c in candidates]
    give_back(own, execution, now=now)


def _take(candidates: Sequence[Claimed], execution: Execution, now: datetime) -> list[Claimed]:
    by_key: dict[SlotKey, list[Claimed]] = defaultdict(list)
    for candidate in candidates:
        key = candidate.job.slot_key
        if key is not None:
            by_key[key].append(candidate)
    granted: list[Claimed] = []
    try:
        for key, members in by_key.items():
            granted += _bid(key, members, execution, now)
    except TimegateError:
        # Some claims of the key that failed may have their slots.
        give_back([*granted, *members], execution, now=now)
        raise
    return [c for c in candidates if c.job.slot_key is None or any(c is g for g in granted)]


def give_back(candidates: Sequence[Claimed], execution: Execution, *, now: datetime) -> None:
    """Release the slots of claims that came to nothing."""
    for each in candidates:
        release_slot(each.attempt, each.lease, each.job, execution, now=now)


def give_back_unclaimed(candidates: Sequence[Claimed], execution: Execution) -> None:
    """Release the slots of claims that the store would not decide, unless they were written.

    Some may have been written before the others were refused: their leases live, and so do their
    slots. Never raises ``Throttled``: what cannot be found out now expires.
    """
    holding = [c for c in candidates if governing(c.job, c.attempt.id)]
    if not holding:
        return
    refs = [AttemptRef(tenant=c.attempt.tenant, id=c.attempt.id) for c in holding]
    try:
        loaded = execution.runs.load_all(refs)
    except TimegateError as error:
        execution.telemetry.event(
            run_events.SLOTS_NOT_RELEASED, slots=len(holding), code=error.code
        )
        return
    unclaimed = [
        candidate
        for candidate, found in zip(holding, loaded, strict=True)
        if not _is_claimed(candidate, found.attempt)
    ]
    give_back(unclaimed, execution, now=execution.clock.now())


def _is_claimed(candidate: Claimed, stored: Attempt | None) -> bool:
    """Under this very lease; a record that cannot be read may be."""
    if stored is None or stored.lease is None:
        return stored is None
    lease = candidate.lease
    return (stored.lease.owner, stored.lease.fence) == (lease.owner, lease.fence)


def renew_slot(
    claimed: Claimed, execution: Execution, *, now: datetime, expires_at: datetime
) -> None:
    """Hold each slot as long as the lease is about to be; raises ``SlotLost``.

    A lease that names no slot has none, unless an earlier release wrote it. A job or a quota may
    ask for one since then, and stops no run that is at work.
    """
    lease = claimed.lease
    for _, key in held_slots(claimed.attempt, lease, claimed.job):
        try:
            execution.slots.renew(
                key, hold_of(claimed.attempt.id, lease), now=now, expires_at=expires_at
            )
        except LeaseLost as lost:
            if lease.slots:
                raise SlotLost(str(claimed.attempt.id)) from lost


def _bid(
    key: SlotKey, members: Sequence[Claimed], execution: Execution, now: datetime
) -> list[Claimed]:
    """Bid until no run is refused for an earlier one that has ended."""
    distinct = {candidate.attempt.id: candidate for candidate in reversed(members)}
    for candidate in members:
        if distinct[candidate.attempt.id] is not candidate:
            drop_delivery(candidate.delivery, candidate.attempt, execution)
    bidders = sorted(distinct.values(), key=lambda c: (c.attempt.due_at, c.attempt.id))
    contenders = [_contender(bidder) for bidder in bidders]
    while True:
        slots, outcomes = _contend(key, contenders, execution, now)
        reserved = {
            waiter
            for outcome in outcomes
            if isinstance(outcome, SlotRefused) and outcome.why is Why.RESERVED
            for waiter in outcome.ahead
            if waiter.attempt not in distinct
        }
        if not clear_line(sorted(reserved), key, execution, now=now):
            break
    granted = []
    for bidder, contender, outcome in zip(bidders, contenders, outcomes, strict=True):
        match outcome:
            case Taken():
                granted.append(bidder)
            case SlotRefused():
                decision = without_slot(contender, outcome, slots, now=now)
                _go_without(bidder, decision, execution, now)
    return granted


def _contend(
    key: SlotKey, contenders: Sequence[Contender], execution: Execution, now: datetime
) -> tuple[Slots, list[Taken | SlotRefused]]:
    """Decide with as much of the line as decides: more than there are slots wait for none."""
    slots = max(each.bid.limit for each in contenders)
    # Each of those that replace asks another holder to stop, so it knows how many are before it.
    replaces = any(each.policy is OverlapPolicy.REPLACE for each in contenders)
    most = SPARE + (slots if replaces else 0)
    reach = Reach(most=most, slots=slots, until=max(each.waiter for each in contenders))
    decide = partial(_decide, contenders=contenders, now=now)
    return execution.slots.change(key, decide, now=now, reach=reach)


def _decide(
    slots: Slots, *, contenders: Sequence[Contender], now: datetime
) -> tuple[Slots, tuple[Slots, list[Taken | SlotRefused]]]:
    after, outcomes = contend(slots, contenders, now=now)
    return after, (after, outcomes)


def _go_without(
    candidate: Claimed, decision: Duplicate | Refuse | SlotWait, execution: Execution, now: datetime
) -> None:
    match decision:
        case Duplicate():
            drop_delivery(candidate.delivery, candidate.attempt, execution)
        case Refuse():
            heard = listening(candidate.attempt, candidate.job)
            refuse_run(heard, decision, execution, now=now)
        case SlotWait(watch_at=watch_at, stops=stops):
            _wait(candidate, watch_at, execution)
            for hold in stops:
                _ask_to_stop(candidate, hold, execution)


def _wait(candidate: Claimed, watch_at: datetime, execution: Execution) -> None:
    """In the line already. A worker that frees a slot meanwhile calls it; this write then fails."""
    attempt = candidate.attempt
    check_transition(attempt.state, RunState.WAITING)
    queueing = candidate.job.queueing(attempt.fence)
    waiting = in_line(attempt, watch_at=watch_at, queueing=queueing)
    waiting = looked_at_for_finish(waiting, now=execution.clock.now())
    waits = execution.runs.replace(attempt, waiting)
    execution.telemetry.count(run_metrics.RUNS_WAITING, int(waits))
    execution.telemetry.event(
        run_events.RUN_WAITS,
        **of_run(attempt),
        waits=waits,
        slots=queueing.line,
    )


def _ask_to_stop(candidate: Claimed, hold: SlotHold, execution: Execution) -> None:
    """Ask a holder to stop at its next heartbeat, unless it has not started yet."""
    ref = AttemptRef(tenant=candidate.attempt.tenant, id=hold.attempt)
    for _ in range(_MAX_TRIES):
        holder = execution.runs.load_all([ref])[0].attempt
        if holder is None or not _is_stoppable(holder, hold):
            return
        told = _told_to_stop(holder, candidate.attempt.id.run, execution.clock.now())
        if execution.runs.replace(holder, told):
            execution.telemetry.event(
                run_events.RUN_REPLACED,
                **of_run(holder),
                replaced_by=str(candidate.attempt.id),
            )
            return


def _is_stoppable(holder: Attempt, hold: SlotHold) -> bool:
    held = holder.state is RunState.RUNNING or _is_between_slices(holder)
    return held and holder.fence == hold.fence and not holder.cancel_requested


def _is_between_slices(holder: Attempt) -> bool:
    return holder.is_under_way and holder.state in {RunState.QUEUED, RunState.WAITING}


def _told_to_stop(holder: Attempt, by: RunId, now: datetime) -> Attempt:
    """Ask a holder to stop. One between its slices has no worker: queue it, to be ended at once."""
    told = replace(holder, cancel_requested=True, replaced_by=by)
    if not _is_between_slices(holder):
        return told
    return replace(told, state=RunState.QUEUED, due_at=now, watch_at=now + PATIENCE, direct=False)


def _contender(candidate: Claimed) -> Contender:
    attempt, overlap = candidate.attempt, candidate.job.overlap
    bid = Bid(
        hold=hold_of(attempt.id, candidate.lease),
        due_at=attempt.due_at,
        expires_at=candidate.lease.expires_at,
        limit=overlap.max_concurrent,
        was_queued=attempt.state is RunState.QUEUED,
    )
    return Contender(
        bid=bid,
        policy=overlap.policy,
        # A caller who asked for a run of the past did so knowing that others may be at work. And
        # one that lost its slot between two slices is not given up for it.
        may_wait=attempt.operation is not None or attempt.is_under_way,
        has_started=attempt.leases > 0,
    )
