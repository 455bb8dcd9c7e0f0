"""Scenarios: outages, pauses and edits of jobs of every kind, some hours long."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import assume
from hypothesis import strategies as st

from tests.property.recurrence.strategies.schedule_strategies import ZONES, instants
from timegate.domain.jobs.catch_up import CatchUp, CatchUpPolicy
from timegate.domain.jobs.demands import Precision
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.recurrence.schedule import MEMBER_KINDS, Schedule, ScheduleKind
from timegate.domain.recurrence.validation import validate_schedule
from timegate.domain.simulation import Edit, Pause, Scenario, SimulatedJob, TimeSpan
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import job_id_from
from timegate.domain.values.instants import to_milliseconds

#: Kinds that name instants; a manual schedule refuses what scenarios give the others.
NAMING = tuple(kind for kind in ScheduleKind if kind is not ScheduleKind.MANUAL)
#: Often enough to be hit by what begins and ends meanwhile.
MOSTLY_OFTEN = (*(ScheduleKind.CRON, ScheduleKind.RATE) * 3, *NAMING)
#: The id of the first job that the API of the tests creates.
JOB_ID = job_id_from(b"seed 1")
PATTERNS = ["* * * * *", "*/7 * * * *", "5,50 * * * *", "15,45 30 * * * *", "30 2 * * *"]

FREQUENT = [
    Schedule(kind=ScheduleKind.CRON, cron="* * * * *"),
    Schedule(kind=ScheduleKind.CRON, cron="*/2 * * * *"),
    Schedule(kind=ScheduleKind.RATE, every_seconds=60),
    Schedule(kind=ScheduleKind.RATE, every_seconds=85),
    Schedule(kind=ScheduleKind.RATE, every_seconds=60, jitter_seconds=45),
    Schedule(kind=ScheduleKind.IMMEDIATE),
]
#: Most contend.
POLICIES = [
    OverlapPolicy.QUEUE,
    OverlapPolicy.REPLACE,
    OverlapPolicy.FORBID,
    OverlapPolicy.QUEUE,
    OverlapPolicy.REPLACE,
    OverlapPolicy.ALLOW,
]
#: Some are a multiple of the time between heartbeats, of each other, or of nothing.
DURATIONS = [90, 200, 61, 300, 40, 20, 1, 0]
windows = st.integers(1, 20_000)
#: With what their policies use.
catch_ups = (
    st.just(CatchUp(policy=CatchUpPolicy.SKIP))
    | st.builds(CatchUp, policy=st.just(CatchUpPolicy.LATEST), window_seconds=windows)
    | st.builds(
        CatchUp,
        policy=st.just(CatchUpPolicy.ALL),
        limit=st.integers(1, 60),
        window_seconds=windows,
    )
)


@st.composite
def schedules(
    draw: st.DrawFn,
    given_at: datetime,
    least_seconds: int = 10,
    kinds: Sequence[ScheduleKind] = NAMING,
) -> Schedule:
    """Draw a schedule of any kind; a recurring one recurs often enough to be hit by events."""
    kind = draw(st.sampled_from(kinds))
    match kind:
        case ScheduleKind.IMMEDIATE | ScheduleKind.MANUAL:
            return Schedule(kind=kind)
        case ScheduleKind.AT:
            at = given_at + draw(st.integers(0, 7200)) * timedelta(seconds=1)
            return Schedule(kind=kind, at=at)
        case ScheduleKind.DELAY:
            return Schedule(kind=kind, delay_seconds=draw(st.integers(0, 7200)))
        case ScheduleKind.CRON:
            zone = draw(st.sampled_from(ZONES))
            schedule = Schedule(kind=kind, cron=draw(st.sampled_from(PATTERNS)), timezone=zone)
        case ScheduleKind.RATE:
            schedule = Schedule(kind=kind, every_seconds=draw(st.integers(least_seconds, 1800)))
        case ScheduleKind.RRULE:
            zone, start = draw(st.sampled_from(ZONES)), given_at.replace(microsecond=0)
            rule = draw(st.sampled_from(["FREQ=MINUTELY;INTERVAL=10", "FREQ=HOURLY;BYMINUTE=0,30"]))
            schedule = Schedule(kind=kind, rrule=rule, starts_at=start, timezone=zone)
        case ScheduleKind.UNION:
            schedule = draw(unions(given_at, least_seconds))
    rates = [each.every_seconds for each in (schedule, *schedule.any_of) if each.every_seconds]
    jitter_seconds = min([draw(st.sampled_from([0, 0, 45])), *rates])
    return replace(schedule, jitter_seconds=jitter_seconds)


@st.composite
def unions(draw: st.DrawFn, given_at: datetime, least_seconds: int) -> Schedule:
    """Two or three of other kinds; all begin where a rule among them has to."""
    kinds = draw(st.lists(st.sampled_from(sorted(MEMBER_KINDS)), min_size=2, max_size=3))
    drawn = [draw(schedules(given_at, least_seconds, [kind])) for kind in kinds]
    plain = [replace(each, starts_at=None, jitter_seconds=0) for each in drawn]
    start = given_at.replace(microsecond=0) if ScheduleKind.RRULE in kinds else None
    schedule = Schedule(kind=ScheduleKind.UNION, any_of=tuple(plain), starts_at=start)
    assume(is_accepted(schedule, given_at))
    return schedule


def is_accepted(schedule: Schedule, now: datetime) -> bool:
    """Tell whether a job may have it: members that name nothing of their own are refused."""
    try:
        validate_schedule(schedule, now=now)
    except InvalidInput:
        return False
    return True


@st.composite
def scenarios(
    draw: st.DrawFn,
    *,
    least_minutes: int = 10,
    most_minutes: int = 600,
    edited: bool = True,
    ends: bool = True,
    kinds: Sequence[ScheduleKind] = NAMING,
) -> Scenario:
    """Draw anything that may happen to a job; without edits, or without an end, on request."""
    start = to_milliseconds(draw(instants).replace(microsecond=0))
    minutes = draw(st.integers(least_minutes, most_minutes))
    job = draw(jobs(start, minutes, edited=edited, ends=ends, kinds=kinds))
    return draw(surroundings(start, minutes, (job,)))


@st.composite
def crowded(draw: st.DrawFn) -> Scenario:
    """Up to three jobs whose runs are longer than the time between them; most share one key."""
    start = to_milliseconds(draw(instants).replace(microsecond=0))
    minutes = draw(st.sampled_from([45, 30, 20, 12]))
    numbers = range(1, draw(st.sampled_from([3, 2, 1])) + 1)
    given = tuple(draw(contenders(start, minutes, number)) for number in numbers)
    return draw(surroundings(start, minutes, given))


@st.composite
def bounded(draw: st.DrawFn) -> Scenario:
    """A job of a few runs that fires often, and pauses that skip runs planned ahead."""
    start = to_milliseconds(draw(instants).replace(microsecond=0))
    minutes = draw(st.sampled_from([45, 30, 20, 12]))
    job = draw(contenders(start, minutes, 1))
    schedule = draw(st.sampled_from(FREQUENT).filter(lambda each: each.is_recurring))
    places = draw(st.integers(1, 6))
    job = replace(
        job,
        schedule=replace(schedule, max_runs=places),
        # Pauses that end before the last place is used are the ones that give places back.
        pauses=draw(pauses(moments(start, min(minutes, 3 * places)))),
    )
    return draw(surroundings(start, minutes, (spread_or_exact(job),)))


@st.composite
def contenders(draw: st.DrawFn, start: datetime, minutes: int, number: int) -> SimulatedJob:
    """A job, known by its number, that fires often; what is done to it is the exception."""
    within = moments(start, minutes)
    overlap = Overlap(
        policy=draw(st.sampled_from(POLICIES)),
        max_concurrent=draw(st.sampled_from([1, 1, 2, 3])),
        concurrency_key=draw(st.sampled_from(["shared", "shared", None])),
    )
    seldom = st.sampled_from([False, False, True])
    job = SimulatedJob(
        name=f"job {number}",
        job_id=job_id_from(f"seed {number}".encode()),
        schedule=draw(st.sampled_from(FREQUENT)),
        created_at=start,
        anchored_at=start,
        catch_up=draw(catch_ups) if draw(seldom) else CatchUp(),
        overlap=overlap if overlap.policy is not OverlapPolicy.ALLOW else Overlap(),
        start_within_seconds=draw(st.integers(1, 600)) if draw(seldom) else None,
        precision=draw(st.sampled_from(Precision)),
        pauses=draw(pauses(within)) if draw(seldom) else (),
        edits=draw(edits(within, least_seconds=60)) if draw(seldom) else (),
        cancelled_at=draw(within) if draw(seldom) else None,
        run_seconds=tuple(draw(st.lists(st.sampled_from(DURATIONS), min_size=1, max_size=4))),
    )
    return spread_or_exact(job)


def spread_or_exact(job: SimulatedJob) -> SimulatedJob:
    """A job whose runs start to the millisecond has no jitter."""
    if job.precision is Precision.SECOND:
        return job
    exact = [replace(e, schedule=replace(e.schedule, jitter_seconds=0)) for e in job.edits]
    return replace(job, schedule=replace(job.schedule, jitter_seconds=0), edits=tuple(exact))


@st.composite
def surroundings(
    draw: st.DrawFn, start: datetime, minutes: int, given: tuple[SimulatedJob, ...]
) -> Scenario:
    """A scenario with these jobs."""
    within = moments(start, minutes)
    return Scenario(
        start=start,
        end=start + timedelta(minutes=minutes),
        jobs=given,
        planner_outages=draw(spans(within)),
        executor_outages=draw(spans(within)),
        tick_offset_seconds=draw(st.integers(0, 59)),
    )


@st.composite
def jobs(
    draw: st.DrawFn,
    start: datetime,
    minutes: int,
    *,
    edited: bool = True,
    ends: bool = True,
    kinds: Sequence[ScheduleKind] = NAMING,
) -> SimulatedJob:
    """A job, and what is done to it."""
    within = moments(start, minutes)
    job = SimulatedJob(
        schedule=draw(schedules(start, kinds=kinds)),
        created_at=start,
        anchored_at=start,
        catch_up=draw(catch_ups),
        start_within_seconds=draw(st.none() | st.integers(1, 3600)),
        precision=draw(st.sampled_from(Precision)),
        job_id=JOB_ID,
        pauses=draw(pauses(within)),
    )
    if edited:
        job = replace(job, edits=draw(edits(within)))
    if ends:
        limited = job.schedule
        if limited.is_recurring:
            limited = replace(limited, max_runs=draw(st.none() | st.integers(1, 30)))
        job = replace(job, schedule=limited, cancelled_at=draw(st.none() | within))
    return spread_or_exact(job)


def moments(start: datetime, minutes: int) -> st.SearchStrategy[datetime]:
    """Whole seconds within the range."""
    return st.integers(1, minutes * 60 - 1).map(lambda s: start + timedelta(seconds=s))


@st.composite
def spans(draw: st.DrawFn, within: st.SearchStrategy[datetime]) -> tuple[TimeSpan, ...]:
    """Outages, which may overlap."""
    ends = [sorted(draw(st.tuples(within, within))) for _ in range(draw(st.integers(0, 2)))]
    return tuple(TimeSpan(start=first, end=last) for first, last in ends if first < last)


@st.composite
def pauses(draw: st.DrawFn, within: st.SearchStrategy[datetime]) -> tuple[Pause, ...]:
    """Pauses one after the other; the last one may last."""
    at = sorted(draw(st.sets(within, max_size=4)))
    ends: list[datetime | None] = [*at[1:], None][: len(at)]
    return tuple(
        Pause(start=start, end=end, catch_up=end is not None and draw(st.booleans()))
        for start, end in list(zip(at, ends, strict=True))[::2]
    )


@st.composite
def edits(
    draw: st.DrawFn, within: st.SearchStrategy[datetime], least_seconds: int = 10
) -> tuple[Edit, ...]:
    """New schedules, in order."""
    at = sorted(draw(st.sets(within, max_size=2)))
    # Runs end on whole seconds here. A change that meets another write in its very millisecond
    # counts from the next one (``change_job``), which a simulation has no reason to.
    between = [instant + timedelta(milliseconds=500) for instant in at]
    return tuple(
        Edit(at=instant, schedule=draw(schedules(instant, least_seconds))) for instant in between
    )
