"""Pauses of pools: for a while no worker is handed a run, and those that are held go on."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.instants import rfc3339
from timegate.value_classes import dataclass

#: A pause with an end is not for ever: it would be forgotten. One without lasts until it is ended.
MAX_DAYS = 366
#: Characters of a pause's reason.
MAX_REASON = 200
#: Stands for the beginning of a pause whose record does not tell it.
UNKNOWN_SINCE = datetime(1970, 1, 1, tzinfo=UTC)
#: Stands for the caller of such a pause.
UNKNOWN_CALLER = "unknown"
_UNREADABLE = "The record of this pause cannot be read: pause or resume the pool to replace it."


@dataclass(frozen=True, kw_only=True, slots=True)
class PoolPause:
    """A pause of a pool, in force or over: ``since`` belongs to it, its end does not."""

    pool: str
    since: datetime
    #: The caller that set its terms last.
    by: str
    #: For people: why.
    reason: str | None = None
    #: The instant at which it ends by itself; ``None``: it lasts until a caller resumes the pool.
    until: datetime | None = None
    #: A caller resumed the pool then.
    ended_at: datetime | None = None
    ended_by: str | None = None
    #: Counts the changes of the pool's pauses.
    revision: int = 1
    #: Its record cannot be read whole. A caller may have paused the pool: it is held.
    is_damaged: bool = False

    @property
    def ends_at(self) -> datetime | None:
        """Return its end; ``None``: it has none yet."""
        ends = [each for each in (self.until, self.ended_at) if each is not None]
        return min(ends, default=None)

    def is_active(self, now: datetime) -> bool:
        """Tell if it keeps runs from workers at ``now``."""
        ends_at = self.ends_at
        return ends_at is None or now < ends_at


def damaged_pause(pool: str, **readable: Any) -> PoolPause:  # noqa: ANN401 - fields of a pause
    """Return a pause by what can be read of its record: it holds the pool unless that has an end.

    A run that is handed out against a pause cannot be taken back, and one that waits can go on.
    """
    known = {"since": UNKNOWN_SINCE, "by": UNKNOWN_CALLER, **readable}
    return PoolPause(**(known | {"pool": pool, "reason": _UNREADABLE, "is_damaged": True}))


def check_pause(pause: PoolPause, *, now: datetime) -> None:
    """Refuse an end that has passed, or is too far away; raises ``InvalidInput``."""
    if pause.until is None:
        return
    if pause.until <= now:
        raise InvalidInput("until", "in_the_past", "It has passed.")
    if pause.until - now > timedelta(days=MAX_DAYS):
        detail = f"A pause with an end lasts at most {MAX_DAYS} days from now."
        raise InvalidInput("until", "range_too_long", detail)


def paused_anew(before: PoolPause | None, asked: PoolPause, *, now: datetime) -> PoolPause:
    """Return the pool's pause after a request for one; a pause with the same terms stays.

    Other terms take the place of those of a pause that is active, which goes on since it began.
    One whose record cannot be read is replaced.
    """
    if before is None:
        return asked
    later = replace(asked, revision=before.revision + 1)
    if before.is_damaged or not before.is_active(now):
        return later
    if (before.reason, before.until) == (asked.reason, asked.until):
        return before
    return replace(later, since=before.since)


def resumed(before: PoolPause, *, by: str, now: datetime) -> PoolPause:
    """Return the pause, ended now; one that is over stays as it is.

    In the place of one whose record cannot be read is a pause of this moment.
    """
    if not before.is_active(now):
        return before
    if before.is_damaged:
        before = PoolPause(pool=before.pool, since=now, by=by, revision=before.revision)
    return replace(before, ended_at=now, ended_by=by, revision=before.revision + 1)


def explain_pause(pause: PoolPause, *, verb: str) -> str:
    """Tell the caller that paused the pool, since when, until when and why, as one sentence.

    ``verb``: ``is``, or ``was`` in a record, which is read when the pause is over.
    """
    if pause.is_damaged:
        return f"Pool {pause.pool} {verb} held. {pause.reason}"
    ends_at = pause.ends_at
    until = "" if ends_at is None else f" until {rfc3339(ends_at)}"
    why = "" if pause.reason is None else f" ({pause.reason})"
    return (
        f"Pool {pause.pool} {verb} paused by {pause.by} since {rfc3339(pause.since)}{until}{why}."
    )


def held_up(pause: PoolPause | None, due_at: datetime, *, now: datetime) -> PoolPause | None:
    """Return the pool's last pause, if a run that was due then waited for it; else ``None``."""
    if pause is None or pause.since > now:
        return None
    ends_at = pause.ends_at
    return pause if ends_at is None or ends_at > due_at else None
