"""Rate limits, kept when a run is due: between its slot and its claim."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.execution.admission import Refuse
from timegate.domain.execution.notices import listening
from timegate.domain.execution.restriction_check import has_begun, moved
from timegate.domain.jobs.retry import Failure
from timegate.domain.limits.overlap import base_of
from timegate.domain.limits.rate_limit import RateKey, RateLimit, RateRequest, held_back
from timegate.domain.limits.rate_reservation import Pace, whole
from timegate.domain.runs.gate import is_direct
from timegate.domain.runs.reserved_turns import current_pace, own_turn, wanted_at
from timegate.domain.runs.run import Reason, RunState
from timegate.domain.runs.run_states import check_transition
from timegate.domain.values.errors import TimegateError
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.limits.overlap_claims import give_back
from timegate.usecases.limits.overlap_releases import leave_line
from timegate.usecases.limits.refuse_run import drop_delivery, refuse_run
from timegate.usecases.services.execution_services import Claimed, Execution

#: A target that asks for more is asked again by then: others may share its key.
_HELD_BACK_AT_MOST = 3_600.0


def keep_pace(candidates: Sequence[Claimed], execution: Execution) -> list[Claimed]:
    """Return runs whose turn has come, or is about to; put the others off to their turns.

    The candidates of one key share a write; a job without a limit costs nothing. One whose turn
    would come too late is skipped. Raises ``Throttled``, having given back every slot.
    """
    kept = [each for each in candidates if each.job.rate_key is None]
    if len(kept) == len(candidates):
        return kept
    now = execution.clock.now()
    asking: dict[RateKey, list[Claimed]] = defaultdict(list)
    for candidate, key in _distinct(candidates, execution):
        if _has_turn(candidate, now):
            kept.append(candidate)
        else:
            asking[key].append(candidate)
    try:
        for key, members in asking.items():
            kept += _ask(key, members, execution, now)
    except TimegateError:
        give_back(candidates, execution, now=now)
        raise
    return kept


def heed_target(claimed: Claimed, failure: Failure, execution: Execution) -> None:
    """Let no worker call a target that asked to be left alone, where its calls are counted.

    Never raises ``Throttled``: its word is no reason to disturb a run, and is said again.
    """
    key, limit, asked = claimed.job.rate_key, claimed.job.rate_limit, failure.retry_after_seconds
    if key is None or limit is None or not asked:
        return
    now = execution.clock.now()
    until = now + timedelta(seconds=min(asked, _HELD_BACK_AT_MOST))
    shared = base_of(key.name)
    try:
        execution.rates.hold_back(key, used_until=held_back(limit, until), at=now)
    except TimegateError as error:
        execution.telemetry.event(run_events.RATE_NOT_HELD_BACK, key=shared, code=error.code)
    else:
        execution.telemetry.event(run_events.RATE_HELD_BACK, key=shared, until=until)


def _distinct(
    candidates: Sequence[Claimed], execution: Execution
) -> Iterator[tuple[Claimed, RateKey]]:
    """Return runs under a limit; drop the second of two messages of one run."""
    seen = set()
    for candidate in candidates:
        key = candidate.job.rate_key
        if key is None:
            continue
        if candidate.attempt.id in seen:
            drop_delivery(candidate.delivery, candidate.attempt, execution)
            continue
        seen.add(candidate.attempt.id)
        yield candidate, key


def _has_turn(candidate: Claimed, now: datetime) -> bool:
    """A turn was reserved for it, no worker has claimed it since, and it is not over."""
    turn = own_turn(candidate.attempt)
    return turn is not None and now <= turn.lasts_until()


def _ask(
    key: RateKey, members: Sequence[Claimed], execution: Execution, now: datetime
) -> list[Claimed]:
    """Turns in the order in which they were due."""
    members = sorted(members, key=lambda c: (wanted_at(c.attempt), c.attempt.id))
    # Some are due a moment later: what is asked together begins together.
    at = max(now, *(each.attempt.due_at for each in members))
    wishes = [_wish(each, at) for each in members]
    turns = execution.rates.take_turns(key, wishes, at=at)
    asked = zip(members, turns, strict=True)
    kept = [_go(each, key, turn_at, execution, now) for each, turn_at in asked]
    return [each for each in kept if each is not None]


def _go(
    candidate: Claimed, key: RateKey, turn_at: datetime | None, execution: Execution, now: datetime
) -> Claimed | None:
    """It as it begins, ``None`` if it does not begin now."""
    if turn_at is None:
        _skip(candidate, execution, now)
        return None
    if turn_at <= max(now, candidate.attempt.due_at):
        return candidate
    pace = _pace(candidate, key, turn_at)
    if is_direct(pace.turn_at, now):
        return _held(candidate, pace, now)
    _put_off(candidate, pace, execution, now)
    return None


def _wish(candidate: Claimed, at: datetime) -> RateRequest:
    attempt, within = candidate.attempt, candidate.job.timing.start_within_seconds
    not_after = None
    if within is not None and attempt.operation is None and not has_begun(attempt):
        not_after = max(wanted_at(attempt) + timedelta(seconds=within), at)
    return RateRequest(limit=_limit(candidate), not_after=not_after)


def _limit(candidate: Claimed) -> RateLimit:
    limit = candidate.job.rate_limit
    if limit is None:
        message = f"{candidate.attempt.id} is under no limit"
        raise ValueError(message)
    return limit


def _pace(candidate: Claimed, key: RateKey, turn_at: datetime) -> Pace:
    attempt = candidate.attempt
    before = current_pace(attempt)
    return Pace(
        key=key.name,
        since=before.since if before is not None else attempt.due_at,
        turn_at=whole(turn_at),
        fence=attempt.fence,
        missed=before.missed + 1 if before is not None else 0,
    )


def _held(candidate: Claimed, pace: Pace, now: datetime) -> Claimed:
    """Soon enough to be waited for by the worker; its time to work begins then."""
    waits = pace.turn_at - max(now, candidate.attempt.due_at)
    lease = replace(candidate.lease, deadline_at=candidate.lease.deadline_at + waits)
    attempt = replace(candidate.attempt, due_at=pace.turn_at, pace=pace)
    return replace(candidate, attempt=attempt, lease=lease)


def _put_off(candidate: Claimed, pace: Pace, execution: Execution, now: datetime) -> None:
    """Back to where it came from, due at its turn; neither a failure nor an attempt."""
    before = candidate.attempt
    after = replace(moved(before, pace.turn_at, now=now), pace=pace)
    if before.state is not after.state:
        check_transition(before.state, after.state)
    is_put_off = execution.runs.replace(before, after)
    execution.telemetry.count(run_metrics.RUNS_PACED, int(is_put_off))
    execution.telemetry.event(
        run_events.RUN_PACED,
        **of_run(before),
        key=base_of(pace.key),
        due_at=pace.turn_at,
        put_off=is_put_off,
    )
    give_back([candidate], execution, now=now)


def _skip(candidate: Claimed, execution: Execution, now: datetime) -> None:
    """Its turn would come later than its job lets it start, or in more than a year."""
    attempt = candidate.attempt
    begun = attempt.state is RunState.RUNNING or attempt.is_under_way
    state = RunState.CANCELLED if begun else RunState.SKIPPED
    heard = listening(attempt, candidate.job)
    refuse_run(heard, Refuse(state=state, reason=Reason.LATE), execution, now=now)
    give_back([candidate], execution, now=now)
    leave_line(attempt, candidate.job, execution, now=now)
