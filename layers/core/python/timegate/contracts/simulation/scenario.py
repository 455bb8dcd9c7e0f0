"""Scenarios as they are described; ``domain.simulation.document`` reads them, here as offline."""

from typing import Annotated, Any, Literal

from pydantic import Field

from timegate.contracts.calendars import CalendarBody, CalendarRules
from timegate.contracts.jobs.finish_by import FinishByContract
from timegate.contracts.recurrence import ScheduleContract
from timegate.contracts.restrictions import TagScope, TenantScope
from timegate.contracts.simulation.events import (
    JOB_ID,
    SimulatedEventContract,
    SimulatedEventTriggerContract,
    SimulatedRuleContract,
    SimulatedWaitContract,
)
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract, Instant, Labels
from timegate.domain.calendars.calendar import CALENDAR_NAME, MAX_CALENDARS
from timegate.domain.event_triggers.event_trigger import EVENT_TRIGGER_NAME, MAX_EVENT_TRIGGERS
from timegate.domain.jobs.catch_up import CatchUpPolicy
from timegate.domain.jobs.demands import Precision
from timegate.domain.jobs.notification import Occasion
from timegate.domain.jobs.retry import MAX_FAILURES_IN_A_ROW
from timegate.domain.jobs.rules.absence_watch import MAX_ABSENT_SECONDS, MIN_ABSENT_SECONDS
from timegate.domain.limits.collapse import (
    MAX_KEY_LENGTH,
    MAX_SPAN_SECONDS,
    MAX_WAIT_SECONDS,
    POINTER,
    CollapseMode,
)
from timegate.domain.limits.overlap import MAX_CONCURRENT, OverlapPolicy
from timegate.domain.restrictions.freeze import MAX_FREEZES, ThawPolicy
from timegate.domain.rules.rule import MAX_LATE_SECONDS, MAX_RULES, RULE_NAME
from timegate.domain.simulation import MAX_JOBS, MAX_LIST
from timegate.domain.simulation.scenario import RunOutcome
from timegate.domain.values.durations import MAX_SECONDS

_Count = Annotated[int, Field(ge=0, le=1_000_000_000)]
_RunSeconds = Annotated[float, Field(ge=0, le=MAX_SECONDS), Duration()]
_RuleName = Annotated[str, Field(pattern=f"^{RULE_NAME.pattern}$")]
_ByReason = _Count | dict[str, _Count]


class SpanContract(Contract):
    """From an instant on, and without the other."""

    start: Instant = Field(alias="from")
    end: Instant = Field(alias="to")


class PauseContract(Contract):
    """The job is paused, and resumed unless it stays so."""

    start: Instant = Field(alias="from")
    end: Instant | None = Field(None, alias="to", description="Without it the job stays paused.")
    catch_up: bool = Field(default=False, description="Resume where the pause began.")


class EditContract(Contract):
    """The job is given another schedule."""

    at: Instant
    schedule: ScheduleContract


class SimulatedCatchUpContract(Contract):
    """Policy for missed instants, with the fields that the policy uses and no others."""

    policy: CatchUpPolicy
    limit: Annotated[int, Field(ge=1)] | None = Field(None, description="Of all.")
    window_seconds: Annotated[int, Field(ge=1, le=MAX_SECONDS), Duration()] | None = None
    grace_seconds: Annotated[int, Field(ge=0, le=86_400), Duration()] | None = Field(
        None, description="An instant planned at most so late was not missed."
    )


class PlannerContract(Contract):
    """Course of the planner."""

    outages: list[SpanContract] = Field(default_factory=list, max_length=MAX_LIST)
    tick_offset_seconds: Annotated[float, Field(ge=0, lt=60), Duration()] = 0.0
    look_ahead_seconds: Annotated[int, Field(ge=180, le=900), Duration()] = 600


class ExecutorContract(Contract):
    """Course of the executor."""

    outages: list[SpanContract] = Field(default_factory=list, max_length=MAX_LIST)


class ExpectationContract(Contract):
    """Numbers that the summary must have; one that is not named may be any."""

    instants: _Count | None = None
    runs: _Count | None = None
    undecided: _Count | None = None
    max_lateness_ms: _Count | None = Field(None, description="At most.")
    missed_deadlines: _Count | None = None
    will_be_late: _Count | None = None
    failed: _Count | None = None
    notices: _Count | dict[str, _Count] | None = Field(None, description="In all, or by type.")
    skipped: _ByReason | None = Field(None, description="In all, or by reason.")
    cancelled: _ByReason | None = Field(None, description="In all, or by reason.")


class SimulatedOverlapContract(Contract):
    """The number of runs that may work at once; allow takes no other field."""

    policy: OverlapPolicy
    max_concurrent: Annotated[int, Field(ge=1, le=MAX_CONCURRENT)] | None = None
    concurrency_key: str | None = Field(
        None, description="Jobs of the scenario that name the same key share its slots."
    )


class CalendarEditContract(Contract):
    """A calendar is replaced, or deleted."""

    at: Instant
    calendar: CalendarBody | None = Field(description="In its place; null: it is deleted.")


class SimulatedCalendarContract(CalendarBody):
    """A calendar, and what becomes of it."""

    edits: list[CalendarEditContract] = Field(default_factory=list, max_length=MAX_LIST)


class SimulatedJobScope(Contract):
    """One of the scenario's jobs; the only one needs neither name nor id."""

    kind: Literal["job"]
    job: str | None = Field(None, description="Its name in the scenario.")
    job_id: Annotated[str, Field(pattern=JOB_ID)] | None = None


class SimulatedFreezeContract(Contract):
    """A span in which nothing of its scope starts."""

    scope: Annotated[TenantScope | TagScope | SimulatedJobScope, Field(discriminator="kind")]
    start: Instant = Field(alias="from")
    end: Instant = Field(alias="to")
    thaw: ThawPolicy = ThawPolicy.JOB
    created_at: Instant | None = Field(
        None, description="Known from then on; from the beginning, unless given."
    )
    lifted_at: Instant | None = Field(None, description="It ends then, and no planner knew before.")


class SimulatedTriggerContract(Contract):
    """The job is triggered, by a caller or an event."""

    at: Instant
    key: Annotated[str, Field(min_length=1, max_length=MAX_KEY_LENGTH)] | None = Field(
        None, description="Triggers of one key collapse."
    )
    times: Annotated[int, Field(ge=1, le=MAX_LIST)] = 1
    every_seconds: Annotated[float, Field(gt=0, le=MAX_SECONDS), Duration()] | None = Field(
        None, description="Between two of several."
    )
    payload: Any = Field(None, description="Instead of the job's; a key may be in it.")


class SimulatedCollapseContract(Contract):
    """Rule by which triggers of one key become one run."""

    mode: CollapseMode = CollapseMode.LAST
    span_seconds: Annotated[int, Field(ge=0, le=MAX_SPAN_SECONDS), Duration()] = 0
    max_wait_seconds: Annotated[int, Field(ge=1, le=MAX_WAIT_SECONDS), Duration()] | None = None
    key_from: Annotated[str, Field(max_length=128, pattern=POINTER)] | None = Field(
        None, description="JSON pointer into the payload: triggers with the same value collapse."
    )


class SimulatedJobOptions(Contract):
    """A job, and what is done to it."""

    schedule: ScheduleContract | None = Field(None, description="Without it, that of job_id.")
    job_id: Annotated[str, Field(pattern=JOB_ID)] | None = Field(
        None,
        description=(
            "Without schedule, a job of yours: its schedule, its policies, and how far it came. "
            "With one, jitter depends on it and nothing else does."
        ),
    )
    created_at: Instant | None = None
    anchored_at: Instant | None = None
    catch_up: SimulatedCatchUpContract | None = None
    overlap: SimulatedOverlapContract | None = None
    start_within_seconds: Annotated[int, Field(ge=1, le=MAX_SECONDS), Duration()] | None = None
    finish_by: FinishByContract | None = None
    precision: Precision | None = None
    calendar_rules: CalendarRules = Field(
        default_factory=list, description="As a job's calendars: what they are to it."
    )
    tags: Labels = Field(default_factory=dict, description="Freezes may name them.")
    pauses: list[PauseContract] = Field(default_factory=list, max_length=MAX_LIST)
    edits: list[EditContract] = Field(default_factory=list, max_length=MAX_LIST)
    cancelled_at: Instant | None = None
    triggers: list[Instant | SimulatedTriggerContract] = Field(
        default_factory=list, max_length=MAX_LIST, description="Of callers, or of events."
    )
    collapse: SimulatedCollapseContract | None = None
    run_seconds: _RunSeconds | Annotated[list[_RunSeconds], Field(min_length=1)] = Field(
        0.0, description="Of a list, each run its own and the last one all that follow."
    )
    outcomes: RunOutcome | Annotated[list[RunOutcome], Field(min_length=1, max_length=MAX_LIST)] = (
        Field(RunOutcome.SUCCEEDED, description="How runs end that begin; of a list, likewise.")
    )
    late_after_seconds: Annotated[int, Field(ge=0, le=MAX_LATE_SECONDS), Duration()] | None = None
    absent_after_seconds: (
        Annotated[int, Field(ge=MIN_ABSENT_SECONDS, le=MAX_ABSENT_SECONDS), Duration()] | None
    ) = None
    pause_after_failures: Annotated[int, Field(ge=1, le=MAX_FAILURES_IN_A_ROW)] | None = None
    resumes: list[Instant] = Field(
        default_factory=list,
        max_length=MAX_LIST,
        description="A person resumes it then, where failures paused it.",
    )
    told_on: list[Occasion] | None = Field(
        None,
        max_length=MAX_LIST,
        description=(
            "What its channels are told of; unless given: failed, dead_lettered, late, paused and"
            " absent, or what a job of yours tells."
        ),
    )
    payload: Any = Field(None, description="Which a trigger may replace or patch.")
    expect: ExpectationContract | None = None


class NamedJobContract(SimulatedJobOptions):
    """One of several jobs."""

    name: Annotated[str, Field(min_length=1, max_length=64)]


class ScenarioContract(SimulatedJobOptions):
    """A job or several, a range of time, and what goes wrong or is changed meanwhile."""

    start: Instant = Field(alias="from")
    end: Instant = Field(alias="to", description="At most 366 days later.")
    jobs: list[NamedJobContract] | None = Field(
        None,
        min_length=1,
        max_length=MAX_JOBS,
        description="Several jobs; then the fields of a job are theirs.",
    )
    calendars: dict[
        Annotated[str, Field(pattern=f"^{CALENDAR_NAME.pattern}$")], SimulatedCalendarContract
    ] = Field(
        default_factory=dict,
        max_length=MAX_CALENDARS,
        description="By name; others that a job names are yours, as they are.",
    )
    freezes: list[SimulatedFreezeContract] | None = Field(
        None,
        max_length=MAX_FREEZES,
        description="Without it, yours if the scenario is about a job of yours, else none.",
    )
    rules: dict[_RuleName, SimulatedRuleContract] | None = Field(
        None,
        max_length=MAX_RULES,
        description="By name. Without it, yours if the scenario is about a job of yours.",
    )
    events: list[SimulatedEventContract] = Field(default_factory=list, max_length=MAX_LIST)
    event_triggers: dict[
        Annotated[str, Field(pattern=f"^{EVENT_TRIGGER_NAME.pattern}$")],
        SimulatedEventTriggerContract,
    ] = Field(default_factory=dict, max_length=MAX_EVENT_TRIGGERS, description="By name.")
    waits: dict[str, SimulatedWaitContract] = Field(
        default_factory=dict, max_length=MAX_LIST, description="By names of your choice."
    )
    planner: PlannerContract = Field(default_factory=PlannerContract)
    executor: ExecutorContract = Field(default_factory=ExecutorContract)
