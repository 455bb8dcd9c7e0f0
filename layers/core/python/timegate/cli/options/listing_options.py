"""The options that say which rows of a listing are meant."""

from datetime import datetime
from typing import Annotated, Any

from timegate.cli.terminal.moments import moment_option, moment_text
from timegate.value_classes import dataclass

_From = Annotated[
    str | None,
    moment_option("--from", help="Take what is of then, or later: yesterday, 22:00, an instant."),
]
_To = Annotated[
    str | None, moment_option("--to", help="Take what is of then, or earlier; as --from.")
]


@dataclass(frozen=True, kw_only=True, slots=True)
class RangeOptions:
    """Range of instants of a listing."""

    start: _From = None
    end: _To = None

    def as_query(self, now: datetime) -> dict[str, Any]:
        """Return the range in the client's form; ``now`` is aware."""
        return {"start": moment_text(self.start, now), "end": moment_text(self.end, now)}
