"""Answers about sealed months."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from timegate.contracts.values.fields import WrittenInstant
from timegate.domain.archive.months import MONTH

_Month = Annotated[str, Field(pattern=f"^{MONTH}$", description="A month in UTC.")]
_Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$", description="SHA-256.")]


class SealedMonthRow(TypedDict):
    """A sealed month."""

    month: _Month


class SealedMonthList(TypedDict):
    """Sealed months, the latest first."""

    items: list[SealedMonthRow]
    next_cursor: Annotated[str | None, Field(description="Null on the last page.")]


class ExportedFile(TypedDict):
    """A file of the archive."""

    path: Annotated[str, Field(description="Its path in a copy, as the seal names it.")]
    bytes: Annotated[int, Field(ge=0)]
    sha256: _Digest
    url: Annotated[str, Field(description="Read it here, without credentials.")]


class SealedMonth(TypedDict):
    """A sealed month, and a page of the files that verifying it takes."""

    month: _Month
    archived_until: Annotated[
        str, Field(description="All that ended before this day is in this seal, or in one before.")
    ]
    sha256: Annotated[
        _Digest, Field(description="Of the seal. Note it elsewhere: it stands for all before it.")
    ]
    previous: Annotated[
        str | None, Field(description="SHA-256 of the seal of the month before; null: the first.")
    ]
    rows: Annotated[int, Field(ge=0, description="Attempts, gaps and changes of all its files.")]
    urls_expire_at: WrittenInstant
    items: Annotated[
        list[ExportedFile],
        Field(description="The seal, its signature and public keys first, then what it names."),
    ]
    next_cursor: str | None
