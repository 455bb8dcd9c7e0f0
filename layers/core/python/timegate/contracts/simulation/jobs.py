"""Jobs of a scenario, and what is done to them."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated, Any

from pydantic import Field

from timegate.contracts.calendars import CalendarRules
from timegate.contracts.jobs.catch_up import CatchUpContract
from timegate.contracts.jobs.finish_by import FinishByContract
from timegate.contracts.limits import CollapseContract, OverlapContract
from timegate.contracts.recurrence import ScheduleContract
from timegate.contracts.simulation.alternatives import MANY, ONE, ONE_OR_MANY
from timegate.contracts.simulation.expectations import ExpectationContract
from timegate.contracts.values.durations import Duration
from timegate.contracts.values.fields import (
    PRINTABLE,
    Contract,
    Instant,
    Labels,
    PayloadSchemaJson,
    domain_value,
)
from timegate.contracts.values.refused_values import within
from timegate.domain.jobs.definition import UNSET
from timegate.domain.jobs.demands import Precision
from timegate.domain.jobs.notification import Occasion, with_given_up
from timegate.domain.jobs.retry import MAX_FAILURES_IN_A_ROW
from timegate.domain.jobs.rules.absence_watch import MAX_ABSENT_SECONDS, MIN_ABSENT_SECONDS
from timegate.domain.jobs.rules.call_rules import check_payload_schema
from timegate.domain.limits.collapse import MAX_KEY_LENGTH
from timegate.domain.rules.rule import MAX_LATE_SECONDS
from timegate.domain.simulation import MAX_LIST, Edit, Pause, TimeSpan
from timegate.domain.simulation.scenario import RunOutcome, SimulatedTrigger
from timegate.domain.values.durations import MAX_SECONDS
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JobId
from timegate.domain.values.payload import PayloadSchema

JOB_ID = "^[a-z2-7]{26}$"
#: Between two of what comes several times.
EverySeconds = Annotated[float, Field(gt=0, le=MAX_SECONDS), Duration()]
#: So often it comes.
Times = Annotated[int, Field(ge=1, le=MAX_LIST)]
_RunSeconds = Annotated[float, Field(ge=0, le=MAX_SECONDS), Duration()]
#: Occasions that rows show, or that no simulation has.
_UNTOLD = frozenset({Occasion.WILL_BE_LATE, Occasion.MISSED_DEADLINE, Occasion.NEEDS_DECISION})
#: Fields that null takes from a job; null in any other is not to give it.
_TAKEN_BY_NULL = frozenset(
    {
        *("start_within_seconds", "finish_by", "collapse", "cancelled_at", "payload"),
        "payload_schema",
        *("late_after_seconds", "absent_after_seconds", "pause_after_failures"),
    }
)
#: Fields that say which job it is and since when; the others are options.
_IDENTITY = frozenset({"schedule", "created_at", "anchored_at", "expect"})


class SpanContract(Contract):
    """From an instant on, and without the other."""

    start: Instant = Field(alias="from")
    end: Instant = Field(alias="to")

    def to_domain(self) -> TimeSpan:
        """Return the domain's value."""
        return TimeSpan(start=self.start, end=self.end)


class PauseContract(Contract):
    """The job is paused, and resumed unless it stays so."""

    start: Instant = Field(alias="from")
    end: Instant | None = Field(None, alias="to", description="Without it the job stays paused.")
    catch_up: bool = Field(default=False, description="Resume where the pause began.")

    def to_domain(self) -> Pause:
        """Return the domain's value."""
        return Pause(start=self.start, end=self.end, catch_up=self.catch_up)


class EditContract(Contract):
    """The job is given another schedule."""

    at: Instant
    schedule: ScheduleContract

    def to_domain(self) -> Edit:
        """Return the domain's value; raises ``InvalidInput``."""
        return Edit(at=self.at, schedule=self.schedule.to_domain())


class SimulatedTriggerContract(Contract):
    """The job is triggered, by a caller or an event."""

    at: Instant
    key: Annotated[str, Field(min_length=1, max_length=MAX_KEY_LENGTH)] | None = Field(
        None, description="Triggers of one key collapse."
    )
    concurrency_key: Annotated[str, Field(min_length=1, max_length=MAX_KEY_LENGTH)] | None = Field(
        None, description="Its run takes the slots of this key among those of overlap."
    )
    times: Times = 1
    every_seconds: EverySeconds | None = Field(None, description="Between two of several.")
    payload: Any = Field(None, description="Instead of the job's; a key may be in it.")

    def to_domain(self) -> SimulatedTrigger:
        """Return the domain's value."""
        return SimulatedTrigger(
            at=self.at,
            key=self.key,
            concurrency_key=self.concurrency_key,
            times=self.times,
            every_seconds=self.every_seconds or 0.0,
            payload=self.payload if "payload" in self.model_fields_set else UNSET,
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
    catch_up: CatchUpContract | None = None
    overlap: OverlapContract | None = Field(
        None, description="Jobs of the scenario that name the same concurrency_key share its slots."
    )
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
    triggers: list[
        Annotated[Annotated[Instant, ONE] | Annotated[SimulatedTriggerContract, MANY], ONE_OR_MANY]
    ] = Field(default_factory=list, max_length=MAX_LIST, description="Of callers, or of events.")
    collapse: CollapseContract | None = None
    run_seconds: Annotated[
        Annotated[_RunSeconds, ONE]
        | Annotated[list[_RunSeconds], Field(min_length=1, max_length=MAX_LIST), MANY],
        ONE_OR_MANY,
    ] = Field(0.0, description="Of a list, each run its own and the last one all that follow.")
    outcomes: Annotated[
        Annotated[RunOutcome, ONE]
        | Annotated[list[RunOutcome], Field(min_length=1, max_length=MAX_LIST), MANY],
        ONE_OR_MANY,
    ] = Field(RunOutcome.SUCCEEDED, description="How runs end that begin; of a list, likewise.")
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
    payload_schema: PayloadSchemaJson | None = Field(
        None, description="As a job's: a trigger or an event that does not fit it starts nothing."
    )
    expect: ExpectationContract | None = None

    def given_options(self) -> dict[str, Any]:
        """Return the options that are given, as ``SimulatedJob`` has them.

        Raises ``InvalidInput`` naming the field.
        """
        given = {
            name: getattr(self, name)
            for name in SimulatedJobOptions.model_fields.keys() & self.model_fields_set - _IDENTITY
        }
        there = {
            name: value
            for name, value in given.items()
            if value is not None or name in _TAKEN_BY_NULL
        }
        own: dict[str, Callable[[Any], Any]] = {
            "payload": lambda value: value,
            "payload_schema": _schema,
            "job_id": JobId,
            "run_seconds": _several,
            "outcomes": _several,
            "edits": lambda _: tuple(self._edits()),
            "triggers": lambda value: tuple(map(_trigger, value)),
            "told_on": _told_on,
        }
        return {name: own.get(name, domain_value)(value) for name, value in there.items()}

    def _edits(self) -> list[Edit]:
        found = []
        for number, edit in enumerate(self.edits):
            with within("edits", number):
                found.append(edit.to_domain())
        return found


class NamedJobContract(SimulatedJobOptions):
    """One of several jobs."""

    name: Annotated[str, Field(min_length=1, max_length=64, pattern=PRINTABLE)]


def _schema(schema: PayloadSchema | None) -> PayloadSchema | None:
    check_payload_schema(schema)
    return schema


def _several(given: object) -> tuple[object, ...]:
    return tuple(given) if isinstance(given, list) else (given,)


def _trigger(given: datetime | SimulatedTriggerContract) -> SimulatedTrigger:
    return SimulatedTrigger(at=given) if isinstance(given, datetime) else given.to_domain()


def _told_on(named: list[Occasion]) -> tuple[Occasion, ...]:
    """Return the occasions in a fixed order."""
    for number, occasion in enumerate(named):
        if occasion in _UNTOLD:
            detail = "No simulation tells of it: rows show deadlines, and no approval waits."
            raise InvalidInput(f"told_on.{number}", "invalid_choice", detail)
    heard = with_given_up(named)
    return tuple(occasion for occasion in Occasion if occasion in heard)
