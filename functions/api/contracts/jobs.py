"""Jobs as they are asked for: a whole one, and changes to one."""

from typing import Annotated, Any

from pydantic import Field

from api.contracts.actions import ActionContract
from api.contracts.calendars import CalendarRules
from api.contracts.catch_up import CatchUpContract, StartWithin
from api.contracts.conditions import ConditionContract
from api.contracts.durations import Duration
from api.contracts.fields import Contract, Description, Labels, Name
from api.contracts.finish_by import FinishByContract
from api.contracts.follow_ups import FollowUps
from api.contracts.long_runs import LongRunContract
from api.contracts.notifications import Hooks, LateAfter
from api.contracts.overlap import OverlapContract
from api.contracts.rate_limits import RateLimitContract
from api.contracts.retries import RetryContract
from api.contracts.schedules import ScheduleContract
from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.jobs.follow_up import FollowUp
from timegate.domain.jobs.job import CalendarRule, Precision, Priority, ResourceClass
from timegate.domain.jobs.notification import Hook
from timegate.domain.jobs.rules.job_rules import MAX_WORKER_TIMEOUT_SECONDS
from timegate.usecases.jobs.definition import (
    JobChanges,
    JobDefinition,
    LateLimit,
    NewCondition,
    NewFinishBy,
    NewLongRun,
    NewPayload,
    NewRateLimit,
    StartLimit,
)

_Timeout = Annotated[int, Field(ge=1, le=MAX_WORKER_TIMEOUT_SECONDS), Duration()]


class NewJob(Contract):
    """A job to create."""

    name: Name
    schedule: ScheduleContract
    action: ActionContract
    payload: Any = Field(None, description="Any JSON up to 256 KB; null means none.")
    description: Description = ""
    priority: Priority = Priority.NORMAL
    resource_class: ResourceClass = ResourceClass.SHORT
    precision: Precision = Precision.SECOND
    timeout_seconds: _Timeout = Field(
        30, description="At most 60 for short runs, 840 for long, a day for workers'."
    )
    retry: RetryContract = Field(default_factory=RetryContract)
    catch_up: CatchUpContract = Field(default_factory=CatchUpContract)
    overlap: OverlapContract = Field(default_factory=OverlapContract)
    delivery: DeliveryMode = Field(
        DeliveryMode.AT_LEAST_ONCE, description="at_most_once: never tried again, whatever happens."
    )
    long_run: LongRunContract | None = Field(
        None, description="Lets a run go on in slices; null: it ends with its target's answer."
    )
    notifications: Hooks = Field(default_factory=list, description="Who is told of its runs.")
    late_after_seconds: LateAfter | None = Field(
        None, description="A run that starts so long after it was due is late; null: none is."
    )
    finish_by: FinishByContract | None = Field(
        None, description="By when a run is to have ended; null: whenever it does."
    )
    then: FollowUps = Field(default_factory=list, description="What runs once a run has ended.")
    rate_limit: RateLimitContract | None = Field(
        None, description="How often its target may be called; null: as often as runs are due."
    )
    before: ConditionContract | None = Field(
        None, description="Who is asked before a run begins; null: nobody."
    )
    calendars: CalendarRules = Field(
        default_factory=list, description="An instant runs if every one of these lets it."
    )
    start_within_seconds: StartWithin | None = Field(
        None, description="A run that could not start by then is skipped; null: whenever it can."
    )
    tags: Labels = Field(default_factory=dict)
    metadata: Labels = Field(default_factory=dict)

    def to_domain(self, payload: str | None) -> JobDefinition:
        """As the use case takes it; ``payload`` as JSON text."""
        return JobDefinition(
            name=self.name,
            schedule=self.schedule.to_domain(),
            action=self.action.to_domain(),
            payload=payload,
            description=self.description,
            priority=self.priority,
            resource_class=self.resource_class,
            precision=self.precision,
            timeout_seconds=self.timeout_seconds,
            retry=self.retry.to_domain(),
            catch_up=self.catch_up.to_domain(),
            overlap=self.overlap.to_domain(),
            delivery=self.delivery,
            long_run=self.long_run.to_domain() if self.long_run is not None else None,
            notifications=tuple(hook.to_domain() for hook in self.notifications),
            late_after_seconds=self.late_after_seconds,
            finish_by=self.finish_by.to_domain() if self.finish_by is not None else None,
            then=tuple(follow_up.to_domain() for follow_up in self.then),
            rate_limit=self.rate_limit.to_domain() if self.rate_limit is not None else None,
            before=self.before.to_domain() if self.before is not None else None,
            calendars=tuple(rule.to_domain() for rule in self.calendars),
            start_within_seconds=self.start_within_seconds,
            tags=self.tags,
            metadata=self.metadata,
        )


def _absent() -> None:
    """Stands for a field that was not given. As a factory it stays out of the JSON schema."""


_ABSENT: Any = Field(default_factory=_absent)


class JobPatch(Contract):
    """Changes to a job: each field given replaces the stored one as a whole."""

    # Where null means nothing, no type admits it: what is absent is left alone, and null would be
    # a wish nobody can read.
    name: Name = _ABSENT
    schedule: ScheduleContract = _ABSENT
    action: ActionContract = _ABSENT
    payload: Any = Field(
        default_factory=_absent, description="Any JSON up to 256 KB; null removes it."
    )
    description: Description = _ABSENT
    priority: Priority = _ABSENT
    resource_class: ResourceClass = _ABSENT
    precision: Precision = _ABSENT
    timeout_seconds: _Timeout = _ABSENT
    retry: RetryContract = _ABSENT
    catch_up: CatchUpContract = _ABSENT
    overlap: OverlapContract = _ABSENT
    delivery: DeliveryMode = _ABSENT
    long_run: LongRunContract | None = Field(
        default_factory=_absent, description="Null: runs have no slices any more."
    )
    notifications: Hooks = _ABSENT
    late_after_seconds: LateAfter | None = Field(
        default_factory=_absent, description="Null: no run is late."
    )
    finish_by: FinishByContract | None = Field(
        default_factory=_absent, description="Null: runs have no deadline any more."
    )
    then: FollowUps = _ABSENT
    rate_limit: RateLimitContract | None = Field(
        default_factory=_absent, description="Null: its target is called as often as runs are due."
    )
    before: ConditionContract | None = Field(
        default_factory=_absent, description="Null: nobody is asked any more."
    )
    calendars: CalendarRules = _ABSENT
    start_within_seconds: StartWithin | None = Field(
        default_factory=_absent, description="Null: a run starts whenever it can."
    )
    tags: Labels = _ABSENT
    metadata: Labels = _ABSENT

    def to_domain(self, payload: str | None) -> JobChanges:
        """As the use case takes it; ``payload`` as JSON text."""
        given = self.model_fields_set
        return JobChanges(
            name=self.name,
            schedule=self.schedule.to_domain() if "schedule" in given else None,
            action=self.action.to_domain() if "action" in given else None,
            payload=NewPayload(text=payload) if "payload" in given else None,
            description=self.description,
            priority=self.priority,
            resource_class=self.resource_class,
            precision=self.precision,
            timeout_seconds=self.timeout_seconds,
            retry=self.retry.to_domain() if "retry" in given else None,
            catch_up=self.catch_up.to_domain() if "catch_up" in given else None,
            overlap=self.overlap.to_domain() if "overlap" in given else None,
            delivery=self.delivery,
            calendars=self._calendars(),
            long_run=self._long_run(),
            notifications=self._notifications(),
            late_limit=self._late_limit(),
            new_finish=self._finish_by(),
            then=self._then(),
            new_rate=self._rate_limit(),
            condition=self._condition(),
            start_limit=self._start_limit(),
            tags=self.tags,
            metadata=self.metadata,
        )

    def _calendars(self) -> tuple[CalendarRule, ...] | None:
        given = "calendars" in self.model_fields_set
        return tuple(rule.to_domain() for rule in self.calendars) if given else None

    def _notifications(self) -> tuple[Hook, ...] | None:
        given = "notifications" in self.model_fields_set
        return tuple(hook.to_domain() for hook in self.notifications) if given else None

    def _condition(self) -> NewCondition | None:
        if "before" not in self.model_fields_set:
            return None
        asked = self.before
        return NewCondition(asked=asked.to_domain() if asked is not None else None)

    def _then(self) -> tuple[FollowUp, ...] | None:
        given = "then" in self.model_fields_set
        return tuple(follow_up.to_domain() for follow_up in self.then) if given else None

    def _late_limit(self) -> LateLimit | None:
        given = "late_after_seconds" in self.model_fields_set
        return LateLimit(seconds=self.late_after_seconds) if given else None

    def _finish_by(self) -> NewFinishBy | None:
        if "finish_by" not in self.model_fields_set:
            return None
        asked = self.finish_by
        return NewFinishBy(finish_by=asked.to_domain() if asked is not None else None)

    def _rate_limit(self) -> NewRateLimit | None:
        if "rate_limit" not in self.model_fields_set:
            return None
        asked = self.rate_limit
        return NewRateLimit(limit=asked.to_domain() if asked is not None else None)

    def _long_run(self) -> NewLongRun | None:
        if "long_run" not in self.model_fields_set:
            return None
        asked = self.long_run
        return NewLongRun(allowed=asked.to_domain() if asked is not None else None)

    def _start_limit(self) -> StartLimit | None:
        given = "start_within_seconds" in self.model_fields_set
        return StartLimit(seconds=self.start_within_seconds) if given else None
