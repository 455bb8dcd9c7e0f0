"""The mark by which the stream shows outcomes a record, and the write that takes it away."""

from timegate.adapters.dynamo.tables.keys import attempt_key
from timegate.adapters.dynamo.tables.writes import Update
from timegate.domain.runs.conclusion import calls_off
from timegate.domain.runs.run import Attempt
from timegate.domain.runs.watch import awaits_outcomes
from timegate.domain.values.instants import compact

#: The stream filter of outcomes lets through what has a follow-up.
FOLLOW_COMPLETE = "complete"
FOLLOW_OPERATION = "operation"
FOLLOW_NOTIFY = "notify"
FOLLOW_TASK = "task"
FOLLOW_STOP = "stop"
FOLLOW_PLACE = "place"

#: Fields whose removal takes an attempt out of the ``watch`` index.
UNWATCHED = ("watch_bucket", "watch_at")


def follow_field(attempt: Attempt) -> str | None:
    """Return the reader of this end or request to stop; ``None`` if no function acts on it.

    An end has it exactly as long as it is watched.
    """
    if calls_off(attempt):
        return FOLLOW_STOP
    if not (awaits_outcomes(attempt) and attempt.is_followed):
        return None
    if attempt.is_task:
        return FOLLOW_TASK
    if attempt.completes_job:
        return FOLLOW_COMPLETE
    if attempt.operation is not None:
        return FOLLOW_OPERATION
    return FOLLOW_PLACE if attempt.frees_place else FOLLOW_NOTIFY


def unwatching(table: str, ended: Attempt) -> Update:
    """All that follows this end is done: neither sweeper nor stream meets it again."""
    ended_at = compact(ended.ended_at) if ended.ended_at is not None else None
    return Update(
        table=table,
        key=attempt_key(ended.tenant, ended.id),
        fields={},
        removed=[*UNWATCHED, "follow"],
        # Such an attempt never changes its state again, and an operator who settles it may come
        # between.
        where={"state": ended.state, "ended_at": ended_at},
    )
