"""Planning: which runs a job's schedule asks for, up to the end of the look-ahead."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from timegate.domain.catch_up import planned_until
from timegate.domain.gate import first_state, is_direct
from timegate.domain.identity import AttemptId, Origin, RunId
from timegate.domain.job import JobStatus, Precision, Timing
from timegate.domain.ledger import Gap, gap_of
from timegate.domain.recurrence import jitter, next_fire
from timegate.domain.restrictions import UNRESTRICTED, Restrictions
from timegate.domain.run import Attempt, Reason
from timegate.domain.steps import Decided, LeftOut, Runs, next_step
from timegate.domain.watch import first_watch

#: Steps of one job in one go. What remains is next: a job that fell weeks behind is caught up over
#: several ticks and does not delay its neighbours.
MAX_STEPS = 5
#: Instants that calendars leave out are decided so far ahead: an hour's worth for one record. A
#: calendar that is changed later than that lets them run.
EXCLUDED_AHEAD = timedelta(hours=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class Plan:
    """The next runs of a job, and where the job stands once they are stored."""

    attempts: tuple[Attempt, ...]
    next_run_at: datetime | None
    runs_planned: int
    #: Instants that the job's calendars leave out.
    gaps: tuple[Gap, ...] = ()

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


def plan_runs(
    timing: Timing,
    *,
    now: datetime,
    until: datetime,
    restrictions: Restrictions = UNRESTRICTED,
) -> Plan:
    """The runs due from the job's next instant to ``until`` inclusive, at most a step's worth.

    Instants that the job's calendars leave out become gaps.
    """
    decided, following = next_step(
        timing,
        until=planned_until(timing, until, now=now, restrictions=restrictions),
        horizon=planned_until(
            timing, max(until, now + EXCLUDED_AHEAD), now=now, restrictions=restrictions
        ),
        restrictions=restrictions,
    )
    attempts = _attempts(timing, decided, now=now, exhausts_job=following is None)
    left_out = [each.span for each in decided if isinstance(each, LeftOut)]
    return Plan(
        attempts=attempts,
        next_run_at=following,
        runs_planned=timing.runs_planned + len(attempts),
        gaps=tuple(gap_of(timing, span, Reason.EXCLUDED, now=now) for span in left_out),
    )


def _attempts(
    timing: Timing, decided: Sequence[Decided], *, now: datetime, exhausts_job: bool
) -> tuple[Attempt, ...]:
    runs = [each for each in decided if isinstance(each, Runs)]
    return tuple(
        first_attempt(
            timing,
            Origin.SCHEDULE,
            run.instant,
            now=now,
            due_at=_spread(timing, run),
            final=exhausts_job and run is runs[-1],
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
        direct=direct,
        offer=timing.offer,
    )


def left_to_stream(attempt: Attempt, *, now: datetime) -> Attempt:
    """A new attempt that the stream publishes, and not its creator."""
    watch_at = first_watch(attempt.state, attempt.due_at, now=now)
    return replace(attempt, direct=False, watch_at=watch_at)


def _spread(timing: Timing, run: Runs) -> datetime:
    """Jitter moves the start, never the nominal instant; the sub-second lane asks for exactness."""
    seconds = timing.schedule.jitter_seconds
    if not seconds or timing.precision is Precision.SUBSECOND:
        return run.at
    behind = run.following is not None and run.following <= run.at
    return run.at + jitter(timing.job_id, run.at, seconds, None if behind else run.following)
