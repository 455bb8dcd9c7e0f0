"""The definition of a job: every field that its owner sets, each written here once.

A field belongs to one part. ``PlanDefinition`` is read by planners from an index that projects
few attributes; ``RunDefinition`` is shared with tasks of DAGs; ``WorkDefinition`` has the rest.
"""

from collections.abc import Mapping
from dataclasses import MISSING, field, fields
from enum import Enum
from typing import Any, Final

from timegate.domain.actions.action import Action
from timegate.domain.calendars.calendar_rule import CalendarRule
from timegate.domain.jobs.catch_up import CatchUp
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.demands import ListRuns, Precision, Priority, ResourceClass
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.follow_up import FollowUp
from timegate.domain.jobs.hook import Subscription
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.jobs.slices import LongRun
from timegate.domain.limits.collapse import Collapse
from timegate.domain.limits.overlap import Overlap
from timegate.domain.limits.rate_limit import RateLimit
from timegate.domain.recurrence.schedule import Schedule
from timegate.domain.values.identity import JobKey
from timegate.domain.values.payload import PayloadMarks, PayloadSchema
from timegate.value_classes import dataclass, fields_of


@dataclass(frozen=True, kw_only=True)
class PlanDefinition:
    """Fields that the planner reads."""

    __slots__ = ()

    schedule: Schedule
    priority: Priority = Priority.NORMAL
    resource_class: ResourceClass = ResourceClass.SHORT
    precision: Precision = Precision.SECOND
    catch_up: CatchUp = field(default_factory=CatchUp)
    #: A run that has not started so many seconds after its instant does not start at all.
    start_within_seconds: int | None = None
    #: An instant runs if every one of these lets it.
    calendars: tuple[CalendarRule, ...] = ()
    #: A freeze may name them.
    tags: Mapping[str, str] = field(default_factory=dict)
    #: Runs that its tenant's listing shows; ``None``: those that fail.
    list_runs: ListRuns | None = None


@dataclass(frozen=True, kw_only=True)
class RunDefinition:
    """Fields of one run's work; a task of a DAG has the same."""

    __slots__ = ()

    action: Action
    timeout_seconds: int = 30
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    delivery: DeliveryMode = DeliveryMode.AT_LEAST_ONCE
    #: Runs may go on in slices; ``None``: each ends with its target's answer.
    long_run: LongRun | None = None
    overlap: Overlap = field(default_factory=Overlap)
    #: Marks in its payload are filled at each call; ``None``: it is sent as it is.
    payload_marks: PayloadMarks | None = None


@dataclass(frozen=True, kw_only=True)
class WorkDefinition(RunDefinition):
    """Fields that are read with a run, or when the job is shown."""

    __slots__ = ()

    name: str
    #: Unique in its tenant; requests may name the job by it. ``None``: by its id alone.
    key: JobKey | None = None
    description: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    #: Addresses that are told of its runs.
    notifications: tuple[Subscription, ...] = ()
    #: A run that starts so many seconds after it was due is late.
    late_after_seconds: int | None = None
    #: So many seconds without a success of any run are told of; ``None``: no span is.
    absent_after_seconds: int | None = None
    #: By when a run is to have ended.
    finish_by: FinishBy | None = None
    #: Jobs that run once a run of this one has ended.
    then: tuple[FollowUp, ...] = ()
    #: How often its target may be called; ``None``: as often as runs are due.
    rate_limit: RateLimit | None = None
    #: The address that is asked before a run begins.
    before: Condition | None = None
    #: So many failed runs in a row pause the job; ``None``: failures never do.
    pause_after_failures: int | None = None
    #: Triggers of one key are one run; ``None``: each is a run of its own.
    collapse: Collapse | None = None
    #: Payloads of its runs are to fit it when they are given; ``None``: any does.
    payload_schema: PayloadSchema | None = None

    @property
    def awaits_success(self) -> bool:
        """A span without a success is told of."""
        return self.absent_after_seconds is not None


@dataclass(frozen=True, kw_only=True, slots=True)
class JobDefinition(WorkDefinition, PlanDefinition):
    """A whole job, as its owner defines it."""

    #: JSON text; ``None``: the job has no payload.
    payload: str | None = None


#: Names of fields: of all, and of those that planners read.
DEFINED: Final = dict.fromkeys(each.name for each in fields(JobDefinition)).keys()
PLANNED: Final = frozenset(each.name for each in fields(PlanDefinition))


def part_of_definition(part: type[PlanDefinition | RunDefinition], of: object) -> dict[str, Any]:
    """Return the fields of a part by name, as something that has them says them."""
    return {each.name: getattr(of, each.name) for each in fields_of(part)}


def defaults() -> dict[str, Any]:
    """Return the default of every field that has one."""
    made = {
        each.name: each.default if each.default_factory is MISSING else each.default_factory()
        for each in fields(JobDefinition)
    }
    return {name: value for name, value in made.items() if value is not MISSING}


class Unset(Enum):
    """The type of ``UNSET``."""

    UNSET = "unset"


#: Stands for a value that a request does not name, where ``None`` is a value.
UNSET: Final = Unset.UNSET


class JobChanges:
    """Fields of a definition to replace, each as a whole; a field that is not named stays."""

    __slots__ = ("given",)

    given: Mapping[str, Any]

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 - the values are the definition's
        """Take values by field; raises ``TypeError`` for a name that no definition has."""
        unknown = given.keys() - DEFINED
        if unknown:
            message = f"A definition has no field {min(unknown)}."
            raise TypeError(message)
        self.given = given
