"""Recording how a run ended: always under its fence, always before the message is acknowledged."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.jobs.delivery import KeptAnswer
from timegate.domain.jobs.retry import Failure, FailureKind
from timegate.domain.runs.conclusion import Conclusion, end, fail, lose_payload, succeed
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.values.errors import LeaseLost, Throttled
from timegate.domain.values.instants import rfc3339
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import lines_of_ends
from timegate.usecases.execution.claims.start_lags import measure_start
from timegate.usecases.execution.hand_back import PayloadLost
from timegate.usecases.execution.keep_result import keep_result
from timegate.usecases.execution.stop_target import stop_target
from timegate.usecases.execution.supervise_run import (
    CallFailed,
    Known,
    Recorded,
    Stopped,
    Succeeded,
)
from timegate.usecases.execution.target_refusals import tell_refused_call
from timegate.usecases.limits.keep_pace import heed_target
from timegate.usecases.limits.overlap_releases import release_slot
from timegate.usecases.limits.refuse_run import count_prevented
from timegate.usecases.limits.tallied_ends import counted_as, is_notice
from timegate.usecases.runs.store_conclusion import store_conclusion
from timegate.usecases.services.completions import Completions
from timegate.usecases.services.execution_services import Claimed, Execution
from timegate.usecases.services.retry_until_deadline import patiently

_METRICS = {
    RunState.SUCCEEDED: run_metrics.RUNS_SUCCEEDED,
    RunState.FAILED: run_metrics.RUNS_FAILED,
    RunState.TIMED_OUT: run_metrics.RUNS_TIMED_OUT,
    RunState.CANCELLED: run_metrics.RUNS_CANCELLED,
    RunState.DEAD_LETTERED: run_metrics.RUNS_DEAD_LETTERED,
}


def record_ending(
    claimed: Claimed, ending: Recorded, execution: Execution, completions: Completions
) -> Attempt:
    """Store the end and, where the policy asks for one, the retry; raises ``LeaseLost``."""
    if isinstance(ending, CallFailed):
        heed_target(claimed, ending.failure, execution)
        tell_refused_call(claimed.attempt, ending.failure, execution.telemetry)
    now = execution.clock.now()
    if isinstance(ending, Stopped):
        # Before the end is on record: the sweeper that finds this worker dead does it again.
        stop_target(claimed.attempt, claimed.job, execution, now=now)
    conclusion = _store(_conclude(claimed, ending, execution), execution, completions)
    if conclusion is None:
        raise LeaseLost(str(claimed.attempt.id))
    if isinstance(ending, CallFailed) and _leaves_behind(ending.failure, conclusion.ended):
        stop_target(claimed.attempt, claimed.job, execution, now=now)
    now = execution.clock.now()
    release_slot(claimed.attempt, claimed.lease, claimed.job, execution, now=now)
    if isinstance(ending, Known):
        count_prevented(claimed.attempt, execution)
    _report(conclusion, execution)
    return conclusion.ended


def _leaves_behind(failure: Failure, ended: Attempt) -> bool:
    """Its time is up, or it was cancelled meanwhile, and no attempt follows that would go on."""
    out_of_time = failure.kind is FailureKind.TIMEOUT
    return ended.ends_run and (out_of_time or ended.state is RunState.CANCELLED)


def _conclude(claimed: Claimed, ending: Recorded, execution: Execution) -> Conclusion:
    attempt, now = claimed.attempt, execution.clock.now()
    match ending:
        case Succeeded(started_at=started_at, answer=answer):
            ended = succeed(attempt, started_at=started_at, now=now, result=answer.text)
            ended = keep_result(ended, answer, execution)
            return Conclusion(ended=ended, retry=None, explanation="done")
        case Known(answer=kept):
            return _conclude_known(attempt, kept, now)
        case Stopped(started_at=started_at):
            stopped = end(attempt, RunState.CANCELLED, now=now, reason=Reason.CANCEL_REQUESTED)
            stopped = replace(stopped, started_at=started_at)
            return Conclusion(ended=stopped, retry=None, explanation="cancelled")
        case PayloadLost(path=path):
            return lose_payload(attempt, path, now=now)
        case CallFailed(started_at=started_at, failure=failure):
            policy = claimed.job.retry
            return fail(attempt, failure, policy, started_at=started_at, now=now)


def _conclude_known(attempt: Attempt, kept: KeptAnswer, now: datetime) -> Conclusion:
    ended = succeed(attempt, started_at=None, now=now, result=kept.text)
    explanation = (
        f"not executed again: the answer to the call under fence {kept.fence} was on record,"
        f" from {rfc3339(kept.at)}"
    )
    ended = replace(ended, explanation=explanation)
    return Conclusion(ended=ended, retry=None, explanation=explanation)


def _store(
    conclusion: Conclusion, execution: Execution, completions: Completions
) -> Conclusion | None:
    """Store the conclusion, with retries: without the record the target would be called again."""
    try:
        if conclusion.retry is None:
            return conclusion if completions.finish(conclusion.ended) else None
        completions.leave()
        return _store_alone(conclusion, execution)
    except Throttled:
        return patiently(lambda: _store_alone(conclusion, execution), execution)


def _store_alone(conclusion: Conclusion, execution: Execution) -> Conclusion | None:
    stored = store_conclusion(conclusion, execution.runs)
    for fields in lines_of_ends([stored.ended] if stored is not None else []):
        execution.telemetry.event(run_events.RUN_ENDED, **fields)
    return stored


def _report(conclusion: Conclusion, execution: Execution) -> None:
    ended = conclusion.ended
    execution.telemetry.count(counted_as(ended, _METRICS[ended.state]))
    if conclusion.retry is not None:
        execution.telemetry.count(counted_as(ended, run_metrics.RUNS_RETRIED))
    if ended.started_at is not None and not is_notice(ended):
        measure_start(ended, ended.started_at, execution.telemetry)
