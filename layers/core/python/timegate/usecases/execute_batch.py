"""Executing a batch of messages: side by side, each acknowledged only once it is settled."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

from timegate.domain.errors import LeaseLost, SlotLost, Throttled, TimegateError
from timegate.domain.gate import claim_at, must_hide_again
from timegate.usecases.check_condition import Checked, Conditional, check_condition
from timegate.usecases.claim_runs import Claims, claim_runs
from timegate.usecases.completions import Completions
from timegate.usecases.end_slice import end_slice
from timegate.usecases.execution import Claimed, Delivery, Execution
from timegate.usecases.hand_back import hand_back, put_off
from timegate.usecases.hand_over import hand_over
from timegate.usecases.keep_answer import keep_answer
from timegate.usecases.record_ending import record_ending
from timegate.usecases.supervise_run import HandedOver, LetGo, Sliced, supervise_run

#: A message that could not be settled is tried again after this.
RETRY_SECONDS = 2


def execute_batch(
    deliveries: Sequence[Delivery], execution: Execution, completions: Completions
) -> set[str]:
    """Settle every message; returns the ids of those that must be delivered again.

    Messages due at the same instant (all that are due already count as one) share a read, a
    claim and, where they end together, a write: three calls for ten short runs.
    """
    early, timely = _split(deliveries, execution)
    unsettled = _hide_early(early, execution)
    groups = list(_departures(timely, execution.clock.now()).values())
    if not groups:
        return unsettled
    with ThreadPoolExecutor(max_workers=2 * len(timely)) as pool:
        for ids in pool.map(lambda g: _depart(g, execution, completions, pool), groups):
            unsettled |= ids
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
            "message_early", attempt_id=str(delivery.message.attempt), hidden_seconds=seconds
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
) -> set[str]:
    """Claim a group at its instant and run it; the ids of what must be delivered again."""
    execution.clock.wait_until(claim_at(min(d.message.due_at for d in group)))
    if execution.must_stop(execution.clock.now()):
        return _leave_all(group, execution)
    claims = claim_runs(group, execution)
    unsettled = _return_failed(claims, execution)
    held, returned = claims.held, [delivery.receipt for delivery in claims.unreadable]
    if returned:
        execution.inbox.hide(returned, seconds=RETRY_SECONDS)
    for _ in held:
        completions.begin()
    asked = pool.map(lambda each: _ask(each, execution, completions), claims.conditional)
    settled = pool.map(lambda claimed: _run(claimed, execution, completions), held)
    unsettled |= {c.delivery.id for c, done in zip(held, settled, strict=True) if not done}
    unsettled |= {delivery.id for delivery in claims.unreadable}
    unsettled = unsettled.union(*asked)
    _raise_broken(claims)
    return unsettled


def _return_failed(claims: Claims, execution: Execution) -> set[str]:
    """Deliver those again soon that the store refused for load; nothing of them is held."""
    returned: set[str] = set()
    for failed in claims.failed:
        if isinstance(failed.error, TimegateError):
            returned |= _return_all(failed.deliveries, execution, failed.error)
    return returned


def _raise_broken(claims: Claims) -> None:
    """Raise any other error, once the runs of the others have ended.

    Their messages stay hidden as they are: a claim without an answer may have been written.
    """
    for failed in claims.failed:
        if not isinstance(failed.error, TimegateError):
            raise failed.error


def _ask(conditional: Conditional, execution: Execution, completions: Completions) -> set[str]:
    """Ask whether a run may begin, and run it if so; what must be delivered again."""
    group = [conditional.delivery]
    try:
        checked = check_condition(conditional, execution)
        if checked is Checked.LEFT:
            return _leave_all(group, execution)
        if checked is Checked.SETTLED:
            return set()
        claims = claim_runs(group, execution, may_begin=True)
        claims.raise_failed()
    except TimegateError as error:
        return _return_all(group, execution, error)
    for _ in claims.held:
        completions.begin()
    done = [_run(claimed, execution, completions) for claimed in claims.held]
    return set() if all(done) and not claims.unreadable else {conditional.delivery.id}


def _run(claimed: Claimed, execution: Execution, completions: Completions) -> bool:
    """Whether the message is settled: its end is stored, or is another worker's to store."""
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

    Also a run whose slot was lost: nobody else may have begun it.
    """
    execution.telemetry.event(
        "run_unsettled",
        tenant_id=claimed.attempt.tenant,
        attempt_id=str(claimed.attempt.id),
        code=error.code,
        detail=str(error),
    )
    return isinstance(error, LeaseLost) and not isinstance(error, SlotLost)


def _leave_all(group: Sequence[Delivery], execution: Execution) -> set[str]:
    """This worker has no time for them: another one gets them at once."""
    execution.inbox.hide([delivery.receipt for delivery in group], seconds=0)
    execution.telemetry.event("messages_left", messages=len(group))
    return {delivery.id for delivery in group}


def _return_all(group: Sequence[Delivery], execution: Execution, error: TimegateError) -> set[str]:
    execution.inbox.hide([delivery.receipt for delivery in group], seconds=RETRY_SECONDS)
    execution.telemetry.event("claim_failed", code=error.code, messages=len(group))
    return {delivery.id for delivery in group}
