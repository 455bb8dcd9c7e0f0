"""Planning: which runs a job's schedule asks for, up to the end of the look-ahead."""

from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from timegate.domain.catch_up import planned_until
from timegate.domain.gate import first_state, is_direct
from timegate.domain.identity import AttemptId, Origin, RunId
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import JobStatus, Precision, Timing
from timegate.domain.recurrence import fires_between, jitter, next_fire
from timegate.domain.run import Attempt
from timegate.domain.watch import first_watch

#: Runs one step materialises for one job: they are stored with the job's move, all or none, and a
#: transaction takes a hundred writes.
MAX_RUNS_PER_STEP = 99
#: Steps of one job in one go. What remains is next: a job that fell weeks behind is caught up over
#: several ticks and does not delay its neighbours.
MAX_STEPS = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """The next runs of a job, and where the job stands once they are stored."""

    attempts: tuple[Attempt, ...]
    next_run_at: datetime | None
    runs_planned: int

    @property
    def exhausts_job(self) -> bool:
        """The schedule names no instant beyond these runs."""
        return self.next_run_at is None

    @property
    def status_after(self) -> JobStatus:
        """A schedule that ends without a further run has no last run to complete its job."""
        ends_now = self.exhausts_job and not self.attempts
        return JobStatus.COMPLETED if ends_now else JobStatus.ACTIVE


def first_fire(timing: Timing, *, after: datetime) -> datetime | None:
    """The first instant later than ``after`` that the schedule and ``max_runs`` still allow."""
    limit = timing.schedule.max_runs
    if limit is not None and timing.runs_planned >= limit:
        return None
    return next_fire(timing.schedule, created_at=timing.anchored_at, after=after)


def plan_runs(timing: Timing, *, now: datetime, until: datetime) -> Plan:
    """The runs due from the job's next instant to ``until`` inclusive, at most a step's worth."""
    if timing.next_run_at is None:
        return Plan(attempts=(), next_run_at=None, runs_planned=timing.runs_planned)
    until = planned_until(timing, until, now=now)
    instants, following = _instants(timing, timing.next_run_at, until)
    attempts = tuple(
        first_attempt(
            timing,
            Origin.SCHEDULE,
            instant,
            now=now,
            due_at=_spread(timing, instant, after_it),
            final=after_it is None,
        )
        for instant, after_it in zip(instants, [*instants[1:], following], strict=False)
    )
    return Plan(
        attempts=attempts,
        next_run_at=following,
        runs_planned=timing.runs_planned + len(attempts),
    )


def first_attempt(
    timing: Timing,
    origin: Origin,
    instant: datetime,
    *,
    now: datetime,
    due_at: datetime | None = None,
    final: bool = False,
) -> Attempt:
    """The first attempt at the run of ``instant``; due then, unless it is spread to ``due_at``."""
    run = RunId(job_id=timing.job_id, origin=origin, scheduled_at=instant)
    due = due_at if due_at is not None else instant
    state = first_state(due, now)
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
        watch_at=first_watch(state, due, now=now),
        final=final,
        direct=is_direct(due, now),
    )


def _spread(timing: Timing, instant: datetime, next_instant: datetime | None) -> datetime:
    """Jitter moves the start, never the nominal instant; the sub-second lane asks for exactness."""
    seconds = timing.schedule.jitter_seconds
    if not seconds or timing.precision is Precision.SUBSECOND:
        return instant
    return instant + jitter(timing.job_id, instant, seconds, next_instant)


def _instants(
    timing: Timing, first: datetime, until: datetime
) -> tuple[list[datetime], datetime | None]:
    """The instants of this step, and the one after them."""
    step = MAX_RUNS_PER_STEP
    if timing.schedule.max_runs is not None:
        step = min(step, timing.schedule.max_runs - timing.runs_planned)
    # ``first`` itself is a fire: start a hair before it.
    fires = fires_between(
        timing.schedule, created_at=timing.anchored_at, after=first - MILLISECOND, until=until
    )
    instants = list(islice(fires, max(step, 0)))
    exhausted = (
        timing.schedule.max_runs is not None
        and timing.runs_planned + len(instants) >= timing.schedule.max_runs
    )
    if exhausted:
        return instants, None
    latest = instants[-1] if instants else first - MILLISECOND
    return instants, next_fire(timing.schedule, created_at=timing.anchored_at, after=latest)
