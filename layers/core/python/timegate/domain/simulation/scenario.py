"""The scenario: a job, a range of time, and what goes wrong or is changed meanwhile."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice, pairwise

from timegate.domain.calendar import Calendar
from timegate.domain.errors import InvalidInput
from timegate.domain.freeze import Freeze
from timegate.domain.identity import JobId, job_id_from
from timegate.domain.instants import MILLISECOND
from timegate.domain.job import (
    CalendarRule,
    CatchUp,
    JobStatus,
    Precision,
    Priority,
    ResourceClass,
    Timing,
)
from timegate.domain.job_rules import check_jitter
from timegate.domain.recurrence import fires_between, validate_schedule
from timegate.domain.restrictions import Restrictions
from timegate.domain.schedule import Schedule
from timegate.domain.tenant import TenantId
from timegate.domain.transitions import opening_fire

#: More would take minutes, and nobody reads them.
MAX_INSTANTS = 20_000
_TENANT = TenantId("simulation")
_JOB = job_id_from(b"simulation")


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """A span of time: ``start`` belongs to it, ``end`` does not."""

    start: datetime
    end: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Pause:
    """The job is paused at ``start`` and resumed at ``end``; ``None``: it stays paused."""

    start: datetime
    end: datetime | None = None
    #: Resumed where the pause began: its catch-up policy decides about what passed.
    catch_up: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Edit:
    """The job is given another schedule."""

    at: datetime
    schedule: Schedule


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    """What is simulated. Instants are aware UTC datetimes with millisecond precision."""

    schedule: Schedule
    #: The rows of instants from ``start`` up to, and without, ``end``.
    start: datetime
    end: datetime
    #: The job is created then, not after ``start``.
    created_at: datetime
    #: Where delays and unanchored rates count from: earlier for a job that exists already.
    anchored_at: datetime
    #: Of a job that exists already: where it stands at ``created_at``.
    version: int = 1
    runs_planned: int = 0
    catch_up: CatchUp = field(default_factory=CatchUp)
    start_within_seconds: int | None = None
    precision: Precision = Precision.SECOND
    #: A run may take so long; ``None``: as long as it takes.
    timeout_seconds: int | None = None
    #: Jitter depends on it.
    job_id: JobId = _JOB
    #: No planner ticks.
    planner_outages: tuple[Span, ...] = ()
    #: No executor claims; what was published waits in its queue.
    executor_outages: tuple[Span, ...] = ()
    pauses: tuple[Pause, ...] = ()
    edits: tuple[Edit, ...] = ()
    cancelled_at: datetime | None = None
    #: What the job's calendars are, and are to it.
    calendars: tuple[Calendar, ...] = ()
    calendar_rules: tuple[CalendarRule, ...] = ()
    #: Each is known from its creation on, and that it is lifted from then on.
    freezes: tuple[Freeze, ...] = ()
    #: How long runs take, in the order they start; the last one holds for all that follow.
    run_seconds: tuple[float, ...] = (0.0,)
    #: The planner ticks so long after each full minute.
    tick_offset_seconds: float = 0.0
    look_ahead_seconds: int = 600
    #: How early a sub-second message reaches its executor.
    lead_seconds: float = 1.0


def created(scenario: Scenario) -> Timing:
    """The job of the scenario as it is created; raises ``InvalidInput`` when it never fires."""
    timing = Timing(
        tenant=_TENANT,
        job_id=scenario.job_id,
        version=scenario.version,
        status=JobStatus.ACTIVE,
        schedule=scenario.schedule,
        priority=Priority.NORMAL,
        resource_class=ResourceClass.SHORT,
        precision=scenario.precision,
        created_at=scenario.created_at,
        anchored_at=scenario.anchored_at,
        next_run_at=None,
        runs_planned=scenario.runs_planned,
        catch_up=scenario.catch_up,
        start_within_seconds=scenario.start_within_seconds,
        calendars=scenario.calendar_rules,
    )
    return replace(timing, next_run_at=opening_fire(timing, now=scenario.created_at))


def restrictions_at(scenario: Scenario, now: datetime) -> Restrictions:
    """What keeps its job from running, as far as it is known at ``now``."""
    known = (freeze for freeze in scenario.freezes if freeze.created_at <= now)
    return Restrictions(
        freezes=tuple(
            freeze
            if freeze.lifted_at is None or freeze.lifted_at <= now
            else replace(freeze, lifted_at=None)
            for freeze in known
        ),
        calendars={calendar.name: calendar for calendar in scenario.calendars},
    )


def check_scenario(scenario: Scenario, *, most_instants: int = MAX_INSTANTS) -> None:
    """Refuse what contradicts itself or is too much; raises ``InvalidInput`` naming the field."""
    if scenario.end <= scenario.start:
        _refuse("to", "ends_before_start", "It is not later than from.")
    if scenario.created_at > scenario.start:
        _refuse("created_at", "out_of_range", "It is later than from.")
    if scenario.anchored_at > scenario.created_at:
        _refuse("anchored_at", "out_of_range", "It is later than created_at.")
    _check_durations(scenario)
    validate_schedule(scenario.schedule, now=scenario.created_at)
    for schedule in (scenario.schedule, *(edit.schedule for edit in scenario.edits)):
        check_jitter(schedule, scenario.precision)
    _check_spans("planner.outages", scenario.planner_outages)
    _check_spans("executor.outages", scenario.executor_outages)
    _check_pauses(scenario)
    _check_edits(scenario)
    if scenario.cancelled_at is not None:
        _check_within("cancelled_at", scenario.cancelled_at, scenario)
    _check_size(scenario, most_instants)


def _check_durations(scenario: Scenario) -> None:
    if not scenario.run_seconds:
        _refuse("run_seconds", "too_short", "It names no duration.")
    limit = scenario.timeout_seconds
    if limit is not None and max(scenario.run_seconds) >= limit:
        _refuse("run_seconds", "exceeds_timeout", f"Runs of this job are stopped after {limit} s.")


def _check_spans(field: str, spans: tuple[Span, ...]) -> None:
    for number, span in enumerate(spans):
        if span.end <= span.start:
            _refuse(f"{field}.{number}.to", "ends_before_start", "It is not later than from.")


def _check_pauses(scenario: Scenario) -> None:
    for number, pause in enumerate(scenario.pauses):
        # A pause that begins with the job is that of a job taken up while it is paused.
        if number or pause.start != scenario.created_at:
            _check_within(f"pauses.{number}.from", pause.start, scenario)
        if pause.end is not None and pause.end <= pause.start:
            _refuse(f"pauses.{number}.to", "ends_before_start", "It is not later than from.")
    for number, (pause, following) in enumerate(pairwise(scenario.pauses), start=1):
        if pause.end is None or following.start < pause.end:
            detail = "The pause before it has not ended then."
            _refuse(f"pauses.{number}.from", "overlapping", detail)


def _check_edits(scenario: Scenario) -> None:
    for number, edit in enumerate(scenario.edits):
        _check_within(f"edits.{number}.at", edit.at, scenario)
    for number, (edit, following) in enumerate(pairwise(scenario.edits), start=1):
        if following.at <= edit.at:
            _refuse(f"edits.{number}.at", "out_of_order", "It is not later than the one before.")


def _check_within(field: str, at: datetime, scenario: Scenario) -> None:
    if not scenario.created_at < at < scenario.end:
        _refuse(field, "out_of_range", "It must be later than created_at and earlier than to.")


def _check_size(scenario: Scenario, most: int) -> None:
    named = sum(1 for _ in islice(_instants(scenario), most + 1))
    if named > most:
        detail = f"It names more than {most} instants from created_at on."
        _refuse("to", "simulation_too_large", detail)


def _instants(scenario: Scenario) -> Iterator[datetime]:
    """All instants of the schedules as they follow each other, whatever becomes of them."""
    schedules = [
        (scenario.created_at, scenario.anchored_at, scenario.schedule),
        *((edit.at, edit.at, edit.schedule) for edit in scenario.edits),
    ]
    ends = [*(start for start, _, _ in schedules[1:]), scenario.end]
    for (start, anchor, schedule), end in zip(schedules, ends, strict=True):
        yield from fires_between(
            schedule, created_at=anchor, after=start - MILLISECOND, until=end - MILLISECOND
        )


def _refuse(field: str, code: str, detail: str) -> None:
    raise InvalidInput(field, code, detail)


def after_outages(at: datetime, spans: tuple[Span, ...]) -> datetime:
    """``at``, or the first instant after it that lies in none of these spans."""
    while holding := [span.end for span in spans if span.start <= at < span.end]:
        at = max(holding)
    return at


def seconds(value: float) -> timedelta:
    """A span of so many seconds, in whole milliseconds."""
    return round(value * 1000) * MILLISECOND
