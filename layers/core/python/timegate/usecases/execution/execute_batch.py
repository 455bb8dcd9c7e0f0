"""Executing a batch of messages: side by side, each acknowledged only once it is settled."""

from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from datetime import datetime, timedelta

from timegate.domain.runs.gate import claim_at
from timegate.domain.runs.run import Attempt
from timegate.domain.values.corrupt_record import BlobMissing
from timegate.domain.values.errors import LeaseLost, Throttled, TimegateError
from timegate.kept_threads import KeptThreadPool
from timegate.usecases.execution.claims.claim_runs import claim_runs
from timegate.usecases.execution.claims.consider_run import Conditional, Suspect
from timegate.usecases.execution.claims.messages_at_hand import (
    Gatherer,
    hide_early,
    leave_all,
    raise_broken,
    return_all,
    return_failed,
    return_unreadable,
    split_early,
)
from timegate.usecases.execution.claims.start_lags import measure_skew
from timegate.usecases.execution.end_slice import end_slice
from timegate.usecases.execution.hand_back import (
    PayloadLost,
    give_up,
    hand_back,
    is_lost_for_good,
    put_off,
)
from timegate.usecases.execution.hand_over import hand_over
from timegate.usecases.execution.keep_answer import keep_answer
from timegate.usecases.execution.record_ending import record_ending
from timegate.usecases.execution.supervise_run import (
    Ending,
    HandedOver,
    LetGo,
    Sliced,
    supervise_run,
)
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.execution_services import Claimed, Delivery, Execution
from timegate.value_classes import dataclass

#: An executor goes on with a line of tasks for so long; then other tenants' runs come first.
TURN = timedelta(seconds=10)


@dataclass(frozen=True, kw_only=True, slots=True)
class _Work:
    """Means that all runs of a process share."""

    completions: Completions
    gatherer: Gatherer
    pool: KeptThreadPool


@dataclass(frozen=True, kw_only=True, slots=True)
class _Departed:
    """Remains of a group once its runs have ended."""

    #: The ids of messages that must be delivered again.
    unsettled: set[str]
    suspects: tuple[Suspect, ...] = ()


def execute_batch(
    deliveries: Sequence[Delivery], execution: Execution, completions: Completions
) -> set[str]:
    """Settle every message; returns the ids of those that must be delivered again.

    Messages due at the same instant (all that are due already count as one) share a read, a
    claim and, where they end together, a write: three calls for ten short runs. While calls last,
    more messages are gathered from the queue, and deleted once they are settled. A run that was
    held by a dead worker is executed once all of these have ended, beside nothing else.
    """
    timely, unsettled = _take(deliveries, execution)
    if not timely:
        return unsettled
    execution = execution.shown_soon([each.receipt for each in timely])
    gatherer = Gatherer(execution)
    with KeptThreadPool() as pool:
        work = _Work(completions=completions, gatherer=gatherer, pool=pool)
        departed = _carry_out(timely, execution, work)
    suspects = [suspect for each in departed for suspect in each.suspects]
    unsettled = unsettled.union(*(each.unsettled for each in departed))
    unsettled |= _execute_alone(suspects, execution, work)
    gatherer.settle([suspect.delivery for suspect in suspects], unsettled)
    return unsettled & {delivery.id for delivery in deliveries}


def _take(deliveries: Sequence[Delivery], execution: Execution) -> tuple[list[Delivery], set[str]]:
    """Return the messages whose turn it is, and the ids of those that came too early."""
    sent = [each.sent_at for each in deliveries if each.sent_at is not None]
    measure_skew(sent, execution.received_at, execution.telemetry)
    early, timely = split_early(deliveries, execution)
    return timely, hide_early(early, execution)


def _carry_out(timely: Sequence[Delivery], execution: Execution, work: _Work) -> list[_Departed]:
    """Run these messages, and others that are gathered meanwhile, until all have ended."""
    gatherer = work.gatherer
    departed: list[_Departed] = []
    pending = _set_out(timely, execution, work, alone=len(timely) == 1)
    while pending:
        seconds = gatherer.seconds_to_look()
        done, pending = wait(pending, timeout=seconds, return_when=FIRST_COMPLETED)
        departed += [each.result() for each in done]
        if pending and (gathered := gatherer.look()):
            received, _ = _take(gathered.deliveries, gathered.execution)
            pending |= _set_out(received, gathered.execution, work)
    return departed


def _set_out(
    deliveries: Sequence[Delivery], execution: Execution, work: _Work, *, alone: bool = False
) -> set[Future[_Departed]]:
    """Let each group depart at its instant."""
    work.gatherer.begin(deliveries)
    groups = _departures(deliveries, execution.clock.now()).values()
    return {work.pool.submit(_depart, each, execution, work, alone=alone) for each in groups}


def _execute_alone(suspects: Sequence[Suspect], execution: Execution, work: _Work) -> set[str]:
    """Execute runs that a worker held when it died, one after the other.

    The run with the fewest deaths goes first, so that one that kills keeps no other from its turn.
    """
    unsettled: set[str] = set()
    for each in sorted(suspects, key=lambda s: (s.attempt.deaths, s.attempt.due_at)):
        if _has_time(each, execution):
            own = execution.received_now([each.delivery.receipt])
            unsettled |= _execute_one(each.delivery, own, work)
        else:
            unsettled |= leave_all([each.delivery], execution)
    return unsettled


def _has_time(suspect: Suspect, execution: Execution) -> bool:
    """Time for its whole timeout; half of the invocation's time is enough for a longer one."""
    now = execution.clock.now()
    half = (execution.stops_at - execution.received_at) / 2
    needed = min(timedelta(seconds=suspect.job.timeout_seconds), half)
    return not execution.must_stop(now) and now + needed <= execution.stops_at


def _execute_one(delivery: Delivery, execution: Execution, work: _Work) -> set[str]:
    """Claim one run and execute it while this process does nothing else."""
    claims = claim_runs([delivery], execution, alone=True)
    unsettled = return_failed(claims, execution) | return_unreadable(claims, execution)
    for conditional in claims.conditional:
        unsettled |= _ask(conditional, execution, work, alone=True)
    for claimed in claims.held:
        work.completions.begin()
        if not _run(claimed, execution, work):
            unsettled.add(delivery.id)
    raise_broken(claims)
    return unsettled


def _departures(deliveries: Sequence[Delivery], now: datetime) -> dict[datetime, list[Delivery]]:
    groups: dict[datetime, list[Delivery]] = defaultdict(list)
    for delivery in deliveries:
        groups[max(claim_at(delivery.message.due_at), now)].append(delivery)
    return groups


def _depart(
    group: list[Delivery],
    execution: Execution,
    work: _Work,
    *,
    alone: bool,
) -> _Departed:
    """Claim a group at its instant and run it."""
    execution.clock.wait_until(claim_at(min(d.message.due_at for d in group)))
    if execution.must_stop(execution.clock.now()):
        return _Departed(unsettled=leave_all(group, execution))
    claims = claim_runs(group, execution, alone=alone)
    unsettled = return_failed(claims, execution) | return_unreadable(claims, execution)
    held = claims.held
    if unsettled or claims.suspects or any(each.attempt.alone for each in held):
        work.gatherer.close()
    for _ in held:
        work.completions.begin()
    asked = work.pool.map(lambda each: _ask(each, execution, work, alone=alone), claims.conditional)
    settled = work.pool.map(lambda claimed: _run(claimed, execution, work), held)
    unsettled |= {c.delivery.id for c, done in zip(held, settled, strict=True) if not done}
    unsettled = unsettled.union(*asked)
    raise_broken(claims)
    waiting = {suspect.delivery.id for suspect in claims.suspects}
    work.gatherer.settle(group, unsettled | waiting)
    return _Departed(unsettled=unsettled, suspects=claims.suspects)


def _ask(
    conditional: Conditional,
    execution: Execution,
    work: _Work,
    *,
    alone: bool = False,
) -> set[str]:
    """Ask whether a run may begin, and run it if so; what must be delivered again."""
    # Few jobs have a condition.
    from timegate.usecases.execution.claims.check_condition import (  # noqa: PLC0415
        ConditionAnswer,
        check_condition,
    )

    group = [conditional.delivery]
    try:
        checked = check_condition(conditional, execution)
        if checked is ConditionAnswer.LEFT:
            return leave_all(group, execution)
        if checked is ConditionAnswer.SETTLED:
            return set()
        execution = execution.with_whole_lease([conditional.delivery.receipt])
        claims = claim_runs(group, execution, may_begin=True, alone=alone)
        claims.raise_failed()
    except TimegateError as error:
        return return_all(group, execution, error)
    for _ in claims.held:
        work.completions.begin()
    done = [_run(claimed, execution, work) for claimed in claims.held]
    return set() if all(done) and not claims.unreadable else {conditional.delivery.id}


def _run(claimed: Claimed, execution: Execution, work: _Work) -> bool:
    """Run it and, without messages, the tasks that follow it in a line.

    Tell if the message is settled: its end is stored, or another worker's to store.
    """
    done = _run_one(claimed, execution, work)
    ended, until = done.ended, execution.clock.now() + TURN
    while ended is not None and ended.is_task and execution.next_task is not None:
        following = execution.next_task(ended, execution, until)
        if following is None:
            break
        work.completions.begin()
        ended = _run_one(following, execution.without_message(), work).ended
    return done.settled


@dataclass(frozen=True, kw_only=True, slots=True)
class _Done:
    """One run: if its message is settled, and its end, if it has ended here."""

    settled: bool
    ended: Attempt | None = None


def _run_one(claimed: Claimed, execution: Execution, work: _Work) -> _Done:
    try:
        with work.gatherer.calling(claimed) as call:
            ending = _supervised(claimed, execution)
        claimed = call.claimed
    except Throttled as error:
        work.completions.leave()
        return _Done(settled=put_off(claimed, execution) or give_up(claimed, execution, error))
    except TimegateError as error:
        work.completions.leave()
        return _Done(settled=give_up(claimed, execution, error))
    if isinstance(ending, LetGo):
        work.completions.leave()
        return _Done(settled=hand_back(claimed, execution))
    ended, settled = None, True
    try:
        if isinstance(ending, Sliced):
            work.completions.leave()
            end_slice(claimed, ending, execution)
        elif isinstance(ending, HandedOver):
            work.completions.leave()
            hand_over(claimed, ending, execution)
        else:
            ended = record_ending(claimed, ending, execution, work.completions)
    except LeaseLost as error:
        keep_answer(claimed, ending, execution)
        settled = give_up(claimed, execution, error)
    except TimegateError as error:
        settled = give_up(claimed, execution, error)
    return _Done(settled=settled, ended=ended)


def _supervised(claimed: Claimed, execution: Execution) -> Ending:
    """Raise ``Throttled`` where a payload may yet be found, and else as ``supervise_run``."""
    try:
        return supervise_run(claimed, execution)
    except BlobMissing as missing:
        if is_lost_for_good(claimed):
            return PayloadLost(path=missing.path)
        raise Throttled(str(missing)) from missing
