"""The states of an attempt, the table of steps between them, and reasons of ends."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class RunState(StrEnum):
    """State of an attempt: waiting, queued, running, or one of its ends."""

    #: Due further away than a queue can delay, or due and waiting for a slot or for another
    #: message; the sweeper queues it when near, and the worker that frees the slot when it is its
    #: turn.
    WAITING = "waiting"
    #: Published, or about to be: a queued image in the stream means "publish me".
    QUEUED = "queued"
    #: Leased by a worker.
    RUNNING = "running"
    SUCCEEDED = "succeeded"
    #: Ended in an error; a retry, if any, is the next attempt.
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    CANCELLED = "cancelled"
    #: Not executed, for the reason on record.
    SKIPPED = "skipped"
    #: Out of retries, or it killed its workers; kept with its context.
    DEAD_LETTERED = "dead_lettered"


TRANSITIONS: Mapping[RunState, frozenset[RunState]] = MappingProxyType(
    {
        RunState.WAITING: frozenset(
            {
                RunState.QUEUED,
                RunState.CANCELLED,
                # An edit ended it: the schedule before had replaced it. Or it expired.
                RunState.SKIPPED,
                # Another region may have begun it.
                RunState.DEAD_LETTERED,
            }
        ),
        RunState.QUEUED: frozenset(
            {
                # Due, but its job's slots are taken. Or its queue gave its message up.
                RunState.WAITING,
                RunState.RUNNING,
                RunState.SKIPPED,
                RunState.CANCELLED,
                RunState.DEAD_LETTERED,
            }
        ),
        RunState.RUNNING: frozenset(
            {
                # Rescued: its lease expired and no worker took it over. Or its next slice is due.
                RunState.QUEUED,
                # Its lease expired, and its slot went to another; or its next slice is far away.
                RunState.WAITING,
                RunState.SUCCEEDED,
                RunState.FAILED,
                RunState.TIMED_OUT,
                RunState.CANCELLED,
                RunState.DEAD_LETTERED,
            }
        ),
        RunState.SUCCEEDED: frozenset(),
        RunState.FAILED: frozenset(),
        RunState.TIMED_OUT: frozenset(),
        RunState.CANCELLED: frozenset(),
        RunState.SKIPPED: frozenset(),
        RunState.DEAD_LETTERED: frozenset(),
    }
)

TERMINAL = frozenset(state for state, following in TRANSITIONS.items() if not following)
#: States of attempts that have not ended.
LIVE = frozenset(TRANSITIONS) - TERMINAL


#: Ends of runs without success.
FAILURES = TERMINAL - {RunState.SUCCEEDED}


class Reason(StrEnum):
    """Reasons of an attempt's end that its state alone does not give."""

    #: The job changed and its new schedule no longer names this instant; or its creation was
    #: repeated, and the job has the run of another request.
    SUPERSEDED = "superseded"
    PAUSED = "paused"
    #: It passed while nothing was planned, and its job's catch-up policy leaves it out.
    MISSED_WINDOW = "missed_window"
    #: Earlier runs of its job held all that ``max_runs`` allows.
    MAX_RUNS = "max_runs"
    #: It could not start within the time its job allows.
    LATE = "late"
    #: It was due while others held all slots, and its job forbids it to wait.
    OVERLAP = "overlap"
    #: It could not start within the time its trigger allows.
    EXPIRED = "expired"
    #: A calendar of its job leaves it out.
    EXCLUDED = "excluded"
    #: It moved to a business day, where another instant runs for it.
    ROLLED = "rolled"
    NO_BUSINESS_DAY = "no_business_day"
    #: It was due during a freeze, and that lets it not run after all.
    FROZEN = "frozen"
    CONDITION = "condition"
    #: The day had all the runs that its tenant's quota allows.
    QUOTA = "quota"
    #: Another trigger's run stands for it.
    COLLAPSED = "collapsed"
    #: Too many runs triggered one another until this one.
    CHAIN_TOO_LONG = "chain_too_long"
    JOB_CANCELLED = "job_cancelled"
    CANCEL_REQUESTED = "cancel_requested"
    #: A later run took its slot, as the overlap policy of that one says.
    REPLACED = "replaced"
    #: The failure can not be cured by trying again.
    PERMANENT = "permanent"
    RETRIED = "retried"
    RETRIES_EXHAUSTED = "retries_exhausted"
    BREAKER_OPENED = "breaker_opened"
    #: The next attempt would have started later than the job allows.
    RETRY_WINDOW_CLOSED = "retry_window_closed"
    #: Workers that executed nothing else died of it.
    KILLS_WORKERS = "kills_workers"
    #: Its stored payload, or its checkpoint, is gone: its target cannot be called with it.
    PAYLOAD_LOST = "payload_lost"
    #: It failed, and its job asks for one execution at most.
    AT_MOST_ONCE = "at_most_once"
    #: Its worker died, and its job asks for one execution at most.
    WORKER_DIED = "worker_died"
    #: It went on, slice after slice, for longer than its job allows.
    DURATION_EXCEEDED = "duration_exceeded"
    #: It went on for more slices than its job allows.
    SLICES_EXHAUSTED = "slices_exhausted"
    #: Its message exhausted its receives, and workers died of it.
    POISON_MESSAGE = "poison_message"
    #: The region that was active before may have begun it, and cannot be asked.
    REGION_LOST = "region_lost"


#: With these reasons an owner's own rule asked for the end, or another attempt follows.
AS_ASKED = frozenset(
    {
        Reason.SUPERSEDED,
        Reason.PAUSED,
        Reason.MAX_RUNS,
        Reason.EXCLUDED,
        Reason.ROLLED,
        Reason.NO_BUSINESS_DAY,
        Reason.FROZEN,
        Reason.CONDITION,
        Reason.COLLAPSED,
        Reason.JOB_CANCELLED,
        Reason.RETRIED,
    }
)


def check_transition(before: RunState, after: RunState) -> None:
    """Refuse a step the table does not have; a programming error, never a user's."""
    if after not in TRANSITIONS[before]:
        message = f"an attempt cannot go from {before} to {after}"
        raise ValueError(message)
