"""When someone must look at an attempt if nothing happened, and what the sweeper then does."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from timegate.domain.delivery import DeliveryMode
from timegate.domain.gate import PUBLISH_AHEAD
from timegate.domain.run import Attempt, Reason, RunState

#: A queued attempt that nobody claimed this long after it was due may have lost its message.
PATIENCE = timedelta(seconds=90)
#: While its queue still holds messages the attempt is most likely among them; but a queue that
#: never drains must not hide a lost message for ever.
BACKLOG_PATIENCE = timedelta(minutes=15)
#: A redelivered message should find an expired lease before the sweeper does.
LEASE_SLACK = timedelta(seconds=10)
#: Its record is the offer, which no queue can lose; workers may be away for long.
OFFER_PATIENCE = timedelta(minutes=10)
#: An attempt that was leased this often kills whatever runs it.
MAX_LEASES = 5
#: So often does a queue deliver a message that nobody settles (as infra's; a test compares them).
#: Each delivery that a worker died on was a lease; others never came to a claim.
MAX_RECEIVES = 4


def first_watch(state: RunState, due_at: datetime, *, now: datetime) -> datetime:
    """The watch instant of a new attempt.

    Never in the past: of an instant that is caught up the sweeper has been there already, and it
    does not come back.
    """
    return due_at - PUBLISH_AHEAD if state is RunState.WAITING else max(due_at, now) + PATIENCE


@dataclass(frozen=True, kw_only=True, slots=True)
class LookAgain:
    """Nothing is wrong yet."""

    at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class Publish:
    """Queue it, or queue it again; look again at ``watch_at``."""

    watch_at: datetime


@dataclass(frozen=True, kw_only=True, slots=True)
class TimeOut:
    """It has outlived its timeout; what follows is the retry policy's decision."""


@dataclass(frozen=True, kw_only=True, slots=True)
class BuryKiller:
    """Too many workers died on it."""

    reason: Reason = Reason.KILLS_WORKERS


@dataclass(frozen=True, kw_only=True, slots=True)
class Abandon:
    """Its worker died, and its job asks for one execution at most."""


Verdict = LookAgain | Publish | TimeOut | BuryKiller | Abandon


def judge(attempt: Attempt, *, now: datetime, queue_is_idle: bool) -> Verdict:
    """What to do with an attempt whose watch instant has passed.

    ``queue_is_idle``: its queue holds no message that is ready or in flight.
    """
    if attempt.state is RunState.WAITING:
        return Publish(watch_at=max(attempt.due_at, now) + PATIENCE)
    if attempt.state is RunState.QUEUED:
        return _judge_unclaimed(attempt, now, queue_is_idle=queue_is_idle)
    return _judge_running(attempt, now)


def _judge_unclaimed(attempt: Attempt, now: datetime, *, queue_is_idle: bool) -> Verdict:
    if attempt.offer is not None:
        return LookAgain(at=now + OFFER_PATIENCE)
    # One that is caught up could not be claimed before it was there.
    claimable_at = max(attempt.due_at, attempt.created_at)
    if claimable_at + PATIENCE > now:
        return LookAgain(at=claimable_at + PATIENCE)
    if queue_is_idle or now - claimable_at > BACKLOG_PATIENCE:
        return Publish(watch_at=now + PATIENCE)
    return LookAgain(at=now + PATIENCE)


def _judge_running(attempt: Attempt, now: datetime) -> Verdict:
    lease = attempt.lease
    if lease is None:
        return Publish(watch_at=now + PATIENCE)
    if lease.expires_at + LEASE_SLACK <= now:
        # Nobody renewed it: the worker died, whatever the timeout says.
        return _judge_abandoned(attempt, now)
    if lease.deadline_at + LEASE_SLACK <= now:
        return TimeOut()
    return LookAgain(at=min(lease.expires_at, lease.deadline_at) + LEASE_SLACK)


def _judge_abandoned(attempt: Attempt, now: datetime) -> Verdict:
    if attempt.delivery is DeliveryMode.AT_MOST_ONCE:
        return Abandon()
    return BuryKiller() if attempt.deaths >= MAX_LEASES else Publish(watch_at=now + PATIENCE)
