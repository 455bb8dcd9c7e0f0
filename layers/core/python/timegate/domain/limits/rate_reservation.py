"""Pace: the turn that a rate limit gave to an attempt, as its record shows it."""

from datetime import datetime, timedelta

from timegate.domain.values.instants import MILLISECOND, to_milliseconds
from timegate.value_classes import dataclass

#: A worker that is this late finds its turn over: others have been given the time since.
_TURN_LASTS = timedelta(seconds=1)
#: A run that missed turns before may be later, up to this: where all are late, all would miss them
#: again.
_LASTS_AT_MOST = timedelta(minutes=5)


@dataclass(frozen=True, kw_only=True, slots=True)
class Pace:
    """A run's wish to begin, and the instant that its limit gave it."""

    #: The limit's key: a name, or what is called.
    key: str
    since: datetime
    turn_at: datetime
    #: That of the attempt when the turn was given: the holder of a later lease needs another one.
    fence: int
    #: Turns that it was too late for.
    missed: int = 0

    def lasts_until(self) -> datetime:
        """Until then the call may be made."""
        doubled = _TURN_LASTS * (1 << min(self.missed, 16))
        return self.turn_at + min(doubled, _LASTS_AT_MOST)


def whole(turn_at: datetime) -> datetime:
    """Up to the next millisecond: records keep no less, and early is too early."""
    floor = to_milliseconds(turn_at)
    return floor if floor == turn_at else floor + MILLISECOND
