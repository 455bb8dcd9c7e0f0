"""The field types that several models share; each limit is stated once, here."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from timegate.domain.actions import field_limits
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.payload import PayloadSchema, json_text
from timegate.domain.values.written_instants import read_instant

PRINTABLE = field_limits.PRINTABLE
#: The same, with tabs and line feeds.
_TEXT = r"^[^\x00-\x08\x0b-\x1f\x7f-\x9f]*$"
#: Types of values that are the domain's as well; most values of a request are of one.
_AS_THEY_ARE = frozenset({str, bool, int, float, datetime})
#: The field that tells members of a union apart.
_TYPE = frozenset({"type"})
_KEY = r"^[A-Za-z0-9][A-Za-z0-9_.\-/]*$"


class Contract(BaseModel):
    """A JSON object in which every field is known and has the type it says."""

    # Strict: "30" is not 30, and 1 is not true. Timegate does not guess a caller's meaning.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    def as_domain(self) -> dict[str, Any]:
        """Return the fields that were given, each as the domain knows it; a union's type is none.

        The domain has the same defaults, and has its own value for each.
        """
        return {name: domain_value(getattr(self, name)) for name in self.model_fields_set - _TYPE}


def domain_value(value: Any) -> Any:  # noqa: ANN401 - the domain's types check it
    """Return a value of a contract as the domain knows it; may raise ``InvalidInput``."""
    if value is None or type(value) in _AS_THEY_ARE:
        return value
    if isinstance(value, list):
        return tuple(map(domain_value, value))
    if isinstance(value, dict):
        return {name: domain_value(each) for name, each in value.items()}
    convert = getattr(value, "to_domain", None)
    return value if convert is None else convert()


class Nothing(Contract):
    """The contract of a route that takes nothing: a field that would be ignored is refused."""


def _read_instant(value: object) -> datetime:
    if not isinstance(value, str):
        raise PydanticCustomError("wrong_type", "Write it as text, such as 2026-11-21T07:00:00Z.")
    # Not pydantic's own reading, which would take "1794000000" for a timestamp.
    try:
        return read_instant(value)
    except InvalidInput as refused:
        raise PydanticCustomError(refused.code, refused.detail) from refused


Instant = Annotated[
    datetime,
    PlainValidator(_read_instant),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]

#: An instant as answers have it.
WrittenInstant = Annotated[str, WithJsonSchema({"type": "string", "format": "date-time"})]

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=PRINTABLE)]
Description = Annotated[str, StringConstraints(max_length=2000, pattern=_TEXT)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=_KEY)]
Value = Annotated[str, StringConstraints(max_length=256, pattern=PRINTABLE)]
Labels = Annotated[dict[Key, Value], Field(max_length=20)]
#: A JSON schema of payloads; members keep the order in which people read them.
PayloadSchemaJson = Annotated[
    dict[str, Any], AfterValidator(lambda schema: PayloadSchema(text=json_text(schema)))
]
