"""Supervising one run: start it on time, heartbeat while it works, stop it at its deadline."""

from datetime import datetime, timedelta
from enum import Enum, auto
from math import ceil

from timegate.domain.actions.callbacks import ACCEPT_SECONDS
from timegate.domain.actions.kinds.dag import DagAction
from timegate.domain.execution.call import Answer, Call, ReportTerms, Resume
from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.jobs.slices import Continuation
from timegate.domain.pools.lease_token import issue_callback_token
from timegate.domain.runs.checkpoint import SILENCE, Report
from timegate.domain.runs.watch import LEASE_SLACK, look_limit, message_returns
from timegate.domain.values.errors import LeaseLost, Throttled
from timegate.ports.call_runner import TargetFailed, Work
from timegate.ports.runs.held_leases import HeldByDagRun
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.execution.hand_back import PayloadLost
from timegate.usecases.execution.known_answer import known_answer
from timegate.usecases.execution.resumption import check_continuation, resumption
from timegate.usecases.limits.overlap_claims import renew_slot
from timegate.usecases.runs.store_payload import payload_to_send
from timegate.usecases.services.execution_services import Claimed, Execution
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Succeeded:
    """The target answered."""

    started_at: datetime
    answer: Answer


@dataclass(frozen=True, kw_only=True, slots=True)
class CallFailed:
    """The target refused, broke, or took too long."""

    started_at: datetime
    failure: Failure


@dataclass(frozen=True, kw_only=True, slots=True)
class Stopped:
    """A cancel was seen at a heartbeat."""

    started_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Known:
    """An earlier call of the same run was answered: the target was not called again."""

    answer: KeptAnswer


@dataclass(frozen=True, kw_only=True, slots=True)
class LetGo:
    """The worker has to stop; another one begins the run anew."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sliced:
    """The target has more to do: this slice ends, and the run goes on in another."""

    started_at: datetime
    continuation: Continuation


@dataclass(frozen=True, kw_only=True, slots=True)
class HandedOver:
    """The target has accepted the run: it works on by itself, and says how it ended."""

    started_at: datetime
    #: How long it may be silent.
    silence_seconds: int
    #: To which DAG run.
    to: HeldByDagRun | None = None


Recorded = Succeeded | CallFailed | Stopped | Known | PayloadLost
Ending = Recorded | Sliced | LetGo | HandedOver


def supervise_run(claimed: Claimed, execution: Execution) -> Ending:
    """Execute a claimed run; raises ``LeaseLost`` when a heartbeat finds it is no longer ours.

    Raises ``BlobMissing`` and ``Throttled`` only before the target was called.
    """
    if (known := known_answer(claimed, execution)) is not None:
        return Known(answer=known)
    try:
        payload = payload_to_send(claimed.job, claimed.attempt, execution.blobs)
    except TargetFailed as refused:
        return CallFailed(started_at=execution.clock.now(), failure=refused.failure)
    return _supervised(claimed, payload, execution)


def _supervised(claimed: Claimed, payload: str | None, execution: Execution) -> Ending:
    resume = resumption(claimed, execution)
    execution.clock.wait_until(claimed.attempt.due_at)
    started_at = execution.clock.now()
    # A process may have stood still since its claim: then the run may be another worker's.
    if execution.must_stop(started_at) or claimed.lease.expires_at <= started_at:
        return LetGo()
    if isinstance(claimed.job.action, DagAction):
        return _leave_to_dag_run(claimed, claimed.job.action, payload, execution)
    call = _call(claimed, payload, resume, started_at)
    work = execution.call_runner.start(call)
    if (ending := _watch(work, claimed, call, execution, started_at)) is not None:
        return ending
    try:
        return _ending_of(work.answer(), call, claimed, execution, started_at)
    except TargetFailed as failed:
        return CallFailed(started_at=started_at, failure=failed.failure)


def _leave_to_dag_run(
    claimed: Claimed, action: DagAction, payload: str | None, execution: Execution
) -> Ending:
    from timegate.usecases.dag_runs.starting.do_run import do_run  # noqa: PLC0415 - few jobs

    now = execution.clock.now()
    try:
        held = do_run(claimed, action, payload, execution, now=now)
    except TargetFailed as failed:
        return CallFailed(started_at=now, failure=failed.failure)
    silence = held.deadline_at - now + LEASE_SLACK * 2
    return HandedOver(started_at=now, silence_seconds=ceil(silence.total_seconds()), to=held)


def _ending_of(
    answer: Answer, call: Call, claimed: Claimed, execution: Execution, started_at: datetime
) -> Ending:
    if answer.accepted and call.callback is not None:
        return HandedOver(started_at=started_at, silence_seconds=call.callback.silence_seconds)
    if answer.continuation is None:
        return Succeeded(started_at=started_at, answer=answer)
    check_continuation(answer.continuation, claimed.job, now=execution.clock.now())
    return Sliced(started_at=started_at, continuation=answer.continuation)


def heartbeat(
    claimed: Claimed,
    execution: Execution,
    *,
    now: datetime,
    report: Report = SILENCE,
    by_target: bool = False,
) -> bool:
    """Hold on for another lease; whether a cancel was requested; raises ``LeaseLost``.

    ``by_target``: it is the target that asks, which works on by itself. With a report, raises
    ``CheckpointOutdated`` as well.
    """
    expires_at = now + execution.lease_length
    if not claimed.runs_once:
        # The message first: at every moment it is hidden longer than the lease lives.
        execution.keep_hidden([claimed.delivery.receipt])
    # Then the slot: a lease never outlives it, so those alive are never more than the slots.
    renew_slot(claimed, execution, now=now, expires_at=expires_at)
    return execution.runs.extend(
        claimed.attempt,
        expires_at=expires_at,
        report=report,
        handed_over_at=now if by_target else None,
        watch_at=_nearer_look(claimed, expires_at, by_target=by_target),
    )


def _nearer_look(claimed: Claimed, expires_at: datetime, *, by_target: bool) -> datetime | None:
    """The look follows a lease by itself, unless this is shorter, or the run rested in a freeze."""
    known, returns = claimed.attempt.watch_at, not by_target and message_returns(claimed.attempt)
    limit = look_limit(expires_at, returns=returns, finish=claimed.attempt.finish)
    is_far = expires_at < claimed.lease.expires_at or (known is not None and known > limit)
    return limit if is_far else None


def _watch(
    work: Work, claimed: Claimed, call: Call, execution: Execution, started_at: datetime
) -> Ending | None:
    """Heartbeat until the work ends (``None``), is cancelled, is let go, or is out of time."""
    interval = execution.heartbeat_interval
    # A lease may be old by now: the first heartbeat leaves time for others that are not answered.
    beat_at = min(started_at + interval, claimed.lease.expires_at - interval)
    while not work.wait(min(beat_at, call.deadline_at, execution.stops_at)):
        now = execution.clock.now()
        if now >= call.deadline_at:
            return CallFailed(started_at=started_at, failure=_unanswered(claimed, call))
        if execution.must_stop(now):
            return let_go(claimed, started_at)
        if now < beat_at:
            continue
        heard = _listen(claimed, execution, now)
        if heard is _Heard.CANCEL:
            return Stopped(started_at=started_at)
        beat_at = _next_beat(heard, execution, now)
    return None


class _Heard(Enum):
    """Result of a heartbeat."""

    RENEWED = auto()
    CANCEL = auto()
    #: The store was too busy to answer; the lease goes on for now.
    NOTHING = auto()
    #: Another worker has the run, but the answer to this call is still worth waiting for.
    LOST = auto()


def _listen(claimed: Claimed, execution: Execution, now: datetime) -> _Heard:
    try:
        cancelled = heartbeat(claimed, execution, now=now)
    except Throttled as error:
        execution.telemetry.count(run_metrics.HEARTBEATS_MISSED)
        execution.telemetry.event(
            run_events.HEARTBEAT_MISSED, **of_run(claimed.attempt), detail=str(error)
        )
        return _Heard.NOTHING
    except LeaseLost:
        if not claimed.keeps_answers:
            raise
        return _Heard.LOST
    return _Heard.CANCEL if cancelled else _Heard.RENEWED


def _next_beat(heard: _Heard, execution: Execution, now: datetime) -> datetime:
    if heard is _Heard.LOST:
        return execution.stops_at
    return now + execution.heartbeat_interval / (4 if heard is _Heard.NOTHING else 1)


def let_go(claimed: Claimed, started_at: datetime) -> CallFailed | LetGo:
    """Handed to another worker, unless it may not begin again."""
    if not claimed.runs_once:
        return LetGo()
    failure = Failure(
        kind=FailureKind.RETRYABLE,
        code="worker_stopped",
        type="WorkerStopped",
        message="Its worker had to stop before the target answered.",
    )
    return CallFailed(started_at=started_at, failure=failure)


def _call(
    claimed: Claimed, payload: str | None, resume: Resume | None, started_at: datetime
) -> Call:
    callback = _callback(claimed, started_at)
    deadline_at = claimed.lease.deadline_at
    if callback is not None:
        # It is not waited for: what takes longer is to be accepted, and done after that.
        deadline_at = min(deadline_at, started_at + timedelta(seconds=ACCEPT_SECONDS))
    return Call(
        tenant=claimed.attempt.tenant,
        attempt=claimed.attempt.id,
        fence=claimed.lease.fence,
        scheduled_at=claimed.attempt.id.run.scheduled_at,
        deadline_at=deadline_at,
        action=claimed.job.action,
        payload=payload,
        once=claimed.runs_once,
        resume=resume,
        parent=claimed.attempt.parent,
        callback=callback,
        link=claimed.link,
        trace=claimed.attempt.trace,
    )


def _callback(claimed: Claimed, started_at: datetime) -> ReportTerms | None:
    if (seconds := claimed.job.action.silence_seconds) is None:
        return None
    token = issue_callback_token(claimed.attempt, claimed_at=started_at, silence_seconds=seconds)
    return ReportTerms(token=token, silence_seconds=seconds, deadline_at=claimed.lease.deadline_at)


def _unanswered(claimed: Claimed, call: Call) -> Failure:
    if call.deadline_at >= claimed.lease.deadline_at:
        return too_long(claimed)
    return Failure(
        kind=FailureKind.TIMEOUT,
        code="not_accepted",
        type="TimedOut",
        message=f"The target did not accept the run within {ACCEPT_SECONDS} s.",
    )


def too_long(claimed: Claimed) -> Failure:
    """The failure of a run that has used its time."""
    return Failure(
        kind=FailureKind.TIMEOUT,
        code="timeout",
        type="TimedOut",
        message=f"No answer within {claimed.job.timeout_seconds} s.",
    )
