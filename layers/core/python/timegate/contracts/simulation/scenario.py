"""Scenarios, as they are asked for and as files have them."""

from typing import Annotated

from pydantic import Field

from timegate.contracts.simulation.events import (
    SimulatedEventContract,
    SimulatedEventTriggerContract,
    SimulatedWaitContract,
)
from timegate.contracts.simulation.jobs import NamedJobContract, SimulatedJobOptions, SpanContract
from timegate.contracts.simulation.restrictions import (
    SimulatedCalendarContract,
    SimulatedFreezeContract,
    SimulatedRuleContract,
)
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import Contract, Instant
from timegate.domain.calendars.calendar import CALENDAR_NAME, MAX_CALENDARS
from timegate.domain.event_triggers.event_trigger import EVENT_TRIGGER_NAME, MAX_EVENT_TRIGGERS
from timegate.domain.restrictions.freeze import MAX_FREEZES
from timegate.domain.rules.rule import MAX_RULES, RULE_NAME
from timegate.domain.simulation import MAX_JOBS, MAX_LIST
from timegate.domain.simulation.scenario import MAX_LOOK_AHEAD_SECONDS

_RuleName = Annotated[str, Field(pattern=f"^{RULE_NAME.pattern}$")]
_Outages = Annotated[list[SpanContract], Field(max_length=MAX_LIST)]


class PlannerContract(Contract):
    """Course of the planner."""

    outages: _Outages = Field(default_factory=list)
    tick_offset_seconds: Annotated[float, Field(ge=0, lt=60), Duration()] = 0.0
    look_ahead_seconds: Annotated[int, Field(ge=180, le=MAX_LOOK_AHEAD_SECONDS), Duration()] = 600


class ExecutorContract(Contract):
    """Course of the executor."""

    outages: _Outages = Field(default_factory=list)


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
