"""Looks: the sweeper's reads between its ticks, so that a dead worker's run is back in time.

Each tick asks for the looks of the minute after its own. A schedule of one minute fires once in
each minute, anywhere in it: so every minute has its looks, at the same distances.
"""

import math
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Self

from timegate.domain.values.errors import InvalidInput, Malformed
from timegate.domain.values.instants import compact, from_compact, minute_of, minute_start
from timegate.value_classes import dataclass

#: A run is back, or has ended, this long after its lease at the latest (N6).
RECOVERY_BEYOND_LEASE = timedelta(seconds=30)
#: From one look to the next.
LOOK_EVERY = timedelta(seconds=12)
#: A message is delayed by whole seconds, then it is delivered and the index is read.
LOOK_LATENESS = timedelta(seconds=3)
#: From the sweeper's write to the message that the stream's reader sends for it.
PUBLICATION = timedelta(seconds=3)
#: A look reads what has become due since then. It covers a look that was lost; what is older, and
#: what a look has no time for, is the next tick's.
LOOK_BACK = timedelta(seconds=30)
#: A look begins nothing after this.
LOOK_TIME = timedelta(seconds=10)
_MINUTE = timedelta(minutes=1)


@dataclass(frozen=True, kw_only=True, slots=True)
class ShardLook:
    """A look at some shards: a message that a queue holds until its instant."""

    #: Shards in a tick's event: the argument of ``OpenShards.turns``.
    shards: tuple[int, ...]
    of: int | None
    at: datetime

    def is_stale(self, now: datetime) -> bool:
        """The next look is due: it does this one's work."""
        return now >= self.at + LOOK_EVERY

    def delay_seconds(self, now: datetime) -> int:
        """Whole seconds that a queue holds it."""
        return max(0, math.ceil((self.at - now).total_seconds()))

    def fields(self) -> dict[str, Any]:
        """Return the fields of the message."""
        return {"shards": list(self.shards), "of": self.of, "at": compact(self.at)}

    @classmethod
    def parse(cls, fields: Mapping[str, Any]) -> Self:
        """Read it back; raises ``Malformed``."""
        try:
            of = fields["of"]
            return cls(
                shards=tuple(int(shard) for shard in fields["shards"]),
                of=int(of) if of is not None else None,
                at=from_compact(fields["at"]),
            )
        except (KeyError, TypeError, ValueError, InvalidInput) as error:
            raise Malformed(f"The message is no look: {error!r}") from error


def looks_of_next_minute(
    shards: Sequence[int], of: int | None, *, now: datetime
) -> list[ShardLook]:
    """The looks that a tick asks for."""
    start = minute_start(minute_of(now)) + _MINUTE
    return [
        ShardLook(shards=tuple(shards), of=of, at=start + LOOK_EVERY * number)
        for number in range(_MINUTE // LOOK_EVERY)
    ]
