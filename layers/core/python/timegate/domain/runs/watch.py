"""Instants at which the sweeper must look at an attempt, and its decisions then."""

from dataclasses import replace
from datetime import datetime, timedelta
from enum import Enum, auto

from timegate.domain.jobs.delivery import DeliveryMode
from timegate.domain.runs.finish import Finish
from timegate.domain.runs.gate import BACKLOG_PATIENCE, PUBLISH_AHEAD, expiry_of, needs_copy
from timegate.domain.runs.lease import Lease
from timegate.domain.runs.run import TERMINAL, Attempt, Reason, RunState
from timegate.domain.runs.suspects import has_killed
from timegate.domain.values.instants import MILLISECOND
from timegate.value_classes import dataclass

#: A queued attempt that no worker claimed this long after it was due may have lost its message.
#: Shorter than a stage's leases with their slack, so that a claim seldom moves the watch instant.
PATIENCE = timedelta(seconds=60)
#: The same for an attempt whose creator publishes it: the creator may have died before that.
UNSURE_PATIENCE = timedelta(seconds=10)
#: A redelivered message should find an expired lease before the sweeper does.
LEASE_SLACK = timedelta(seconds=10)
#: The same for a lease without a message: a late heartbeat may still come.
SOLE_LEASE_SLACK = timedelta(seconds=5)
#: No stage's lease of an executor or a pool's worker is longer (a test compares them).
LONGEST_LEASE = timedelta(seconds=90)
#: Its record is the offer, which no queue can lose; workers may be away for long.
OFFER_PATIENCE = timedelta(minutes=10)
#: Outcomes has followed an end by then; else the sweeper shows it the end again.
FOLLOW_WITHIN = timedelta(seconds=90)
FOLLOW_AT_LEAST_EVERY = timedelta(minutes=15)
#: An attempt kills its workers if so many leases ended without a word, all but the first alone.
MAX_LEASES = 5
#: So often does a queue deliver a message that is not settled (as infra's; a test compares them).
#: Each delivery that a worker died on was a lease; others never came to a claim.
MAX_RECEIVES = 4


class QueueDepth(Enum):
    """Contents of a run queue, by its own approximate counts; delayed messages do not count."""

    #: No message is ready or in flight.
    IDLE = auto()
    #: None is ready: each message is held by a worker, or by one that died before it settled it.
    IN_FLIGHT = auto()
    #: Messages wait for a worker: a backlog, however small.
    READY = auto()


def first_watch(
    state: RunState, due_at: datetime, *, now: datetime, direct: bool = False
) -> datetime:
    """The watch instant of a new attempt; ``direct``: its creator publishes it.

    Never in the past: of an instant that is caught up the sweeper has been there already, and it
    does not come back.
    """
    if state is RunState.WAITING:
        return due_at - PUBLISH_AHEAD
    return max(due_at, now) + (UNSURE_PATIENCE if direct else PATIENCE)


def look_limit(expires_at: datetime, *, returns: bool, finish: Finish | None = None) -> datetime:
    """The latest watch instant of an attempt whose lease expires at ``expires_at``.

    ``returns``: its queue delivers its message again, should the worker die. ``finish``: its
    deadline, after which a sweeper looks as well.
    """
    limit = expires_at + (LEASE_SLACK if returns else SOLE_LEASE_SLACK)
    return limit if finish is None or finish.missed else min(limit, _past(finish.by))


def moved_look(
    known: datetime | None,
    expires_at: datetime,
    *,
    now: datetime,
    returns: bool,
    finish: Finish | None = None,
) -> datetime | None:
    """The watch instant that a new lease needs; ``None``: the known one stays, for no write.

    A watch instant that has passed is moved: the sweeper may be putting it off right now.
    """
    limit = max(look_limit(expires_at, returns=returns, finish=finish), now)
    if known is not None and now < known <= limit:
        return None
    return limit


def looked_at_for_finish(attempt: Attempt, *, now: datetime) -> Attempt:
    """The attempt, watched no later than there may be something to tell of its deadline.

    For a run that has not begun, that is when its forecast passes the deadline. One without a
    forecast is looked at within ``PATIENCE``.
    """
    attempt = _looked_at_for_start(attempt, now)
    finish, watch_at = attempt.finish, attempt.watch_at
    if finish is None or finish.missed or watch_at is None:
        return attempt
    at = _past(finish.by)
    waits = attempt.state in {RunState.WAITING, RunState.QUEUED}
    if waits and not finish.will_be_late:
        at = min(at, _forecast_look(attempt, finish, now))
    at = max(at, now)
    return attempt if watch_at <= at else replace(attempt, watch_at=at)


def _looked_at_for_start(attempt: Attempt, now: datetime) -> Attempt:
    """The attempt, watched no later than just after it expires or is late, if it may be so."""
    start_by, late, watch_at = expiry_of(attempt), attempt.lateness, attempt.watch_at
    looks = [_past(start_by)] if start_by is not None else []
    waits = attempt.state in {RunState.WAITING, RunState.QUEUED}
    looks += [late.look_at] if waits and late is not None and late.look_at is not None else []
    if not looks or watch_at is None:
        return attempt
    return replace(attempt, watch_at=min(watch_at, max(now, min(looks))))


def _forecast_look(attempt: Attempt, finish: Finish, now: datetime) -> datetime:
    """Return the instant at which the forecast of an attempt may pass its deadline."""
    usual = timedelta(milliseconds=finish.usual_ms or 0)
    if attempt.due_at + usual > finish.by:
        return now
    return _past(finish.by - usual) if finish.is_judged else now + PATIENCE


def _past(instant: datetime) -> datetime:
    """Just after: an end at the deadline itself is in time."""
    return instant + MILLISECOND


def watched_end(ended: Attempt) -> Attempt:
    """The ended attempt, watched if something follows its end, and else not.

    A watch instant that is near stays: the index keeps its entry, which costs nothing. One that is
    far away, as of a target that may be silent for a day, or past comes nearer.
    """
    if not ended.is_followed or ended.ended_at is None:
        return replace(ended, watch_at=None)
    known, first = ended.watch_at, ended.ended_at + FOLLOW_WITHIN
    is_near = known is not None and ended.ended_at < known <= ended.ended_at + 2 * FOLLOW_WITHIN
    return ended if is_near else replace(ended, watch_at=first)


def awaits_outcomes(attempt: Attempt) -> bool:
    """It has ended, and what follows its end is not done yet."""
    return attempt.state in TERMINAL and attempt.watch_at is not None


def show_end_again(ended: Attempt, *, now: datetime) -> datetime | None:
    """The next watch instant of an end that outcomes is to be shown again; ``None``: not yet.

    The pauses double: an end that cannot be followed costs less and less.
    """
    since = now - (ended.ended_at or now)
    if since < FOLLOW_WITHIN / 2:
        return None
    return now + min(max(since, FOLLOW_WITHIN), FOLLOW_AT_LEAST_EVERY)


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Expire:
    """It has not started within the time that its trigger allows."""

    #: The cause, where one is known.
    explanation: str | None = None


Verdict = LookAgain | Publish | TimeOut | BuryKiller | Abandon | Expire


def judge(attempt: Attempt, *, now: datetime, load: QueueDepth) -> Verdict:
    """Decide about an attempt whose watch instant has passed; ``load``: that of its queue."""
    if attempt.state is RunState.WAITING:
        if now < attempt.due_at - PUBLISH_AHEAD:
            # Its deadline brought a sweeper here before its time.
            return LookAgain(at=attempt.due_at - PUBLISH_AHEAD)
        return Publish(watch_at=max(attempt.due_at, now) + PATIENCE)
    if attempt.state is RunState.QUEUED:
        return _judge_unclaimed(attempt, now, load)
    return _judge_running(attempt, now)


def _judge_unclaimed(attempt: Attempt, now: datetime, load: QueueDepth) -> Verdict:
    if attempt.offer is not None:
        return LookAgain(at=now + OFFER_PATIENCE)
    claimable_at, unsure = claimable_from(attempt), is_unsure(attempt)
    patience = UNSURE_PATIENCE if unsure else PATIENCE
    if claimable_at + patience > now:
        return LookAgain(at=claimable_at + patience)
    waited = now - claimable_at
    # The distance grows, so that a backlog costs less and less.
    again_at = now + min(max(waited, PATIENCE), BACKLOG_PATIENCE)
    looked_at = (attempt.watch_at or claimable_at) - claimable_at
    is_lost = load is QueueDepth.IDLE or unsure or needs_copy(waited, looked_at)
    if is_lost or (load is QueueDepth.IN_FLIGHT and _is_first_look(attempt)):
        return Publish(watch_at=again_at)
    return LookAgain(at=again_at)


def _is_first_look(attempt: Attempt) -> bool:
    """No look has put the unclaimed attempt off yet.

    A worker has received its message for so long without a claim that it must have died. That is
    presumed once for each attempt: a queue whose workers are throttled gets no second copy.
    """
    return attempt.watch_at is not None and attempt.watch_at <= claimable_from(attempt) + PATIENCE


def is_unsure(attempt: Attempt) -> bool:
    """Nothing on record says that its message was sent: its creator may have died before that.

    A publication by the sweeper ends this, so that it happens once.
    """
    if attempt.state is not RunState.QUEUED or not attempt.direct or attempt.offer is not None:
        return False
    first = claimable_from(attempt) + UNSURE_PATIENCE
    return attempt.watch_at is not None and attempt.watch_at <= first


def claimable_from(attempt: Attempt) -> datetime:
    """From then on a worker may claim it; one that is caught up could not be claimed before."""
    return max(attempt.due_at, attempt.created_at)


def _judge_running(attempt: Attempt, now: datetime) -> Verdict:
    lease = attempt.lease
    if lease is None:
        return Publish(watch_at=now + PATIENCE)
    returns = message_returns(attempt)
    if look_limit(lease.expires_at, returns=returns) <= now:
        # It was not renewed: the worker died, whatever the timeout says.
        return _judge_abandoned(attempt, now)
    stopped_at = _stopped_at(lease)
    if stopped_at is not None and look_limit(stopped_at, returns=returns) <= now:
        return TimeOut()
    over_at = min(lease.expires_at, stopped_at or lease.expires_at)
    return LookAgain(at=look_limit(over_at, returns=returns))


def message_returns(attempt: Attempt) -> bool:
    """Its queue delivers the held attempt's message again after the lease.

    The message of ``at_most_once`` was deleted at the claim, and that of a run which its target has
    accepted at the hand-over. A run of a pool has none.
    """
    once = attempt.delivery is DeliveryMode.AT_MOST_ONCE
    handed_over = attempt.lease is not None and attempt.lease.handed_over_at is not None
    return not once and not handed_over and attempt.offer is None


def _stopped_at(lease: Lease) -> datetime | None:
    """The instant from which a live lease has outlived its run's timeout, if that is known.

    The lease of a worker that died just before its deadline expires up to a lease's length after
    it. Only a later expiry proves that the lease was renewed beyond the deadline.
    """
    renewed_beyond = lease.expires_at > lease.deadline_at + (lease.length or LONGEST_LEASE)
    is_known = lease.handed_over_at is not None or renewed_beyond
    return lease.deadline_at if is_known else None


def _judge_abandoned(attempt: Attempt, now: datetime) -> Verdict:
    if attempt.delivery is DeliveryMode.AT_MOST_ONCE:
        return Abandon()
    return (
        BuryKiller() if has_killed(attempt, leases=MAX_LEASES) else Publish(watch_at=now + PATIENCE)
    )
