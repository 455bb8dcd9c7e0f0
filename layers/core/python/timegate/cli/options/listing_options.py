"""The options that say which rows of a listing are meant."""

from datetime import datetime
from typing import Annotated

from timegate.cli.terminal.values import instant_option
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

_From = Annotated[
    datetime | None, instant_option("--from", help="Take what is of that instant, or later.")
]
_To = Annotated[
    datetime | None, instant_option("--to", help="Take what is of that instant, or earlier.")
]


@dataclass(frozen=True, kw_only=True, slots=True)
class RangeOptions:
    """Range of instants of a listing."""

    start: _From = None
    end: _To = None

    def as_query(self) -> dict[str, str | None]:
        """Return the range in the client's form."""
        return {
            "start": None if self.start is None else rfc3339(self.start),
            "end": None if self.end is None else rfc3339(self.end),
        }
