"""The time gate: which stage holds a piece of work, and for how long."""

import math
from datetime import datetime, timedelta

from timegate.domain.jobs.demands import Precision
from timegate.domain.runs.run import Attempt, RunState

#: The longest an SQS message can be delayed.
QUEUE_LIMIT_SECONDS = 900
#: How far ahead of its instant a waiting attempt is queued: well inside the queue's limit, and
#: long enough to survive several missed ticks.
PUBLISH_AHEAD = timedelta(seconds=600)
#: Reading and claiming start this much before the due instant, so that the work itself starts on
#: it. A message may arrive this early on the ordinary lane, which centres its rounding error.
CLAIM_LEAD = timedelta(milliseconds=250)
#: The longest an executor holds a message in memory; an earlier one is hidden in its queue again.
HOLD_LIMIT = timedelta(seconds=5)
#: Work due sooner than this skips the stream: its creator publishes it.
DIRECT_WITHIN = timedelta(seconds=2)
#: A job created with a fire closer than this may be missed by the next planner tick (ticks fire
#: anywhere in their minute), so the function that creates or edits it materialises it.
NEXT_TICK_WITHIN = timedelta(seconds=150)
#: While its queue still holds messages the attempt is most likely among them; but a queue that
#: never drains must not hide a lost message for ever.
BACKLOG_PATIENCE = timedelta(minutes=15)
#: From so many times that on, copies come at equal distances.
_QUARTERS = 4

# An executor whose calls take long takes more messages from its queue: a process that waits for a
# target uses no processor. Lambda hands it ten messages and no more while it works: AWS fills
# larger batches by waiting for them, for up to 20 s where few come.
#: A call that has lasted so long is long: the processor is free for others meanwhile.
LONG_CALL = timedelta(seconds=1)
#: A process takes messages for this share of the time in which it may, at least.
LEAST_SHARE = 0.3
#: Between two looks at a queue that had few messages.
LOOK_PAUSE = timedelta(milliseconds=250)
#: The same at a queue that has had none for a while.
LONGEST_PAUSE = timedelta(seconds=2)


def first_state(due_at: datetime, now: datetime) -> RunState:
    """``queued`` when a queue can hold it until it is due, ``waiting`` when it is too far away."""
    near = due_at - now <= timedelta(seconds=QUEUE_LIMIT_SECONDS)
    return RunState.QUEUED if near else RunState.WAITING


def is_direct(due_at: datetime, now: datetime) -> bool:
    """Due so soon that the stream's latency would be most of its lateness."""
    return due_at - now <= DIRECT_WITHIN


def queue_delay_seconds(
    due_at: datetime, now: datetime, precision: Precision, lead_seconds: float
) -> int:
    """Whole seconds the queue holds the message: 0 to 900.

    The sub-second lane arrives ``lead_seconds`` to ``lead_seconds + 1`` early and is held by the
    executor. The ordinary lane arrives from ``CLAIM_LEAD`` before to ``1 s - CLAIM_LEAD`` after.
    """
    remaining = (due_at - now).total_seconds()
    if precision is Precision.SUBSECOND:
        delay = math.floor(remaining - lead_seconds)
    else:
        delay = math.ceil(remaining - CLAIM_LEAD.total_seconds())
    return min(max(delay, 0), QUEUE_LIMIT_SECONDS)


def claim_at(due_at: datetime) -> datetime:
    """Return the instant at which the executor claims, so that work starts at ``due_at`` sharp."""
    return due_at - CLAIM_LEAD


def must_hide_again(due_at: datetime, now: datetime) -> bool:
    """The message is too early to be held in a worker's memory."""
    return due_at - now > HOLD_LIMIT


def needs_copy(waited: timedelta, planned: timedelta) -> bool:
    """Tell if a run that waits in a backlog is published again by a look.

    Beyond a quarter of an hour, a half and an hour, and each hour from then on. Copies that wait
    behind a backlog hold up what comes after it: they must not grow as fast as the time.

    ``planned``: the wait at which this look was to come; its distance from the look before was as
    long as the wait then, up to a quarter of an hour.
    """
    before = max(planned / 2, planned - BACKLOG_PATIENCE)
    return _copies(waited) > _copies(before)


def _copies(waited: timedelta) -> int:
    quarters = max(-(-waited // BACKLOG_PATIENCE) - 1, 0)
    return quarters.bit_length() if quarters < _QUARTERS else 2 + quarters // _QUARTERS


def expiry_of(attempt: Attempt) -> datetime | None:
    """Return the instant by which a run must start; ``None``: it has, it ended, or it may wait."""
    waits = attempt.state in {RunState.WAITING, RunState.QUEUED} and attempt.fence == 0
    # A caller who opens a run again wants it, however late it is.
    if attempt.terms is None or not waits or attempt.opened_at is not None:
        return None
    return attempt.terms.start_by


def has_expired(attempt: Attempt, now: datetime) -> bool:
    """Tell if a run can start no more."""
    start_by = expiry_of(attempt)
    return start_by is not None and start_by < now


def has_long_call(oldest_start: datetime | None, *, now: datetime) -> bool:
    """Tell if the oldest of the calls under way is a long one; ``None``: no call is under way."""
    return oldest_start is not None and now - oldest_start >= LONG_CALL


def gathers_until(begun_at: datetime, latest: datetime, chance: float) -> datetime:
    """Return the instant from which a process takes no more messages, by a chance of 0 to 1.

    Processes that a burst began together would all be full and taking none at the same time.
    """
    return begun_at + (latest - begun_at) * (LEAST_SHARE + (1 - LEAST_SHARE) * chance)


def next_pause(pause: timedelta, *, received: int, asked: int) -> timedelta:
    """Return the pause before the next look; none after a look that brought all it asked for."""
    if received >= asked:
        return timedelta(0)
    return LOOK_PAUSE if received else min(max(pause, LOOK_PAUSE / 2) * 2, LONGEST_PAUSE)
