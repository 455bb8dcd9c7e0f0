"""Looking at what is overdue in the buckets of a shard, each record on its own account."""

from collections.abc import Sequence
from dataclasses import field
from datetime import datetime
from itertools import islice

from timegate.domain.dag_runs.run_identity import DagRunRef
from timegate.domain.dispatch.buckets import Reading
from timegate.domain.execution.late_starts import marked_late
from timegate.domain.execution.notices import as_governed
from timegate.domain.execution.restriction_check import put_off, rests_until, still_frozen
from timegate.domain.jobs.job import Job, Timing
from timegate.domain.planning.untallied import founds
from timegate.domain.pools.offered import is_offered_elsewhere
from timegate.domain.restrictions.restrictions import Restrictions
from timegate.domain.runs.gate import has_expired
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.runs.watch import (
    PATIENCE,
    Expire,
    LookAgain,
    Publish,
    QueueDepth,
    Verdict,
    awaits_outcomes,
    judge,
)
from timegate.domain.values.corrupt_record import DAMAGE
from timegate.domain.values.instants import milliseconds_between
from timegate.ports.clock import Clock
from timegate.ports.stores import AttemptRef, Loaded, Unreadable
from timegate.ports.telemetry import run_events, run_metrics
from timegate.ports.telemetry.telemetry import of_run
from timegate.usecases.dag_runs.touch_dag_run import touch_dag_run
from timegate.usecases.dispatch.look_later import Bucket, put_off_unreadable, show_again
from timegate.usecases.dispatch.setbacks import Setbacks
from timegate.usecases.outcomes.foresee_finish import foresee_one
from timegate.usecases.sweeping.carry_out_verdict import carry_out
from timegate.usecases.sweeping.end_orphan import end_orphan
from timegate.usecases.sweeping.measure_unread import measure_unread
from timegate.usecases.sweeping.step_answers import StepAnswers
from timegate.usecases.sweeping.sweeper_services import Sweeping
from timegate.usecases.sweeping.tell_of_lateness import tell_of_lateness
from timegate.value_classes import dataclass

#: Attempts looked at together: one read.
ATTEMPTS_PER_STEP = 25


@dataclass(kw_only=True, slots=True)
class Sweep:
    """One tick, or one look, under way."""

    shard: int
    sweeping: Sweeping
    clock: Clock
    #: Nothing begins after this.
    deadline: datetime
    looked_at: int = 0
    changed: int = 0
    #: Attempts among them whose worker, message or follow-up is missing.
    overdue: int = 0
    #: Errors over single records, which stay in their buckets.
    setbacks: Setbacks = field(default_factory=Setbacks)

    @property
    def is_over(self) -> bool:
        """Tell if nothing more may begin."""
        return self.clock.now() >= self.deadline


def sweep_buckets(minutes: Sequence[str], sweep: Sweep) -> Reading:
    """Look at all that is overdue in these buckets; those that were not found empty.

    A bucket that refuses to be read counts as one that is not empty.
    """
    found = Reading()
    for minute in minutes:
        if sweep.is_over:
            found.unread = minute
            break
        is_empty = False
        with sweep.setbacks.apart():
            is_empty = _is_empty(Bucket(minute, sweep.shard), sweep)
        if not is_empty or sweep.is_over:
            found.open.append(minute)
    return found


def _is_empty(bucket: Bucket, sweep: Sweep) -> bool:
    """Look at all that is overdue in a bucket while there is time; tell if that was nothing."""
    runs, until = sweep.sweeping.runs, sweep.clock.now()
    waiting, is_empty = runs.overdue(bucket.minute, bucket.shard, until=until), True
    while step := list(islice(waiting, ATTEMPTS_PER_STEP)):
        is_empty = False
        if sweep.is_over:
            break
        with sweep.setbacks.apart():
            _look_at(step, bucket, sweep)
    return is_empty


def _look_at(
    found: list[AttemptRef | DagRunRef | Unreadable], bucket: Bucket, sweep: Sweep
) -> None:
    """Settle what can be settled. A record that cannot be holds up no other one."""
    sweeping, clock = sweep.sweeping, sweep.clock
    answers = StepAnswers(sweeping)
    sweep.looked_at += len(found)
    for each in found:
        with sweep.setbacks.apart():
            if isinstance(each, Unreadable):
                _put_off(each, None, each.reason, bucket, sweeping, clock)
            if isinstance(each, DagRunRef):
                sweep.changed += touch_dag_run(
                    each, sweeping.dag_runs, sweeping.telemetry, now=clock.now()
                )
    refs = [each for each in found if isinstance(each, AttemptRef)]
    for ref, loaded in zip(refs, sweeping.runs.load_all(refs), strict=True):
        sweep.overdue += loaded.attempt is not None and not _is_planned(loaded.attempt)
        with sweep.setbacks.apart():
            sweep.changed += _settle_or_put_off(ref, loaded, bucket, answers, sweep)


def _is_planned(attempt: Attempt) -> bool:
    """Tell if nothing is overdue when an attempt is looked at, however many there are.

    A retry whose time comes is queued so, and an offer waits for its tenant's workers.
    """
    is_offered = attempt.state is RunState.QUEUED and attempt.offer is not None
    return attempt.state is RunState.WAITING or is_offered


def _settle_or_put_off(
    ref: AttemptRef,
    loaded: Loaded,
    bucket: Bucket,
    answers: StepAnswers,
    sweep: Sweep,
) -> bool:
    """Judge a record and write the verdict; one that is damaged is looked at later."""
    reason = loaded.unreadable
    if reason is None:
        try:
            return _settle(loaded, bucket, answers, sweep.sweeping, sweep.clock)
        except DAMAGE as damage:
            reason = repr(damage)
    _put_off(ref, loaded.attempt, reason, bucket, sweep.sweeping, sweep.clock)
    return False


def _put_off(
    found: AttemptRef | Unreadable,
    attempt: Attempt | None,
    reason: str,
    bucket: Bucket,
    sweeping: Sweeping,
    clock: Clock,
) -> None:
    runs, telemetry = sweeping.runs, sweeping.telemetry
    put_off_unreadable(found, attempt, reason, bucket, runs, telemetry, now=clock.now())


def _settle(
    loaded: Loaded,
    bucket: Bucket,
    answers: StepAnswers,
    sweeping: Sweeping,
    clock: Clock,
) -> bool:
    """Judge one attempt and write the verdict; ``False`` where there was nothing to change."""
    attempt, now = loaded.attempt, clock.now()
    if attempt is None or attempt.watch_at is None or attempt.watch_at > now:
        return False
    if awaits_outcomes(attempt):
        return show_again(attempt, bucket, sweeping.runs, sweeping.telemetry, now=now)
    job = as_governed(loaded.job, attempt)
    ended = _ended_unjudged(attempt, job, sweeping, clock)
    ended = _ended_offer(attempt, job, sweeping, now) if ended is None else ended
    if ended is not None:
        return ended
    attempt = foresee_one(attempt, job, sweeping, now=now)
    if has_expired(attempt, now):
        expire = Expire(explanation=answers.why_late(attempt, now=now))
        done = carry_out(expire, marked_late(attempt, job, at=now), job, sweeping, clock)
        _report(attempt, Expire.__name__, sweeping, done=done)
        return done
    attempt = tell_of_lateness(attempt, job, answers.load_of, sweeping, now=now)
    held = still_frozen(*_restrained(loaded, attempt), now=now)
    if held is not None:
        after = put_off(attempt, held, now=now)
        done = sweeping.runs.replace(attempt, after)
        verdict = "StillFrozen" if after.state is RunState.WAITING else "Thawed"
        _report(attempt, verdict, sweeping, done=done)
        return done
    rests = rests_until(*_restrained(loaded, attempt), now=now)
    if rests is not None:
        judged: Verdict = LookAgain(at=rests)
    else:
        judged = _judged(attempt, job, answers, sweeping, now)
    done = carry_out(judged, attempt, job, sweeping, clock)
    _report(attempt, type(judged).__name__, sweeping, done=done)
    return done


def _ended_offer(
    attempt: Attempt, job: Job | None, sweeping: Sweeping, now: datetime
) -> bool | None:
    """End an offer that its job refuses; ``None``: it is none, or its job wants it."""
    if attempt.offer is None:
        return None
    from timegate.usecases.sweeping.end_unwanted_offer import end_unwanted_offer  # noqa: PLC0415

    done = end_unwanted_offer(attempt, job, sweeping, now=now)
    if done is not None:
        _report(attempt, "Unwanted", sweeping, done=done)
    return done


def _ended_unjudged(
    attempt: Attempt, job: Job | None, sweeping: Sweeping, clock: Clock
) -> bool | None:
    """End what another region may have begun, and a run without a job; ``None``: it is neither."""
    lost_until = sweeping.lost_until()
    if lost_until is not None:
        from timegate.usecases.sweeping.leave_in_doubt import leave_in_doubt  # noqa: PLC0415

        done = leave_in_doubt(attempt, job, lost_until, sweeping, clock)
        if done is not None:
            _report(attempt, "InDoubt", sweeping, done=done)
            return done
    if job is not None or not founds(attempt) or attempt.fence > 0:
        return None
    done = end_orphan(attempt, sweeping, now=clock.now())
    _report(attempt, "Orphan", sweeping, done=done)
    return done


def _judged(
    attempt: Attempt, job: Job | None, answers: StepAnswers, sweeping: Sweeping, now: datetime
) -> Verdict:
    if attempt.state is RunState.QUEUED and is_offered_elsewhere(attempt, job):
        # No worker may come for it there any more, or the pool may be paused.
        return Publish(watch_at=now + PATIENCE)
    load = _queue_load(attempt, answers, sweeping, now)
    judged = judge(attempt, now=now, load=load)
    if isinstance(judged, Publish):
        measure_unread(attempt, load, sweeping.telemetry, now=now)
    return judged


def _queue_load(
    attempt: Attempt, answers: StepAnswers, sweeping: Sweeping, now: datetime
) -> QueueDepth:
    """That of a run which waits in a queue; no queue is asked about any other."""
    if attempt.state is not RunState.QUEUED:
        return QueueDepth.READY
    if answers.is_paused(attempt, now=now):
        return QueueDepth.READY
    if attempt.offer is not None:
        sweeping.telemetry.count(run_metrics.OFFERS_UNCLAIMED)
        sweeping.telemetry.measure(
            run_metrics.OFFER_AGE_MS, milliseconds_between(attempt.due_at, now)
        )
        return QueueDepth.READY
    load, lost_until = answers.load_of(attempt.queue_key), sweeping.lost_until()
    if load is QueueDepth.READY and lost_until is not None and attempt.created_at < lost_until:
        # Messages that wait here are none of the region before: a first look sends one.
        return QueueDepth.IN_FLIGHT
    return load


def _restrained(loaded: Loaded, attempt: Attempt) -> tuple[Timing | None, Attempt, Restrictions]:
    timing = loaded.job.timing if loaded.job is not None else None
    return timing, attempt, Restrictions(freezes=loaded.in_force.freezes)


def _report(attempt: Attempt, verdict: str, sweeping: Sweeping, *, done: bool) -> None:
    sweeping.telemetry.event(
        run_events.RUN_SWEPT,
        **of_run(attempt),
        state=attempt.state,
        verdict=verdict,
        done=done,
        held_by=attempt.lease.owner if attempt.lease is not None else None,
    )
