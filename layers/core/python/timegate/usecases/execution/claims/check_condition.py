"""Checking a condition: whether a run that is due may begin is asked before a worker holds it."""

from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum, auto

from timegate.domain.execution.call import Call
from timegate.domain.execution.condition_checks import Go, Never, NotNow, cleared, judge, question
from timegate.domain.execution.notices import listening
from timegate.domain.jobs.condition import TIMEOUT_SECONDS
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.runs.conclusion import end
from timegate.domain.runs.run import Reason, RunState
from timegate.ports.call_runner import TargetFailed
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.execution.claims.consider_run import Conditional
from timegate.usecases.execution.claims.reroute_run import reroute_run
from timegate.usecases.execution.target_refusals import tell_refused_call
from timegate.usecases.limits.overlap_releases import leave_line
from timegate.usecases.services.execution_services import Execution


class ConditionAnswer(Enum):
    """Result of asking a condition."""

    #: It may be claimed.
    BEGIN = auto()
    #: It waits, is skipped or is offered to workers, on record.
    SETTLED = auto()
    #: This worker has to stop, and knows nothing.
    LEFT = auto()


def check_condition(conditional: Conditional, execution: Execution) -> ConditionAnswer:
    """Ask, not before the run is due, and record what follows; raises ``Throttled``.

    No lease is held meanwhile: the message hides the run, and a second worker that asks is a
    duplicate that the claim finds.
    """
    attempt = conditional.attempt
    execution.clock.wait_until(attempt.due_at)
    asked_at = execution.clock.now()
    if execution.must_stop(asked_at):
        return ConditionAnswer.LEFT
    answered, failure = _ask(conditional, execution, asked_at)
    if not answered:
        return ConditionAnswer.LEFT
    if failure is not None:
        tell_refused_call(attempt, failure, execution.telemetry)
    now = execution.clock.now()
    verdict = judge(conditional.condition, attempt, failure, now=now)
    execution.telemetry.count(run_metrics.CONDITIONS_CHECKED)
    took_ms = (now - asked_at) / timedelta(milliseconds=1)
    execution.telemetry.measure(run_metrics.CONDITION_MS, took_ms)
    match verdict:
        case Go():
            return _begin(conditional, execution, now)
        case NotNow():
            recorded = execution.runs.replace(attempt, verdict.waiting)
            execution.telemetry.count(run_metrics.RUNS_PUT_OFF, int(recorded))
        case Never():
            recorded = _skip(conditional, verdict, execution, now)
    # It blocks no other run any more, or meanwhile.
    leave_line(attempt, conditional.job, execution, now=now)
    execution.telemetry.event(
        run_events.CONDITION_REFUSED,
        **of_run(attempt),
        verdict=type(verdict).__name__,
        code=failure.code if failure is not None else None,
        recorded=recorded,
    )
    return ConditionAnswer.SETTLED


def _ask(
    conditional: Conditional, execution: Execution, now: datetime
) -> tuple[bool, Failure | None]:
    """Ask the condition; return if it answered, and the failure. A late answer counts as none."""
    attempt, job = conditional.attempt, conditional.job
    deadline_at = min(now + timedelta(seconds=TIMEOUT_SECONDS), execution.stops_at)
    action, document = question(conditional.condition, job, attempt, now=now)
    call = Call(
        tenant=attempt.tenant,
        attempt=attempt.id,
        fence=attempt.fence,
        scheduled_at=attempt.id.run.scheduled_at,
        deadline_at=deadline_at,
        action=action,
        payload=document,
        purpose="before",
        refused=attempt.checks.refused if attempt.checks is not None else 0,
        trace=attempt.trace,
    )
    work = execution.call_runner.start(call)
    if not work.wait(deadline_at):
        stopped = execution.must_stop(execution.clock.now())
        return not stopped, None if stopped else _silence()
    try:
        work.answer()
    except TargetFailed as failed:
        return True, failed.failure
    return True, None


def _silence() -> Failure:
    return Failure(
        kind=FailureKind.TIMEOUT,
        code="timeout",
        type="TimedOut",
        message=f"No answer within {TIMEOUT_SECONDS} s.",
    )


def _begin(conditional: Conditional, execution: Execution, now: datetime) -> ConditionAnswer:
    """By this worker, unless its job's runs are offered in a pool: there it goes now."""
    offer = conditional.job.timing.offer
    if offer is None:
        return ConditionAnswer.BEGIN
    reroute_run(cleared(conditional.attempt), offer, execution, now=now)
    return ConditionAnswer.SETTLED


def _skip(conditional: Conditional, never: Never, execution: Execution, now: datetime) -> bool:
    attempt = listening(conditional.attempt, conditional.job)
    ended = end(attempt, RunState.SKIPPED, now=now, reason=Reason.CONDITION)
    recorded = execution.runs.replace(attempt, replace(ended, explanation=never.explanation))
    execution.telemetry.count(run_metrics.RUNS_SKIPPED, int(recorded))
    return recorded
