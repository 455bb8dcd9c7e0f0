"""The scenario: jobs, a range of time, and what goes wrong or is changed meanwhile."""

from collections.abc import Mapping
from dataclasses import field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

from timegate.domain.calendars.calendar import Calendar
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.jobs.catch_up import CatchUp
from timegate.domain.jobs.definition import UNSET
from timegate.domain.jobs.demands import Precision, Priority, ResourceClass
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.job import FailurePause, JobStatus, Timing
from timegate.domain.jobs.notification import Occasion
from timegate.domain.limits.collapse import Collapse
from timegate.domain.limits.overlap import Overlap, OverlapPolicy
from timegate.domain.planning.transitions import opening_fire
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.restrictions.freeze import Freeze
from timegate.domain.rules.rule import Rule
from timegate.domain.simulation.events.definitions import (
    SimulatedEvent,
    SimulatedEventTrigger,
    SimulatedWait,
)
from timegate.domain.values.identity import JobId, job_id_from
from timegate.domain.values.instants import MILLISECOND
from timegate.domain.values.payload import PayloadSchema
from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: More would take minutes, and no report shows them.
MAX_INSTANTS = 20_000
#: Their names are columns of a table that people read.
MAX_JOBS = 10
#: More than a person writes.
MAX_LIST = 100
#: The latest that planning begins.
MAX_LOOK_AHEAD_SECONDS = 900
#: A run takes three steps, and more when it waits for others.
STEPS_PER_INSTANT = 20
TENANT = TenantId("simulation")
_JOB = job_id_from(b"simulation")


class RunOutcome(StrEnum):
    """Ends of a run that has begun."""

    SUCCEEDED = "succeeded"
    #: Its target refused it: no attempt follows.
    FAILED = "failed"
    #: Its attempts are used up.
    DEAD_LETTERED = "dead_lettered"


#: Occasions that a scenario's job tells of, unless it names others.
TOLD_UNLESS_NAMED = (
    *(Occasion.FAILED, Occasion.DEAD_LETTERED, Occasion.LATE, Occasion.PAUSED),
    Occasion.ABSENT,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeSpan:
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
class SimulatedTrigger:
    """The job is triggered, by a caller or an event; several times where events arrive so."""

    at: datetime
    #: Triggers of one key collapse, where the job has a rule.
    key: str | None = None
    #: Key of its run's slots among those of the job; ``None``: that in the payload, or none.
    concurrency_key: str | None = None
    times: int = 1
    #: Between two of them.
    every_seconds: float = 0.0
    #: Instead of the job's; ``UNSET``: the job's own.
    payload: Any = UNSET

    @property
    def instants(self) -> list[datetime]:
        """Return the instant of each."""
        return [self.at + number * seconds(self.every_seconds) for number in range(self.times)]


@dataclass(frozen=True, kw_only=True, slots=True)
class CalendarEdit:
    """A calendar is replaced."""

    at: datetime
    name: str
    #: By this one; ``None``: it is deleted.
    calendar: Calendar | None
    #: Where the document has it: ``calendars.holidays.edits.0``, for example.
    path: str = "calendars"


@dataclass(frozen=True, kw_only=True, slots=True)
class SimulatedJob:
    """A job of a scenario, and what is done to it."""

    schedule: Schedule
    #: The job is created then, not after the range begins.
    created_at: datetime
    #: Where delays and unanchored rates count from: earlier for a job that exists already.
    anchored_at: datetime
    #: Name among the jobs of its scenario; ``None`` if it is the only one.
    name: str | None = None
    #: Where the document has it: ``jobs.0.``, for example.
    path: str = ""
    #: Version of an existing job at ``created_at``.
    version: int = 1
    runs_begun: int = 0
    catch_up: CatchUp = field(default_factory=CatchUp)
    overlap: Overlap = field(default_factory=Overlap)
    start_within_seconds: int | None = None
    #: By when a run is to have ended.
    finish_by: FinishBy | None = None
    precision: Precision = Precision.SECOND
    #: A run may take so long; ``None``: as long as it takes.
    timeout_seconds: int | None = None
    #: Jitter depends on it.
    job_id: JobId = _JOB
    pauses: tuple[Pause, ...] = ()
    edits: tuple[Edit, ...] = ()
    cancelled_at: datetime | None = None
    triggers: tuple[SimulatedTrigger, ...] = ()
    #: How triggers of one key become one run; ``None``: each is a run of its own.
    collapse: Collapse | None = None
    #: Its rules about calendars.
    calendar_rules: tuple[CalendarRule, ...] = ()
    #: Freezes may name them.
    tags: Mapping[str, str] = field(default_factory=dict)
    #: How long runs take, in the order they start; the last one holds for all that follow.
    run_seconds: tuple[float, ...] = (0.0,)
    #: How runs end, likewise.
    outcomes: tuple[RunOutcome, ...] = (RunOutcome.SUCCEEDED,)
    #: A run that has not begun so long after it was due is told of.
    late_after_seconds: int | None = None
    #: So long without a success is told of.
    absent_after_seconds: int | None = None
    #: So many failed runs in a row pause the job.
    pause_after_failures: int | None = None
    #: The last pause by failures of an existing job, which it is in or on trial after.
    failure_pause: FailurePause | None = None
    #: A person resumes it then, where failures paused it.
    resumes: tuple[datetime, ...] = ()
    #: Its payload, which a trigger may replace; any JSON.
    payload: Any = None
    #: Payloads of triggers and events are to fit it.
    payload_schema: PayloadSchema | None = None
    #: Occasions that its channels are told of.
    told_on: tuple[Occasion, ...] = TOLD_UNLESS_NAMED
    #: Name of an existing job, for words.
    stored_name: str | None = None

    @property
    def title(self) -> str:
        """Return the name by which rules choose it and messages name it: a stored job's own."""
        return self.stored_name or self.name or "The job"

    @property
    def begins_paused(self) -> bool:
        """Tell if it is taken up in a pause."""
        return bool(self.pauses) and self.pauses[0].start == self.created_at

    @property
    def slot_key(self) -> str | None:
        """Return the key of the slots that its runs take; ``None`` if they need none."""
        if self.overlap.policy is OverlapPolicy.ALLOW:
            return None
        return self.overlap.concurrency_key or self.job_id


@dataclass(frozen=True, kw_only=True, slots=True)
class Scenario:
    """A scenario. Instants are aware UTC datetimes with millisecond precision."""

    #: The rows of instants from ``start`` up to, and without, ``end``.
    start: datetime
    end: datetime
    #: At least one, with different ids and names.
    jobs: tuple[SimulatedJob, ...]
    #: Calendars in the beginning. A rule whose calendar is not among them leaves nothing out.
    calendars: tuple[Calendar, ...] = ()
    calendar_edits: tuple[CalendarEdit, ...] = ()
    #: Each is known from its creation on, and that it is lifted from then on.
    freezes: tuple[Freeze, ...] = ()
    #: Rules by which its tenant is told of its jobs.
    rules: tuple[Rule, ...] = ()
    #: Events that are received, what they start, and tasks that wait for them.
    events: tuple[SimulatedEvent, ...] = ()
    event_triggers: tuple[SimulatedEventTrigger, ...] = ()
    waits: tuple[SimulatedWait, ...] = ()
    #: No planner ticks.
    planner_outages: tuple[TimeSpan, ...] = ()
    #: No executor claims; what was published waits in its queue.
    executor_outages: tuple[TimeSpan, ...] = ()
    #: Planner and sweeper tick so long after each full minute.
    tick_offset_seconds: float = 0.0
    look_ahead_seconds: int = 600
    #: How early a sub-second message reaches its executor.
    lead_seconds: float = 1.0
    #: How often a worker looks whether its run is to stop: a third of a lease.
    heartbeat_seconds: float = 20.0

    @property
    def look_ahead(self) -> timedelta:
        """The span ahead in which runs are planned."""
        return timedelta(seconds=self.look_ahead_seconds)

    def tick_from(self, earliest: datetime) -> datetime:
        """The first tick that is not earlier."""
        tick = earliest.replace(second=0, microsecond=0) + seconds(self.tick_offset_seconds)
        return tick if tick >= earliest else tick + timedelta(minutes=1)


def created(job: SimulatedJob) -> Timing:
    """The job as it is created; raises ``InvalidInput`` when it never fires."""
    timing = Timing(
        tenant=TENANT,
        job_id=job.job_id,
        version=job.version,
        status=JobStatus.ACTIVE,
        schedule=job.schedule,
        priority=Priority.NORMAL,
        resource_class=ResourceClass.SHORT,
        precision=job.precision,
        created_at=job.created_at,
        anchored_at=job.anchored_at,
        next_run_at=None,
        runs_begun=job.runs_begun,
        counted_until=job.created_at - MILLISECOND,
        catch_up=job.catch_up,
        start_within_seconds=job.start_within_seconds,
        calendars=job.calendar_rules,
        tags=job.tags,
        failure_pause=_failure_pause(job),
    )
    return replace(timing, next_run_at=opening_fire(timing, now=job.created_at))


def _failure_pause(job: SimulatedJob) -> FailurePause | None:
    """Return the pause by failures that the job is in, or on trial after."""
    pause = job.failure_pause
    if pause is None or pause.resumed_as is not None or job.begins_paused:
        return pause
    # The scenario's own pauses hold instead.
    return None


def after_outages(at: datetime, spans: tuple[TimeSpan, ...]) -> datetime:
    """``at``, or the first instant after it that lies in none of these spans."""
    while holding := [span.end for span in spans if span.start <= at < span.end]:
        at = max(holding)
    return at


def seconds(value: float) -> timedelta:
    """A span of so many seconds, in whole milliseconds."""
    return round(value * 1000) * MILLISECOND
