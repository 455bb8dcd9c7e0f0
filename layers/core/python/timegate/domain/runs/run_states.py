"""The states of an attempt, and the table of steps between them."""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class RunState(StrEnum):
    """The life of an attempt; ``TRANSITIONS`` says what may follow what."""

    #: Due further away than a queue can delay, or due and waiting for a slot; the sweeper queues
    #: it when near, and whoever frees the slot when it is its turn.
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
            }
        ),
        RunState.QUEUED: frozenset(
            {
                # Due, but its job's slots are taken.
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


def check_transition(before: RunState, after: RunState) -> None:
    """Refuse a step the table does not have; a programming error, never a user's."""
    if after not in TRANSITIONS[before]:
        message = f"an attempt cannot go from {before} to {after}"
        raise ValueError(message)
