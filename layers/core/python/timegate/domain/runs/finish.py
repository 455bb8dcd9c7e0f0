"""The deadline and the late start that a run carries."""

from datetime import datetime

from timegate.value_classes import dataclass


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Lateness:
    """The instant from which a run that has not begun counts as late, and what is told of that.

    Runs that begin before their first look never carry it.
    """

    #: The run was to begin then, before a freeze, a condition, a slot or a rate limit held it back.
    since: datetime
    #: The sweeper looks at it no later, while it waits; ``None``: no more is to be told.
    look_at: datetime | None = None
    #: Its notices are stored.
    told: bool = False
    #: The longest bound of a rule that it passed, in seconds; 0: none.
    beyond_seconds: int = 0
    #: That was found then, and looks at rules find it by this; ``None``: it passed none.
    marked_at: datetime | None = None
