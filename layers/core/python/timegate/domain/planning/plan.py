"""Planning: which runs a job's schedule asks for, up to the end of the look-ahead."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from timegate.domain.jobs.catch_up import CatchUpPolicy
from timegate.domain.jobs.demands import Precision
from timegate.domain.jobs.job import JobStatus, Timing
from timegate.domain.ledger.ledger import Gap, gap_of
from timegate.domain.planning.catch_up import planned_until
from timegate.domain.planning.places import Places, is_recounted, with_planned
from timegate.domain.planning.roll_ahead import planned_ahead
from timegate.domain.planning.steps import (
    Decided,
    ExcludedInstants,
    RunningInstant,
    Step,
    next_step,
)
from timegate.domain.recurrence.fires import next_instant
from timegate.domain.recurrence.kinds.kind import InstantSeries
from timegate.domain.recurrence.spread import jitter
from timegate.domain.restrictions.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.runs.gate import first_state, is_direct
from timegate.domain.runs.run import Attempt, Reason
from timegate.domain.runs.watch import first_watch
from timegate.domain.values.identity import AttemptId, Origin, RunId
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: Steps of one job in one go. The rest comes next: a job that fell weeks behind is caught up over
#: several ticks and does not delay its neighbours.
MAX_STEPS = 5
#: Instants that calendars leave out are decided so far ahead: an hour's worth for one record. A
#: calendar that is changed later than that lets them run.
EXCLUDED_AHEAD = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Reopening:
    """The extent to which a plan reopens runs that a pause skipped."""

    #: Those from this instant on are to follow; ``None``: all are.
    following: datetime | None
    #: A run of the job is still to end.
    waits: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """The next runs of a job, and where the job stands once they are stored."""

    attempts: tuple[Attempt, ...]
    next_run_at: datetime | None
    runs_planned: int
    #: Runs that the timing of a job with ``max_runs`` counts.
    runs_begun: int = 0
    counted_until: datetime | None = None
    uncounted: tuple[datetime, ...] = ()
    #: Its counts are stored, although nothing is planned.
    recounts: bool = False
    full: bool = False
    #: All runs that ``max_runs`` allows have begun and ended.
    completes: bool = False
    #: Instants that the job's calendars leave out.
    gaps: tuple[Gap, ...] = ()
    #: Progress of a plan that reopens runs, and plans nothing else.
    reopening: Reopening | None = None

    @property
    def exhausts_job(self) -> bool:
        """The schedule names no instant beyond these runs."""
        return self.next_run_at is None

    @property
    def status_after(self) -> JobStatus:
        """A schedule that ends without a further run has no last run to complete its job."""
        waits = self.reopening is not None and self.reopening.waits
        ends_now = self.exhausts_job and not self.attempts and not self.full and not waits
        return JobStatus.COMPLETED if ends_now or self.completes else JobStatus.ACTIVE

    def moves(self, timing: Timing) -> bool:
        """Tell if the plan changes the job's timing."""
        moved = (self.next_run_at, self.full) != (timing.next_run_at, timing.full)
        return moved or self.completes or self.recounts

    def as_stored(self, new: Collection[Attempt]) -> "Plan":
        """The plan as it is stored where only these of its runs are new.

        A run that an earlier schedule planned does not say that it is the last one. So a job whose
        last run was stored before waits for it, and its planner completes it.
        """
        last = self.attempts[-1] if self.attempts else None
        if last is None or not last.final or self.full or last in new:
            return self
        return replace(self, full=True, counted_until=last.id.run.scheduled_at - MILLISECOND)

    def after(self, timing: Timing) -> Timing:
        """The timing once the plan is stored."""
        paused_at, reopens_from = timing.paused_at, timing.reopens_from
        if self.reopening is not None:
            reopens_from = self.reopening.following
            paused_at = paused_at if reopens_from is not None else None
        return replace(
            timing,
            paused_at=paused_at,
            reopens_from=reopens_from,
            status=self.status_after,
            next_run_at=self.next_run_at,
            runs_planned=self.runs_planned,
            runs_begun=self.runs_begun,
            counted_until=self.counted_until,
            uncounted=self.uncounted,
            full=self.full,
            announced=None,
        )


def first_fire(timing: Timing, *, after: datetime) -> datetime | None:
    """The first instant later than ``after`` that the schedule and ``max_runs`` still allow.

    ``max_runs`` counts the runs that are known to have begun.
    """
    limit = timing.schedule.max_runs
    if limit is not None and timing.runs_begun >= limit:
        return None
    return next_instant(timing, after)


def plan_runs(
    timing: Timing,
    *,
    now: datetime,
    until: datetime,
    restrictions: Restrictions = UNRESTRICTED,
    places: Places | None = None,
) -> Plan:
    """The runs due from the job's next instant to ``until`` inclusive, at most a step's worth.

    Instants that the job's calendars leave out become gaps. ``places``: of a job with ``max_runs``,
    those that its runs hold.
    """
    planned, horizon = _reach(timing, now=now, until=until, restrictions=restrictions)
    step = next_step(
        timing,
        until=planned,
        horizon=horizon,
        restrictions=restrictions,
        places=places,
        late_before=_late_before(timing, now) if places is not None else None,
    )
    decided = [_unless_missed(timing, each, now) for each in step.decided]
    ends = step.following is None or step.is_full
    attempts = _attempts(timing, decided, now=now, exhausts_job=ends)
    left_out = [each for each in decided if isinstance(each, ExcludedInstants)]
    plan = Plan(
        attempts=attempts,
        next_run_at=step.following,
        runs_planned=timing.runs_planned + len(attempts),
        gaps=tuple(
            gap_of(timing, each.span, each.reason, now=now, rolled_to=each.rolled_to)
            for each in left_out
        ),
    )
    if places is None:
        return plan
    recounts = is_recounted(timing, places, now=now, until=until)
    return replace(_with_places(plan, places, step), recounts=recounts)


def _reach(
    timing: Timing, *, now: datetime, until: datetime, restrictions: Restrictions
) -> tuple[datetime, datetime]:
    """Return the ends up to which runs are planned and instants left out."""
    farthest = max(until, now + EXCLUDED_AHEAD)
    planned, horizon = (
        planned_until(timing, each, now=now, restrictions=restrictions)
        for each in (until, farthest)
    )
    if planned_until(timing, until, now=now) < until:
        # Missed instants come first.
        return planned, horizon
    ahead = planned_ahead(timing, until, restrictions)
    return _latest(planned, ahead), _latest(horizon, ahead)


def _late_before(timing: Timing, now: datetime) -> datetime | None:
    """Runs of before this moment have passed their start limit, jitter included."""
    within = timing.start_within_seconds
    if within is None:
        return None
    return now - timedelta(seconds=within + timing.schedule.jitter_seconds)


def _latest(until: datetime, ahead: datetime | None) -> datetime:
    return until if ahead is None else max(until, ahead)


def _unless_missed(timing: Timing, decided: Decided, now: datetime) -> Decided:
    """Leave out an instant whose rolled moment has passed, where the catch-up policy does.

    Its own instant may be still to come: the planner was down, or a calendar has changed since.
    """
    if isinstance(decided, ExcludedInstants) or not _is_late_roll(timing, decided, now):
        return decided
    policy = timing.catch_up
    in_time = now - decided.at <= timedelta(seconds=policy.window_seconds)
    if in_time and policy.policy is not CatchUpPolicy.SKIP:
        return decided
    span = InstantSeries(first=decided.instant, last=decided.instant, count=1)
    return ExcludedInstants(span=span, reason=Reason.MISSED_WINDOW)


def _is_late_roll(timing: Timing, run: RunningInstant, now: datetime) -> bool:
    was_decided = timing.decided_until is not None and run.instant <= timing.decided_until
    rolls = any(rule.roll is not None for rule in timing.calendars)
    return (
        rolls and not was_decided and run.at != run.instant and run.at < now - timing.catch_up.grace
    )


def _with_places(plan: Plan, places: Places, step: Step) -> Plan:
    plans = bool(plan.attempts) or bool(step.adopted)
    completes = not plans and places.are_used_up(step.following)
    return replace(
        plan,
        next_run_at=None if completes else plan.next_run_at,
        runs_begun=places.counted,
        counted_until=places.counted_until,
        uncounted=with_planned(places, plan.attempts),
        full=step.is_full or step.following is None,
        completes=completes,
    )


def _attempts(
    timing: Timing, decided: Sequence[Decided], *, now: datetime, exhausts_job: bool
) -> tuple[Attempt, ...]:
    runs = [each for each in decided if isinstance(each, RunningInstant)]
    return tuple(
        first_attempt(
            timing,
            Origin.SCHEDULE,
            run.instant,
            now=now,
            due_at=_spread(timing, run),
            final=exhausts_job and run is runs[-1],
            counted=timing.schedule.max_runs is not None,
        )
        for run in runs
    )


def first_attempt(
    timing: Timing,
    origin: Origin,
    instant: datetime,
    *,
    now: datetime,
    due_at: datetime | None = None,
    final: bool = False,
    counted: bool = False,
) -> Attempt:
    """The first attempt at the run of ``instant``; due then, unless it is spread to ``due_at``."""
    run = RunId(job_id=timing.job_id, origin=origin, scheduled_at=instant)
    due = due_at if due_at is not None else instant
    state, direct = first_state(due, now), is_direct(due, now)
    unsure = direct and timing.offer is None
    return Attempt(
        tenant=timing.tenant,
        id=AttemptId(run=run, number=1),
        state=state,
        job_version=timing.version,
        priority=timing.priority,
        resource_class=timing.resource_class,
        precision=timing.precision,
        due_at=due,
        created_at=now,
        watch_at=first_watch(state, due, now=now, direct=unsure),
        final=final,
        counted=counted,
        direct=direct,
        listed=timing.lists_runs,
        offer=timing.offer,
    )


def left_to_stream(attempt: Attempt, *, now: datetime) -> Attempt:
    """A new attempt that the stream publishes, and not its creator."""
    watch_at = first_watch(attempt.state, attempt.due_at, now=now)
    return replace(attempt, direct=False, watch_at=watch_at)


def _spread(timing: Timing, run: RunningInstant) -> datetime:
    """Jitter moves the start, never the nominal instant; the sub-second lane asks for exactness."""
    seconds = timing.schedule.jitter_seconds
    if not seconds or timing.precision is Precision.SUBSECOND:
        return run.at
    return run.at + jitter(timing.job_id, run.at, seconds, run.following)
