"""What a caller says about a job: all of it when creating, some of it when updating."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from timegate.domain.actions.action import Action
from timegate.domain.jobs.condition import Condition
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.finish_by import FinishBy
from timegate.domain.jobs.follow_up import FollowUp
from timegate.domain.jobs.job import CalendarRule, CatchUp, Precision, Priority, ResourceClass
from timegate.domain.jobs.notification import Hook
from timegate.domain.jobs.retry import RetryPolicy
from timegate.domain.jobs.slices import LongRun
from timegate.domain.limits.overlap import Overlap
from timegate.domain.limits.rate_limit import RateLimit
from timegate.domain.recurrence.schedule import Schedule


@dataclass(frozen=True, kw_only=True, slots=True)
class JobDefinition:
    """A whole job, as asked for."""

    name: str
    schedule: Schedule
    action: Action
    #: JSON text; ``None``: the job has no payload.
    payload: str | None = None
    priority: Priority = Priority.NORMAL
    resource_class: ResourceClass = ResourceClass.SHORT
    precision: Precision = Precision.SECOND
    timeout_seconds: int = 30
    retry: RetryPolicy = field(default_factory=RetryPolicy)
    catch_up: CatchUp = field(default_factory=CatchUp)
    start_within_seconds: int | None = None
    overlap: Overlap = field(default_factory=Overlap)
    calendars: tuple[CalendarRule, ...] = ()
    delivery: DeliveryMode = DeliveryMode.AT_LEAST_ONCE
    long_run: LongRun | None = None
    notifications: tuple[Hook, ...] = ()
    late_after_seconds: int | None = None
    finish_by: FinishBy | None = None
    then: tuple[FollowUp, ...] = ()
    rate_limit: RateLimit | None = None
    before: Condition | None = None
    description: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
    metadata: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class NewPayload:
    """The payload a job is to have from now on."""

    #: JSON text; ``None``: no payload any more.
    text: str | None


@dataclass(frozen=True, kw_only=True, slots=True)
class StartLimit:
    """How late a run may start from now on."""

    #: ``None``: however late.
    seconds: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class LateLimit:
    """After what a run is late from now on."""

    #: ``None``: none is.
    seconds: int | None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewFinishBy:
    """The deadline of runs from now on; those that wait get it as well."""

    #: ``None``: they have none.
    finish_by: FinishBy | None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewRateLimit:
    """How often a job's target may be called from now on; turns that were given out stay."""

    #: ``None``: as often as runs are due.
    limit: RateLimit | None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewLongRun:
    """What a job allows long runs from now on; those under way are bound by it as well."""

    #: ``None``: no slices.
    allowed: LongRun | None


@dataclass(frozen=True, kw_only=True, slots=True)
class NewCondition:
    """Who is asked from now on before a run begins; those that wait are bound by it as well."""

    #: ``None``: nobody.
    asked: Condition | None


@dataclass(frozen=True, kw_only=True, slots=True)
class JobChanges:
    """The fields to replace, each as a whole; ``None``: leave it as it is."""

    name: str | None = None
    schedule: Schedule | None = None
    action: Action | None = None
    payload: NewPayload | None = None
    priority: Priority | None = None
    resource_class: ResourceClass | None = None
    precision: Precision | None = None
    timeout_seconds: int | None = None
    retry: RetryPolicy | None = None
    catch_up: CatchUp | None = None
    start_limit: StartLimit | None = None
    overlap: Overlap | None = None
    calendars: tuple[CalendarRule, ...] | None = None
    delivery: DeliveryMode | None = None
    long_run: NewLongRun | None = None
    notifications: tuple[Hook, ...] | None = None
    late_limit: LateLimit | None = None
    new_finish: NewFinishBy | None = None
    then: tuple[FollowUp, ...] | None = None
    new_rate: NewRateLimit | None = None
    condition: NewCondition | None = None
    description: str | None = None
    tags: Mapping[str, str] | None = None
    metadata: Mapping[str, str] | None = None
