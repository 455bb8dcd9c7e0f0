"""Bids, holders and waiters of one concurrency key, known by the names of their jobs."""

from tests.support.factories import after, attempt_id, job_id
from timegate.domain.limits.slots import Bid, Holder, SlotHold, SlotWaiter
from timegate.domain.values.identity import AttemptId


def named(name: str) -> AttemptId:
    """An attempt known by the name of its job."""
    return attempt_id(job=job_id(name))


def hold(name: str, *, owner: str = "worker-1", fence: int = 1) -> SlotHold:
    """The hold of a worker under a fence."""
    return SlotHold(attempt=named(name), owner=owner, fence=fence)


def holder(name: str, *, since: float = -10, expires: float = 60, fence: int = 1) -> Holder:
    """A slot that was taken, and expires, so many seconds from now."""
    return Holder(hold=hold(name, fence=fence), since=after(since), expires_at=after(expires))


def waiter(name: str, due: float = 0) -> SlotWaiter:
    """A run in the line that was due so many seconds from now."""
    return SlotWaiter(due_at=after(due), attempt=named(name))


def bid(
    name: str, *, due: float = 0, limit: int = 1, fence: int = 1, owner: str = "worker-1"
) -> Bid:
    """A claim of a queued run that wants a slot."""
    return Bid(
        hold=hold(name, owner=owner, fence=fence),
        due_at=after(due),
        expires_at=after(60),
        limit=limit,
        was_queued=True,
    )
