"""Executing a batch of messages: side by side, each acknowledged only once it is settled."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta

from timegate.domain.runs.gate import claim_at, must_hide_again
from timegate.domain.values.errors import LeaseLost, SlotLost, Throttled, TimegateError
from timegate.ports.telemetry import run_events
from timegate.ports.telemetry.telemetry import of_message, of_run
from timegate.usecases.execution.claims.check_condition import (
    Conditional,
    ConditionAnswer,
    check_condition,
)
from timegate.usecases.execution.claims.claim_runs import ClaimedGroup, claim_runs
from timegate.usecases.execution.claims.consider_run import Suspect
from timegate.usecases.execution.claims.start_lags import measure_skew
from timegate.usecases.execution.end_slice import end_slice
from timegate.usecases.execution.hand_back import hand_back, put_off
from timegate.usecases.execution.hand_over import hand_over
from timegate.usecases.execution.keep_answer import keep_answer
from timegate.usecases.execution.record_ending import record_ending
from timegate.usecases.execution.supervise_run import HandedOver, LetGo, Sliced, supervise_run
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution

#: A message that could not be settled is tried again after this.
RETRY_SECONDS = 2


def execute_batch(
    deliveries: Sequence[Delivery], execution: Execution, completions: Completions
) -> set[str]:
    """Settle every message; returns the ids of those that must be delivered again.

    Messages due at the same instant (all that are due already count as one) share a read, a
    claim and, where they end together, a write: three calls for ten short runs. A run that was
    held by a dead worker is executed once all of these have ended, beside nothing else.
    """
    sent = [each.sent_at for each in deliveries if each.sent_at is not None]
    measure_skew(sent, execution.received_at, execution.telemetry)
    early, timely = _split(deliveries, execution)
    unsettled = _hide_early(early, execution)
    if timely:
        execution = execution.shown_soon([each.receipt for each in timely])
    groups = list(_departures(timely, execution.clock.now()).values())
    if not groups:
        return unsettled
    suspects: list[Suspect] = []
    alone = len(timely) == 1
    with ThreadPoolExecutor(max_workers=2 * len(timely)) as pool:
        for departed in pool.map(
            lambda g: _depart(g, execution, completions, pool, alone=alone), groups
        ):
            unsettled |= departed.unsettled
            suspects += departed.suspects
    return unsettled | _execute_alone(suspects, execution, completions)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Departed:
    """Remains of a group once its runs have ended."""

    #: The ids of messages that must be delivered again.
    unsettled: set[str]
    suspects: tuple[Suspect, ...] = ()


def _execute_alone(
    suspects: Sequence[Suspect], execution: Execution, completions: Completions
) -> set[str]:
    """Execute runs that a worker held when it died, one after the other.

    The run with the fewest deaths goes first, so that one that kills keeps no other from its turn.
    """
    unsettled: set[str] = set()
    for each in sorted(suspects, key=lambda s: (s.attempt.deaths, s.attempt.due_at)):
        if _has_time(each, execution):
            own = execution.received_now([each.delivery.receipt])
            unsettled |= _execute_one(each.delivery, own, completions)
        else:
            unsettled |= _leave_all([each.delivery], execution)
    return unsettled


def _has_time(suspect: Suspect, execution: Execution) -> bool:
    """Time for its whole timeout; half of the invocation's time is enough for a longer one."""
    now = execution.clock.now()
    half = (execution.stops_at - execution.received_at) / 2
    needed = min(timedelta(seconds=suspect.job.timeout_seconds), half)
    return not execution.must_stop(now) and now + needed <= execution.stops_at


def _execute_one(delivery: Delivery, execution: Execution, completions: Completions) -> set[str]:
    """Claim one run and execute it while this process does nothing else."""
    claims = claim_runs([delivery], execution, alone=True)
    unsettled = _return_failed(claims, execution) | _return_unreadable(claims, execution)
    for conditional in claims.conditional:
        unsettled |= _ask(conditional, execution, completions, alone=True)
    for claimed in claims.held:
        completions.begin()
        if not _run(claimed, execution, completions):
            unsettled.add(delivery.id)
    _raise_broken(claims)
    return unsettled


def _split(
    deliveries: Sequence[Delivery], execution: Execution
) -> tuple[list[Delivery], list[Delivery]]:
    now = execution.clock.now()
    early = [d for d in deliveries if must_hide_again(d.message.due_at, now)]
    timely = [d for d in deliveries if not must_hide_again(d.message.due_at, now)]
    return early, timely


def _hide_early(early: Sequence[Delivery], execution: Execution) -> set[str]:
    """Too early to be held in memory: back into the queue until they are due."""
    now = execution.clock.now()
    for delivery in early:
        seconds = int((claim_at(delivery.message.due_at) - now).total_seconds())
        execution.inbox.hide([delivery.receipt], seconds=seconds)
        execution.telemetry.event(
            run_events.MESSAGE_EARLY, **of_message(delivery.message), hidden_seconds=seconds
        )
    return {delivery.id for delivery in early}


def _departures(deliveries: Sequence[Delivery], now: datetime) -> dict[datetime, list[Delivery]]:
    groups: dict[datetime, list[Delivery]] = defaultdict(list)
    for delivery in deliveries:
        groups[max(claim_at(delivery.message.due_at), now)].append(delivery)
    return groups


def _depart(
    group: list[Delivery],
    execution: Execution,
    completions: Completions,
    pool: ThreadPoolExecutor,
    *,
    alone: bool,
) -> _Departed:
    """Claim a group at its instant and run it."""
    execution.clock.wait_until(claim_at(min(d.message.due_at for d in group)))
    if execution.must_stop(execution.clock.now()):
        return _Departed(unsettled=_leave_all(group, execution))
    claims = claim_runs(group, execution, alone=alone)
    unsettled = _return_failed(claims, execution) | _return_unreadable(claims, execution)
    held = claims.held
    for _ in held:
        completions.begin()
    asked = pool.map(
        lambda each: _ask(each, execution, completions, alone=alone), claims.conditional
    )
    settled = pool.map(lambda claimed: _run(claimed, execution, completions), held)
    unsettled |= {c.delivery.id for c, done in zip(held, settled, strict=True) if not done}
    unsettled = unsettled.union(*asked)
    _raise_broken(claims)
    return _Departed(unsettled=unsettled, suspects=claims.suspects)


def _return_unreadable(claims: ClaimedGroup, execution: Execution) -> set[str]:
    """Let unreadable messages go on to the dead letters."""
    if claims.unreadable:
        receipts = [delivery.receipt for delivery in claims.unreadable]
        execution.inbox.hide(receipts, seconds=RETRY_SECONDS)
    return {delivery.id for delivery in claims.unreadable}


def _return_failed(claims: ClaimedGroup, execution: Execution) -> set[str]:
    """Deliver those again soon that the store refused for load; nothing of them is held."""
    returned: set[str] = set()
    for failed in claims.failed:
        if isinstance(failed.error, TimegateError):
            returned |= _return_all(failed.deliveries, execution, failed.error)
    return returned


def _raise_broken(claims: ClaimedGroup) -> None:
    """Raise any other error, once the runs of the others have ended.

    Their messages stay hidden as they are: a claim without an answer may have been written.
    """
    for failed in claims.failed:
        if not isinstance(failed.error, TimegateError):
            raise failed.error


def _ask(
    conditional: Conditional,
    execution: Execution,
    completions: Completions,
    *,
    alone: bool = False,
) -> set[str]:
    """Ask whether a run may begin, and run it if so; what must be delivered again."""
    group = [conditional.delivery]
    try:
        checked = check_condition(conditional, execution)
        if checked is ConditionAnswer.LEFT:
            return _leave_all(group, execution)
        if checked is ConditionAnswer.SETTLED:
            return set()
        execution = execution.with_whole_lease([conditional.delivery.receipt])
        claims = claim_runs(group, execution, may_begin=True, alone=alone)
        claims.raise_failed()
    except TimegateError as error:
        return _return_all(group, execution, error)
    for _ in claims.held:
        completions.begin()
    done = [_run(claimed, execution, completions) for claimed in claims.held]
    return set() if all(done) and not claims.unreadable else {conditional.delivery.id}


def _run(claimed: Claimed, execution: Execution, completions: Completions) -> bool:
    """Run it; tell if the message is settled: its end is stored, or another worker's to store."""
    try:
        ending = supervise_run(claimed, execution)
    except Throttled as error:
        completions.leave()
        return put_off(claimed, execution) or _give_up(claimed, execution, error)
    except TimegateError as error:
        completions.leave()
        return _give_up(claimed, execution, error)
    if isinstance(ending, LetGo):
        completions.leave()
        return hand_back(claimed, execution)
    try:
        if isinstance(ending, Sliced):
            completions.leave()
            end_slice(claimed, ending, execution)
        elif isinstance(ending, HandedOver):
            completions.leave()
            hand_over(claimed, ending, execution)
        else:
            record_ending(claimed, ending, execution, completions)
    except LeaseLost as error:
        keep_answer(claimed, ending, execution)
        return _give_up(claimed, execution, error)
    except TimegateError as error:
        return _give_up(claimed, execution, error)
    return True


def _give_up(claimed: Claimed, execution: Execution, error: TimegateError) -> bool:
    """A lost lease is another worker's run now; anything else comes back after the lease.

    Also a run whose slot was lost: no other worker may have begun it.
    """
    execution.telemetry.event(
        run_events.RUN_UNSETTLED,
        **of_run(claimed.attempt),
        code=error.code,
        detail=str(error),
    )
    return isinstance(error, LeaseLost) and not isinstance(error, SlotLost)


def _leave_all(group: Sequence[Delivery], execution: Execution) -> set[str]:
    """This worker has no time for them: another one gets them at once."""
    execution.inbox.hide([delivery.receipt for delivery in group], seconds=0)
    execution.telemetry.event(run_events.MESSAGES_LEFT, messages=len(group))
    return {delivery.id for delivery in group}


def _return_all(group: Sequence[Delivery], execution: Execution, error: TimegateError) -> set[str]:
    execution.inbox.hide([delivery.receipt for delivery in group], seconds=RETRY_SECONDS)
    execution.telemetry.event(run_events.CLAIM_FAILED, code=error.code, messages=len(group))
    return {delivery.id for delivery in group}
