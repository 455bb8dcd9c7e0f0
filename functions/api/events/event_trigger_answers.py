"""Answers about event triggers and web hooks."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from api.http.field_problems import FieldProblem
from api.values.damaged_answers import NamedPage
from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.event_triggers.event_trigger import EventTriggerStatus, HookScheme
from timegate.domain.jobs.demands import Priority


class StartsJob(TypedDict):
    """The job that a matching event triggers."""

    type: Literal["job"]
    job_id: Annotated[str, Field(description="An id, or key:<key>.")]
    payload: Annotated[Any, Field(description="Instead of the job's, with references.")]
    payload_patch: Annotated[
        dict[str, Any] | None,
        Field(description="Merged into the job's; null: payload is sent."),
    ]
    priority: Priority | None
    tags: dict[str, str]


class StartsDagRun(TypedDict):
    """The DAG of which a matching event starts a run."""

    type: Literal["dag_run"]
    dag_id: str
    parameters: Annotated[dict[str, Any], Field(description="With references.")]


class SecretPlace(TypedDict):
    """Place of a secret."""

    secret_arn: str | None
    ssm_parameter: str | None
    json_key: str | None


class DefinedHook(TypedDict):
    """Everything that a trigger's owner says of its web hook."""

    scheme: HookScheme
    secret: SecretPlace


class Hook(DefinedHook):
    """The web hook of a trigger."""

    path: Annotated[str, Field(description="Its address, below the URL of the API.")]


class _Trigger(TypedDict):
    pattern: dict[str, Any]
    starts: Annotated[StartsJob | StartsDagRun, Field(discriminator="type")]
    description: str
    tags: dict[str, str]


class DefinedEventTrigger(_Trigger):
    """Everything that the owner of an event trigger says of it."""

    hook: DefinedHook | None


class EventTrigger(_Trigger):
    """A pattern over events, and what a matching event starts."""

    name: str
    status: EventTriggerStatus
    version: Annotated[int, Field(ge=1, description="Grows with every change; also the ETag.")]
    hook: Hook | None
    created_at: WrittenInstant
    updated_at: WrittenInstant


class EventTriggerValidation(TypedDict):
    """The outcome that putting an event trigger would have."""

    valid: bool
    definition: Annotated[
        DefinedEventTrigger,
        Field(description="The trigger, with the default of what was left out."),
    ]
    errors: list[FieldProblem]


class EventTriggerPage(NamedPage):
    """A page of event triggers."""

    items: list[EventTrigger]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class TriedEvent(TypedDict):
    """The result of trying an event."""

    matches: bool
    data: Annotated[Any, Field(description="What it would send on; null where it does not match.")]


class ReceivedHook(TypedDict):
    """Outcome of a message to a web hook."""

    event_id: str
    matched: Annotated[bool, Field(description="False: the pattern is of others, or it is paused.")]
    replayed: Annotated[bool, Field(description="True: the message was received before.")]
    run_id: str | None
    dag_run_id: str | None
