"""Conclusions: how an attempt ends, and the attempt that follows it, if one does."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import MappingProxyType

from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.retry import (
    Failure,
    FailureCause,
    FailureKind,
    GiveUp,
    Retry,
    RetryPolicy,
    Trial,
    decide_retry,
    failures_to_remember,
)
from timegate.domain.runs.gate import first_state
from timegate.domain.runs.run import Attempt, Reason, RunError, RunState, reason_of_stop
from timegate.domain.runs.run_states import check_transition
from timegate.domain.runs.watch import first_watch, looked_at_for_finish, watched_end
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

_PAYLOAD_LOST = "Its stored payload is lost or has expired: a redrive needs another payload."
_CHECKPOINT_LOST = "Its last checkpoint is lost or has expired: a redrive has to be fresh."


@dataclass(frozen=True, kw_only=True, slots=True)
class Conclusion:
    """The ended attempt, and the retry created in the same transaction."""

    ended: Attempt
    retry: Attempt | None
    explanation: str


def succeed(
    attempt: Attempt, *, started_at: datetime | None, now: datetime, result: str
) -> Attempt:
    """The attempt, having done its work; ``started_at`` is ``None`` where another had done it."""
    ended = end(attempt, RunState.SUCCEEDED, now=now)
    return replace(ended, started_at=started_at, result=result)


def end(
    attempt: Attempt, state: RunState, *, now: datetime, reason: Reason | None = None
) -> Attempt:
    """The attempt in a terminal state, watched if something follows that."""
    check_transition(attempt.state, state)
    known = reason_of_stop(reason, attempt.replaced_by)
    return watched_end(replace(attempt, state=state, reason=known, ended_at=now))


def end_unworked(
    attempt: Attempt, state: RunState, *, now: datetime, reason: Reason | None = None
) -> Attempt:
    """The attempt, ended by another process than its worker; of dead workers with their record."""
    ended = end(attempt, state, now=now, reason=reason)
    if reason not in _DEATHS:
        return ended
    return replace(ended, error=_death_of_workers(attempt), explanation=_DEATHS[reason])


def fail(
    attempt: Attempt,
    failure: Failure,
    policy: RetryPolicy,
    *,
    started_at: datetime | None,
    now: datetime,
) -> Conclusion:
    """End the attempt in an error and decide what follows; nothing does once it is cancelled."""
    decision = _decide(attempt, failure, policy, now)
    state, reason = _end_of_failure(failure, decision if isinstance(decision, GiveUp) else None)
    retry = None if isinstance(decision, GiveUp) else next_attempt(attempt, decision.due_at, now)
    explanation = decision.explanation
    if retry is not None:
        remembered = failures_to_remember(attempt.failed_at, failure, now=now)
        retry = replace(retry, failed_at=remembered)
    ended = replace(
        end(attempt, state, now=now, reason=reason),
        started_at=started_at,
        error=RunError(code=failure.code, type=failure.type, message=failure.message),
        explanation=explanation,
    )
    concluded = Conclusion(ended=ended, retry=retry, explanation=explanation)
    return called_off(concluded) if retry is not None and attempt.cancel_requested else concluded


def lose_payload(attempt: Attempt, path: str, *, now: datetime) -> Conclusion:
    """End an attempt whose target was not called: what it needs cannot be read, now or later.

    ``path`` names the text that is lost, so that the record says which redrive does without it.
    """
    checkpoint = attempt.checkpoint
    is_checkpoint = checkpoint is not None and checkpoint.blob == path
    message = _CHECKPOINT_LOST if is_checkpoint else _PAYLOAD_LOST
    ended = end(attempt, RunState.DEAD_LETTERED, now=now, reason=Reason.PAYLOAD_LOST)
    error = RunError(code="payload_lost", type="BlobMissing", message=message)
    ended = replace(ended, error=error, explanation=message)
    return Conclusion(ended=ended, retry=None, explanation=message)


def called_off(conclusion: Conclusion) -> Conclusion:
    """Return the conclusion after a request to cancel: no attempt follows."""
    explanation = "not tried again: a cancel was requested"
    ended = replace(
        conclusion.ended,
        state=RunState.CANCELLED,
        reason=Reason.CANCEL_REQUESTED,
        explanation=explanation,
    )
    return Conclusion(ended=watched_end(ended), retry=None, explanation=explanation)


def next_attempt(attempt: Attempt, due_at: datetime, now: datetime) -> Attempt:
    """A fresh record for the next try at the same run."""
    state = first_state(due_at, now)
    following = Attempt(
        tenant=attempt.tenant,
        id=attempt.id.next(),
        state=state,
        job_version=attempt.job_version,
        priority=attempt.priority,
        resource_class=attempt.resource_class,
        precision=attempt.precision,
        due_at=due_at,
        created_at=now,
        watch_at=first_watch(state, due_at, now=now),
        final=attempt.final,
        untallied=attempt.untallied,
        # A fence is the run's, not the attempt's: targets compare it under one idempotency key.
        fence=attempt.fence,
        fenced_from=attempt.fence,
        offer=attempt.offer,
        operation=attempt.operation,
        opened_as=attempt.opened_as,
        opened_at=attempt.opened_at,
        # Finished slices stay done.
        checkpoint=attempt.checkpoint,
        slices=attempt.slices,
        payload=attempt.payload,
        terms=attempt.terms,
        notice=attempt.notice,
        parent=attempt.parent,
        finish=attempt.finish,
        backfilled=attempt.backfilled,
        listed=attempt.listed,
        trace=attempt.trace,
    )
    return looked_at_for_finish(following, now=now)


#: The reasons that speak of dead workers, and what was decided then.
_DEATHS: Mapping[Reason | None, str] = MappingProxyType(
    {
        Reason.WORKER_DIED: "at most once: not tried again, whether or not the target was called",
        Reason.KILLS_WORKERS: "given up: whatever runs it dies",
        Reason.POISON_MESSAGE: "given up: its message came back too often",
    }
)


def _death_of_workers(attempt: Attempt) -> RunError:
    lease = attempt.lease
    last = (
        f" {lease.owner} had the last lease, which ended at {rfc3339(lease.expires_at)}."
        if lease is not None
        else ""
    )
    leases = "1 lease" if attempt.deaths == 1 else f"{attempt.deaths} leases"
    alone = f", {attempt.alone} of them while it executed nothing else" if attempt.alone else ""
    message = f"{leases} ended without a word from the worker{alone}.{last}"
    return RunError(code="worker_died", type="LeaseExpired", message=message)


def _decide(
    attempt: Attempt, failure: Failure, policy: RetryPolicy, now: datetime
) -> Retry | GiveUp:
    decision = decide_retry(policy, _trial(attempt), failure, now=now)
    once = attempt.delivery is DeliveryMode.AT_MOST_ONCE
    permanent = isinstance(decision, GiveUp) and decision.cause is FailureCause.PERMANENT
    if once and not permanent:
        return GiveUp(cause=FailureCause.AT_MOST_ONCE, explanation="at most once: not tried again")
    return decision


def _trial(attempt: Attempt) -> Trial:
    return Trial(
        number=attempt.tries,
        scheduled_at=attempt.opened_at or attempt.id.run.scheduled_at,
        seed=str(attempt.id),
        failed_at=attempt.failed_at,
    )


def _end_of_failure(failure: Failure, gave_up: GiveUp | None) -> tuple[RunState, Reason]:
    failed = RunState.TIMED_OUT if failure.kind is FailureKind.TIMEOUT else RunState.FAILED
    if gave_up is None:
        return failed, Reason.RETRIED
    match gave_up.cause:
        case FailureCause.PERMANENT:
            return RunState.FAILED, Reason.PERMANENT
        case FailureCause.AT_MOST_ONCE:
            return failed, Reason.AT_MOST_ONCE
        case FailureCause.EXHAUSTED:
            return RunState.DEAD_LETTERED, Reason.RETRIES_EXHAUSTED
        case FailureCause.BREAKER:
            return RunState.DEAD_LETTERED, Reason.BREAKER_OPENED
        case FailureCause.WINDOW:
            return RunState.DEAD_LETTERED, Reason.RETRY_WINDOW_CLOSED


def calls_off(attempt: Attempt) -> bool:
    """Tell if a caller asked to cancel the run, so that its DAG run must stop."""
    asked = attempt.state is RunState.RUNNING and attempt.cancel_requested
    return asked and attempt.dag_run is not None
