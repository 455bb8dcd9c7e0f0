"""The verdict of a job's calendars on an instant of its schedule."""

from datetime import datetime

from timegate.domain.calendars.roll import RolledTo
from timegate.domain.runs.run import Reason
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class JudgedInstant:
    """The moment at which an instant runs, or the reason for which it does not."""

    #: ``None``: it does not run.
    at: datetime | None
    #: Reason of one that does not run.
    reason: Reason = Reason.EXCLUDED
    #: The business day to which it moved, whether or not it runs there itself.
    rolled_to: RolledTo | None = None


NEVER = JudgedInstant(at=None)


def explain_roll(judged: JudgedInstant, instant: datetime) -> str | None:
    """Explain an instant's move in words; ``None``: it did not roll."""
    if judged.rolled_to is None:
        return None
    return told_roll(judged.rolled_to, instant)


def told_roll(rolled_to: RolledTo, instant: datetime) -> str:
    """The moment to which an instant moved, in words."""
    return f"Its day is no business day: it rolled to {rfc3339(rolled_to.of(instant))}."
