"""The late start of a run that has not begun, as its record carries it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Lateness:
    """The instant from which a run that has not begun counts as late, and whether that was told.

    Runs that begin before their first look never carry it.
    """

    #: The run was to begin then, before a freeze, a condition, a slot or a rate limit held it back.
    since: datetime
    #: The sweeper looks at it no later, while it waits.
    look_at: datetime
    #: Its notices are stored.
    told: bool = False
