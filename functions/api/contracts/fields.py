"""The field types that several models share; each limit is stated once, here."""

import re
from datetime import UTC, datetime
from typing import Annotated

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from timegate.domain.instants import to_milliseconds

#: Arithmetic with earlier or later instants would leave the calendar.
YEARS = range(1970, 9001)
#: RFC 3339. Pydantic's own reading would take "1794000000" for a timestamp.
_INSTANT = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?P<offset>[Zz]|[+-]\d\d:\d\d)?",
    re.ASCII,
)
#: Names and values end up in terminals and headers: no control characters.
PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
_TEXT = r"^[^\x00-\x08\x0b-\x1f\x7f]*$"
_KEY = r"^[A-Za-z0-9][A-Za-z0-9_.\-/]*$"

#: Ten years, in seconds.
MAX_SECONDS = 315_360_000


class Contract(BaseModel):
    """A JSON object in which every field is known and has the type it says."""

    # Strict: "30" is not 30, and 1 is not true. What a caller meant is not guessed.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Nothing(Contract):
    """What a route takes that takes nothing: a field that would be ignored is refused."""


def _read_instant(value: object) -> datetime:
    if not isinstance(value, str):
        raise PydanticCustomError("wrong_type", "Write it as text, such as 2026-11-21T07:00:00Z.")
    match = _INSTANT.fullmatch(value)
    if match is None:
        raise _no_instant()
    if match["offset"] is None:
        detail = "An instant needs an offset: write 2026-11-21T07:00:00Z."
        raise PydanticCustomError("no_utc_offset", detail)
    try:
        utc = datetime.fromisoformat(value.upper()).astimezone(UTC)
    except OverflowError:
        utc = datetime.max.replace(tzinfo=UTC)
    except ValueError as error:
        raise _no_instant() from error
    if utc.year not in YEARS:
        raise PydanticCustomError("out_of_range", "Instants are from the years 1970 to 9000.")
    return to_milliseconds(utc)


def _no_instant() -> PydanticCustomError:
    detail = "It must be a date and time as in RFC 3339: 2026-11-21T07:00:00Z."
    return PydanticCustomError("invalid_instant", detail)


Instant = Annotated[
    datetime,
    PlainValidator(_read_instant),
    WithJsonSchema({"type": "string", "format": "date-time"}),
]

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=PRINTABLE)]
Description = Annotated[str, StringConstraints(max_length=2000, pattern=_TEXT)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=_KEY)]
Value = Annotated[str, StringConstraints(max_length=256, pattern=PRINTABLE)]
Labels = Annotated[dict[Key, Value], Field(max_length=20)]
