"""Events, as they are sent: CloudEvents 1.0 in their JSON format, one or a batch."""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    RootModel,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from timegate.contracts.values.fields import PRINTABLE, Instant
from timegate.domain.events.event import MAX_EVENTS, MAX_NAME, Event, check_event_size
from timegate.domain.values.instants import rfc3339
from timegate.domain.values.payload import json_text

_Name = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME, pattern=PRINTABLE)]
_Uri = Annotated[str, StringConstraints(min_length=1, max_length=2_048, pattern=PRINTABLE)]
_ExtensionName = Annotated[str, StringConstraints(pattern=r"^[a-z0-9]{1,64}$")]
_MAX_EXTENSION = 2_048


def _read_extension(value: object) -> object:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) < 2**31:
        return value
    if isinstance(value, str) and len(value) <= _MAX_EXTENSION:
        return value
    detail = f"It is text of up to {_MAX_EXTENSION} characters, a whole number or a truth value."
    raise PydanticCustomError("wrong_type", detail)


_ExtensionValue = Annotated[
    str | bool | int | None,
    PlainValidator(_read_extension),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "maxLength": _MAX_EXTENSION},
                {"type": "boolean"},
                {"type": "integer", "minimum": 1 - 2**31, "maximum": 2**31 - 1},
                {"type": "null"},
            ]
        }
    ),
]


class EventContract(BaseModel):
    """A CloudEvent 1.0; further attributes are its extensions.

    Its key is its ``correlationid``, or else its subject. An event with a key can end tasks that
    wait for its type and key.
    """

    # Extensions stand beside the attributes that CloudEvents names.
    model_config = ConfigDict(
        extra="allow",
        strict=True,
        frozen=True,
        json_schema_extra={"propertyNames": {"pattern": "^[a-z0-9]{1,64}$"}},
    )
    __pydantic_extra__: dict[_ExtensionName, _ExtensionValue]

    specversion: Literal["1.0"]
    id: Annotated[_Name, Field(description="With the source: the event is received once.")]
    source: _Name
    type: _Name
    subject: _Name | None = None
    time: Instant | None = None
    datacontenttype: _Name | None = None
    dataschema: _Uri | None = None
    correlationid: Annotated[
        _Name | None, Field(description="The key by which tasks find it; null: its subject.")
    ] = None
    data: Any = Field(None, description="Any JSON; the event has 64 KB at most.")

    def to_domain(self) -> Event:
        """Return the domain's value; raises ``InvalidInput`` for one that is too large."""
        event = Event(
            id=self.id,
            source=self.source,
            type=self.type,
            correlation=self.correlationid or self.subject,
            attributes=json_text(self._attributes()),
            data=json_text(self.data) if "data" in self.model_fields_set else None,
        )
        check_event_size(event)
        return event

    def _attributes(self) -> dict[str, Any]:
        """Return context attributes and extensions, those that the sender gave."""
        named = self.model_dump(exclude={"data"}, exclude_none=True)
        return named if self.time is None else {**named, "time": rfc3339(self.time)}


class EventsToSend(
    RootModel[
        EventContract
        | Annotated[list[EventContract | Any], Field(min_length=1, max_length=MAX_EVENTS)]
    ]
):
    """One event, or a batch of up to 100, each by itself: one that is refused stops no other."""


class EventBatch(RootModel[Annotated[list[Any], Field(min_length=1, max_length=MAX_EVENTS)]]):
    """A batch before any of its events is looked at."""
