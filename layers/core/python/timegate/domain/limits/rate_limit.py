"""Rate limits: how often a target may be called, and when it is whose turn.

The generic cell rate algorithm, with reservations: a call that comes too early is given the
instant at which it may be made, and that instant is given to no other. Nothing is asked twice, and
calls that wait keep their order.
"""

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from timegate.domain.values.tenant import TenantId
from timegate.value_classes import dataclass

#: Form of a limit's name that several jobs share; names of targets have a colon.
RATE_KEY = re.compile(r"[A-Za-z0-9._-]{1,64}")
#: One record carries a key, and DynamoDB writes one about a thousand times a second.
MAX_CALLS = 1_000
MAX_BURST = 1_000
#: A call that would have to wait longer is too late, whatever its job allows.
MAX_WAIT = timedelta(days=366)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class RatePeriod(StrEnum):
    """Periods by which calls are counted."""

    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"

    @property
    def microseconds(self) -> int:
        """The length of the period."""
        return {"second": 1, "minute": 60, "hour": 3_600}[self.value] * 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class RateLimit:
    """So many calls a period on average, and so many at once after a pause."""

    calls: int
    per: RatePeriod = RatePeriod.SECOND
    burst: int = 1
    #: Jobs of a tenant that name the same key share its calls; ``None``: those with one target.
    key: str | None = None
    #: A JSON pointer into the payload: runs with the same value there have calls of their own.
    key_from: str | None = None

    @property
    def interval(self) -> int:
        """Microseconds that one call takes up; rounded up, or there would be more than allowed."""
        return -(-self.per.microseconds // self.calls)

    @property
    def slack(self) -> int:
        """Microseconds that calls may be ahead of the average."""
        return (self.burst - 1) * self.interval


@dataclass(frozen=True, kw_only=True, slots=True)
class RateKey:
    """Key under which calls are counted together."""

    tenant: TenantId
    name: str


@dataclass(frozen=True, kw_only=True, slots=True)
class RateRequest:
    """A call that is to be made now, or as soon after as its limit allows."""

    limit: RateLimit
    #: Later it need not be made any more; ``None``: whenever.
    not_after: datetime | None = None

    def latest(self, at: int) -> int:
        """The last moment at which it would be made, in microseconds."""
        furthest = at + MAX_WAIT // _MICROSECOND
        return furthest if self.not_after is None else min(microseconds(self.not_after), furthest)


@dataclass(frozen=True, kw_only=True, slots=True)
class Turns:
    """Instants of calls, and the average's use after them."""

    #: In the order of the wishes, in microseconds; ``None``: too late.
    at: tuple[int | None, ...]
    used_until: int
    #: So many microseconds of it are these calls'.
    taken: int
    #: All of them come in time if no more than this was used up before them.
    good_until: int


def take_turns(wishes: Sequence[RateRequest], *, at: int, used_until: int) -> Turns:
    """The next turns after those given out so far, one for each wish that can be met in time.

    ``used_until``: when the calls so far would have ended, had each taken its interval. It only
    ever grows. No more than ``burst + length / interval`` turns of a key begin in any span of that
    length, in whatever order and by whatever clocks they were asked for.
    """
    used = begun = max(at, used_until)
    turns: list[int | None] = []
    spare: list[int] = []
    for wish in wishes:
        latest, turn = wish.latest(at), max(at, used - wish.limit.slack)
        if turn > latest:
            turns.append(None)
            continue
        turns.append(turn)
        spare.append(latest - (used - wish.limit.slack))
        used += wish.limit.interval
    good_until = begun + min(spare, default=0)
    return Turns(at=tuple(turns), used_until=used, taken=used - begun, good_until=good_until)


def held_back(limit: RateLimit, until: datetime) -> int:
    """Return the use of the average at which no turn comes before an instant."""
    return microseconds(until) + limit.slack


def microseconds(instant: datetime) -> int:
    """Since 1970."""
    return (instant - _EPOCH) // _MICROSECOND


def from_microseconds(count: int) -> datetime:
    """The instant so long after 1970."""
    return _EPOCH + count * _MICROSECOND
