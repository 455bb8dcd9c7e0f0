"""The field types that several models share; each limit is stated once, here."""

from datetime import UTC, datetime
from typing import Annotated

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, StringConstraints
from pydantic_core import PydanticCustomError

from timegate.domain.instants import to_milliseconds

#: Arithmetic with later instants would leave the calendar.
_LAST_YEAR = 9000
#: Names and values end up in terminals and headers: no control characters.
_PRINTABLE = r"^[^\x00-\x1f\x7f]*$"
_TEXT = r"^[^\x00-\x08\x0b-\x1f\x7f]*$"
_KEY = r"^[A-Za-z0-9][A-Za-z0-9_.\-/]*$"

#: Ten years, in seconds.
MAX_SECONDS = 315_360_000


class Contract(BaseModel):
    """A JSON object in which every field is known and has the type it says."""

    # Strict: "30" is not 30, and 1 is not true. What a caller meant is not guessed.
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def _to_utc(instant: datetime) -> datetime:
    try:
        utc = instant.astimezone(UTC)
    except OverflowError:
        utc = None
    if utc is None or utc.year > _LAST_YEAR:
        raise PydanticCustomError("out_of_range", "Instants end with the year 9000.")
    return to_milliseconds(utc)


Instant = Annotated[AwareDatetime, AfterValidator(_to_utc)]

Name = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=_PRINTABLE)]
Description = Annotated[str, StringConstraints(max_length=2000, pattern=_TEXT)]
Key = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=_KEY)]
Value = Annotated[str, StringConstraints(max_length=256, pattern=_PRINTABLE)]
Labels = Annotated[dict[Key, Value], Field(max_length=20)]
