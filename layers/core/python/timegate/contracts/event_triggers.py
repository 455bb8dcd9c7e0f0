"""Event triggers, as they are asked for."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import Field, RootModel

from timegate.contracts.values.fields import Contract, Description, Labels
from timegate.contracts.values.secrets import SecretContract
from timegate.domain.event_triggers.event_trigger import (
    MAX_PATTERN_BYTES,
    MAX_TEMPLATE_BYTES,
    EventTrigger,
    EventTriggerName,
    Hook,
    HookScheme,
    Starts,
    StartsDagRun,
    StartsJob,
)
from timegate.domain.events.event import check_document_size
from timegate.domain.execution.triggers import MAX_TAGS_BYTES
from timegate.domain.jobs.demands import Priority
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import JOB_REFERENCE, DagId
from timegate.domain.values.payload import json_text
from timegate.domain.values.tenant import TenantId

_TEMPLATE = f'JSON up to {MAX_TEMPLATE_BYTES // 1024} KB; {{"$ref": "event.data.id"}} looks up.'
_DAG_ID = "^[a-z2-7]{26}$"


class SentOn(Contract):
    """The payload that an event gives to the run that it starts."""

    payload: Any = Field(
        None, description=f"Instead of the job's; absent: the event. {_TEMPLATE} Null: none."
    )
    payload_patch: dict[str, Any] | None = Field(
        None, description=f"Merged into the job's payload, which {{}} leaves as it is. {_TEMPLATE}"
    )

    def sent_on(self) -> dict[str, Any]:
        """Return both as JSON text, as ``StartsJob`` has them; raises ``InvalidInput``."""
        patch = self.payload_patch
        if self.payload is not None and patch is not None:
            detail = "It goes without payload: give one of both."
            raise InvalidInput("starts.payload_patch", "contradictory", detail)
        whole = patch is None and "payload" in self.model_fields_set
        return {
            "payload": json_text(self.payload) if whole else None,
            "payload_patch": None if patch is None else json_text(patch),
        }


class StartsJobContract(SentOn):
    """The job that a matching event triggers."""

    type: Literal["job"]
    job_id: Annotated[str, Field(pattern=JOB_REFERENCE, description="An id, or key:<key>.")]
    priority: Priority | None = Field(None, description="Null: that of the job.")
    tags: Labels = Field(
        default_factory=dict,
        description=f"Of the run; names and values up to {MAX_TAGS_BYTES} bytes together.",
    )

    def to_domain(self) -> StartsJob:
        """Return the domain's value; raises ``InvalidInput``."""
        return StartsJob(
            job_id=self.job_id,
            **self.sent_on(),
            priority=self.priority,
            tags=tuple(sorted(self.tags.items())),
        )


class StartsDagRunContract(Contract):
    """The DAG of which a matching event starts a run."""

    type: Literal["dag_run"]
    dag_id: Annotated[str, Field(pattern=_DAG_ID)]
    parameters: dict[str, Any] | None = Field(None, description=f"Null: the event. {_TEMPLATE}")

    def to_domain(self) -> StartsDagRun:
        """Return the domain's value."""
        parameters = None if self.parameters is None else json_text(self.parameters)
        return StartsDagRun(dag_id=DagId(self.dag_id), parameters=parameters)


class InboundHook(Contract):
    """A web hook whose requests are the trigger's events."""

    scheme: Annotated[
        HookScheme,
        Field(description="standard: Standard Webhooks; github: X-Hub-Signature-256."),
    ] = HookScheme.STANDARD
    secret: SecretContract = Field(
        description="Where the sender's key is kept: up to five, each on a line of its own."
    )

    def to_domain(self) -> Hook:
        """Return the domain's value."""
        return Hook(scheme=self.scheme, secret=self.secret.to_domain())


class EventTriggerBody(Contract):
    """A pattern over events, and what a matching event starts."""

    pattern: dict[str, Any] = Field(
        default_factory=dict,
        description=(
            "As rules of EventBridge have it, over the event's attributes and data; {}: every"
            f" event. Up to {MAX_PATTERN_BYTES // 1024} KB of JSON."
        ),
    )
    starts: Annotated[StartsJobContract | StartsDagRunContract, Field(discriminator="type")]
    hook: InboundHook | None = Field(
        None, description="Null: the tenant's own events; else those of its web hook alone."
    )
    description: Description = ""
    tags: Labels = Field(default_factory=dict)

    def to_domain(self, tenant: TenantId, name: str, *, now: datetime) -> EventTrigger:
        """Return the domain's value; raises ``InvalidInput``."""
        starts: Starts = self.starts.to_domain()
        return EventTrigger(
            tenant=tenant,
            name=EventTriggerName(name),
            pattern=json_text(self.pattern),
            starts=starts,
            hook=None if self.hook is None else self.hook.to_domain(),
            description=self.description,
            tags=self.tags,
            created_at=now,
            updated_at=now,
        )


class HookMessage(RootModel[Any]):
    """Any JSON that a sender has signed."""


class EventToTry(Contract):
    """An event to try a trigger with."""

    event: dict[str, Any] = Field(description="Its attributes by name, and its data; 64 KB.")

    def to_domain(self) -> dict[str, Any]:
        """Return the event; raises ``InvalidInput`` for one that could not be sent."""
        check_document_size(json_text(self.event), "event")
        return self.event
