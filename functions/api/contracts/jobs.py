"""Jobs as they are asked for: a whole one, and changes to one."""

from typing import Annotated, Any

from pydantic import Field

from api.contracts.actions import ActionContract
from api.contracts.fields import Contract, Description, Labels, Name
from api.contracts.schedules import ScheduleContract
from timegate.domain.job import Precision, Priority, ResourceClass
from timegate.domain.job_rules import MAX_TIMEOUT_SECONDS
from timegate.domain.retry import Backoff, RetryPolicy
from timegate.usecases.definition import JobChanges, JobDefinition, NewPayload

MAX_DELAY_SECONDS = 86_400
_Delay = Annotated[float, Field(ge=0, le=MAX_DELAY_SECONDS)]
_Timeout = Annotated[int, Field(ge=1, le=MAX_TIMEOUT_SECONDS[ResourceClass.LONG])]
_DEFAULT_RETRY = RetryPolicy()


class RetryContract(Contract):
    """How often and how patiently a run is tried."""

    max_attempts: Annotated[int, Field(ge=1, le=50)] = _DEFAULT_RETRY.max_attempts
    backoff: Backoff = _DEFAULT_RETRY.backoff
    initial_delay_seconds: _Delay = _DEFAULT_RETRY.initial_delay_seconds
    max_delay_seconds: _Delay = _DEFAULT_RETRY.max_delay_seconds
    jitter: bool = _DEFAULT_RETRY.jitter

    def to_domain(self) -> RetryPolicy:
        """As the domain knows it."""
        return RetryPolicy(**self.model_dump())


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
    timeout_seconds: _Timeout = Field(30, description="At most 60 for short runs, 840 for long.")
    retry: RetryContract = Field(default_factory=RetryContract)
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
            tags=self.tags,
            metadata=self.metadata,
        )


def _absent() -> None:
    """Stands for a field that was not given. As a factory it stays out of the JSON schema."""


_ABSENT: Any = Field(default_factory=_absent)


class JobPatch(Contract):
    """Changes to a job: each field given replaces the stored one as a whole."""

    # No type here admits null: what is absent is left alone, and null would be a wish nobody
    # can read. A union with None would also let Pydantic name its alternatives in errors.
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
            tags=self.tags,
            metadata=self.metadata,
        )
