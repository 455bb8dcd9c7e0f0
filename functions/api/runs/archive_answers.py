"""Answers about archived runs."""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from api.runs.run_answers import RunRow

_UNTIL = "All that ended before this day (UTC) is archived; null: nothing is yet."


class ArchivedRunPage(TypedDict):
    """A page of archived runs."""

    items: list[RunRow]
    next_cursor: str | None
    archived_until: Annotated[str | None, Field(description=_UNTIL)]
