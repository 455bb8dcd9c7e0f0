"""Verdicts of the sweeper on an overdue attempt, carried out."""

from dataclasses import replace
from datetime import datetime

from timegate.domain.execution.notices import listening
from timegate.domain.jobs.job import Job
from timegate.domain.jobs.retry import Failure, FailureKind, RetryPolicy
from timegate.domain.pools.offered import is_offered_elsewhere
from timegate.domain.runs.conclusion import end, end_unworked, fail
from timegate.domain.runs.run import Attempt, Reason, RunState
from timegate.domain.runs.run_states import check_transition
from timegate.domain.runs.watch import (
    Abandon,
    BuryKiller,
    Expire,
    LookAgain,
    Publish,
    TimeOut,
    Verdict,
    looked_at_for_finish,
)
from timegate.ports.clock import Clock
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.limits.overlap_releases import release_slot
from timegate.usecases.limits.tallied_ends import counted_as
from timegate.usecases.runs.store_conclusion import store_conclusion
from timegate.usecases.sweeping.sweeper_services import Sweeping


def carry_out(
    verdict: Verdict, attempt: Attempt, job: Job | None, sweeping: Sweeping, clock: Clock
) -> bool:
    """Write what the sweeper decided about an attempt; ``False``: another writer was faster."""
    now = clock.now()
    match verdict:
        case LookAgain(at=at):
            # Putting off writes a queued image as well, and this one must not publish.
            quiet = attempt.direct or attempt.state is RunState.QUEUED
            later = replace(attempt, watch_at=at, direct=quiet)
            return sweeping.runs.replace(attempt, looked_at_for_finish(later, now=now))
        case Publish(watch_at=watch_at):
            return _queue_again(attempt, watch_at, job, sweeping, now)
        case BuryKiller(reason=reason):
            dead = end_unworked(attempt, RunState.DEAD_LETTERED, now=now, reason=reason)
            return end_dead(attempt, dead, job, sweeping, clock)
        case Abandon():
            state, reason = RunState.FAILED, Reason.WORKER_DIED
            dead = end_unworked(attempt, state, now=now, reason=reason)
            return end_dead(attempt, dead, job, sweeping, clock)
        case Expire(explanation=explanation):
            return _expire(attempt, explanation, job, sweeping, now)
        case TimeOut():
            return _time_out(attempt, job, sweeping, clock)


def end_dead(
    attempt: Attempt, dead: Attempt, job: Job | None, sweeping: Sweeping, clock: Clock
) -> bool:
    """Its worker is gone: no other actor would call the runs that wait for its slot."""
    ended = sweeping.runs.replace(attempt, dead)
    metric = (
        run_metrics.RUNS_FAILED if dead.state is RunState.FAILED else run_metrics.RUNS_DEAD_LETTERED
    )
    sweeping.telemetry.count(counted_as(dead, metric), int(ended))
    if ended and attempt.lease is not None:
        release_slot(attempt, attempt.lease, job, sweeping, now=clock.now())
    return ended


def _queue_again(
    attempt: Attempt, watch_at: datetime, job: Job | None, sweeping: Sweeping, now: datetime
) -> bool:
    """A queued image in the stream means "publish me", whether it is the first or another.

    An offer goes to the workers that its job names now.
    """
    if attempt.state is not RunState.QUEUED:
        check_transition(attempt.state, RunState.QUEUED)
    if attempt.state is RunState.RUNNING:
        sweeping.telemetry.count(run_metrics.LEASES_RESCUED)
    watched = replace(attempt, watch_at=watch_at)
    if job is not None and is_offered_elsewhere(attempt, job):
        watched = replace(watched, offer=job.timing.offer)
    queued = replace(watched, state=RunState.QUEUED, direct=False, lease=None)
    done = sweeping.runs.replace(attempt, looked_at_for_finish(queued, now=now))
    if queued.offer != attempt.offer:
        pool = queued.offer.pool if queued.offer is not None else None
        sweeping.telemetry.event(run_events.RUN_REROUTED, **of_run(attempt), pool=pool, done=done)
    return done


def _expire(
    attempt: Attempt, explanation: str | None, job: Job | None, sweeping: Sweeping, now: datetime
) -> bool:
    """End a run that no worker has claimed; no claim told it of its job's hooks."""
    heard = listening(attempt, job)
    ended = end(heard, RunState.SKIPPED, now=now, reason=Reason.EXPIRED)
    ended = replace(ended, explanation=explanation)
    done = sweeping.runs.replace(attempt, ended)
    sweeping.telemetry.count(counted_as(ended, run_metrics.RUNS_SKIPPED), int(done))
    return done


def _time_out(attempt: Attempt, job: Job | None, sweeping: Sweeping, clock: Clock) -> bool:
    failure = Failure(
        kind=FailureKind.TIMEOUT,
        code="timeout",
        type="TimedOut",
        message="The attempt outlived its timeout and was stopped by the sweeper.",
    )
    policy = job.retry if job is not None else RetryPolicy(max_attempts=1)
    concluded = fail(attempt, failure, policy, started_at=attempt.started_at, now=clock.now())
    sweeping.telemetry.count(counted_as(attempt, run_metrics.RUNS_TIMED_OUT))
    done = store_conclusion(concluded, sweeping.runs) is not None
    if done and attempt.lease is not None:
        release_slot(attempt, attempt.lease, job, sweeping, now=clock.now())
    return done
