"""The deadline that a run carries."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Finish:
    """The deadline of a run's end, and the last forecast. An end at the deadline is in time."""

    by: datetime
    #: A forecast was tried: its job's recent runs were read.
    is_judged: bool = False
    #: 95 of 100 recent runs took no longer, in milliseconds; ``None``: too few are on record.
    usual_ms: int | None = None
    #: The end that was forecast last.
    expected_at: datetime | None = None
    #: A forecast beyond the deadline was told.
    will_be_late: bool = False
    #: The run had not ended at its deadline, and that was told.
    missed: bool = False
