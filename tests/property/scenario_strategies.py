"""Scenarios: outages, pauses and edits of jobs of every kind, some hours long."""

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import strategies as st

from tests.property.schedule_strategies import ZONES, instants
from timegate.domain.identity import job_id_from
from timegate.domain.instants import to_milliseconds
from timegate.domain.job import CatchUp, CatchUpPolicy, Precision
from timegate.domain.schedule import Schedule, ScheduleKind
from timegate.domain.simulation import Edit, Pause, Scenario, Span

#: The id of the first job that the API of the tests creates.
JOB_ID = job_id_from(b"seed 1")
PATTERNS = ["* * * * *", "*/7 * * * *", "5,50 * * * *", "15,45 30 * * * *", "30 2 * * *"]

catch_ups = st.builds(
    CatchUp,
    policy=st.sampled_from(CatchUpPolicy),
    limit=st.integers(1, 60),
    window_seconds=st.integers(1, 20_000),
)


@st.composite
def schedules(draw: st.DrawFn, given_at: datetime) -> Schedule:
    """Of every kind; those that recur do so often enough to be hit by what happens."""
    kind = draw(st.sampled_from(ScheduleKind))
    match kind:
        case ScheduleKind.IMMEDIATE:
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
            schedule = Schedule(kind=kind, every_seconds=draw(st.integers(10, 1800)))
    return replace(schedule, jitter_seconds=draw(st.sampled_from([0, 0, 45])))


@st.composite
def scenarios(
    draw: st.DrawFn, *, most_minutes: int = 600, edited: bool = True, ends: bool = True
) -> Scenario:
    """Whatever may happen to a job; without edits, or without an end, if so asked."""
    start = to_milliseconds(draw(instants).replace(microsecond=0))
    minutes = draw(st.integers(10, most_minutes))
    within = st.integers(1, minutes * 60 - 1).map(lambda s: start + timedelta(seconds=s))
    scenario = Scenario(
        schedule=draw(schedules(start)),
        start=start,
        end=start + timedelta(minutes=minutes),
        created_at=start,
        anchored_at=start,
        catch_up=draw(catch_ups),
        start_within_seconds=draw(st.none() | st.integers(1, 3600)),
        precision=draw(st.sampled_from(Precision)),
        job_id=JOB_ID,
        planner_outages=draw(spans(within)),
        executor_outages=draw(spans(within)),
        pauses=draw(pauses(within)),
        tick_offset_seconds=draw(st.integers(0, 59)),
    )
    if edited:
        scenario = replace(scenario, edits=draw(edits(within)))
    scenario = spread_or_exact(scenario)
    if not ends:
        return scenario
    limited = scenario.schedule
    if limited.is_recurring:
        limited = replace(limited, max_runs=draw(st.none() | st.integers(1, 30)))
    return replace(scenario, schedule=limited, cancelled_at=draw(st.none() | within))


def spread_or_exact(scenario: Scenario) -> Scenario:
    """A job whose runs start to the millisecond has no jitter."""
    if scenario.precision is Precision.SECOND:
        return scenario
    exact = tuple(
        replace(e, schedule=replace(e.schedule, jitter_seconds=0)) for e in scenario.edits
    )
    return replace(scenario, schedule=replace(scenario.schedule, jitter_seconds=0), edits=exact)


@st.composite
def spans(draw: st.DrawFn, within: st.SearchStrategy[datetime]) -> tuple[Span, ...]:
    """Outages, which may overlap."""
    ends = [sorted(draw(st.tuples(within, within))) for _ in range(draw(st.integers(0, 2)))]
    return tuple(Span(start=first, end=last) for first, last in ends if first < last)


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
def edits(draw: st.DrawFn, within: st.SearchStrategy[datetime]) -> tuple[Edit, ...]:
    """New schedules, in order."""
    at = sorted(draw(st.sets(within, max_size=2)))
    # Runs end on whole seconds here. A change that meets another write in its very millisecond
    # counts from the next one (``change_job``), which a simulation has no reason to.
    between = [instant + timedelta(milliseconds=500) for instant in at]
    return tuple(Edit(at=instant, schedule=draw(schedules(instant))) for instant in between)
