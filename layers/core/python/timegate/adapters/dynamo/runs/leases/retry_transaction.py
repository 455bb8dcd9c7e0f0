"""Ending one attempt and creating the next: both or neither."""

from collections.abc import Callable
from dataclasses import replace

from timegate.adapters.dynamo.runs.items.attempt_reading import attempt_from_fields
from timegate.adapters.dynamo.tables.engine import REFUSED, TRANSIENT, Engine
from timegate.adapters.dynamo.tables.writes import Insert, Update
from timegate.domain.runs.checkpoint import Checkpoint
from timegate.domain.runs.run import Attempt, RunState
from timegate.domain.values.errors import Throttled
from timegate.domain.values.instants import compact
from timegate.ports.runs.held_leases import RetryWritten
from timegate.value_classes import dataclass

#: A worker may report a checkpoint while its run is being ended; it cannot do so for ever.
_TRIES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class EndAndRetry:
    """The two writes, as they are if the run has a certain checkpoint."""

    end: Update
    retry: Insert


def finish_and_retry(
    engine: Engine,
    ended: Attempt,
    writes: Callable[[Checkpoint | None], EndAndRetry],
) -> RetryWritten:
    """Write both, unless the lease was lost or a cancel was requested.

    ``DONE`` also when both were written before and only the answer was lost.
    """
    checkpoint = ended.checkpoint
    for _ in range(_TRIES):
        refused = _write(engine, writes(checkpoint))
        if refused is None:
            return RetryWritten.DONE
        found = refused.found
        if found is None or not _is_held(found, ended) or refused.retry_exists:
            ours = found is not None and _is_ours(found, ended)
            return RetryWritten.DONE if ours else RetryWritten.LEASE_LOST
        if found.cancel_requested:
            return RetryWritten.CALLED_OFF
        checkpoint = found.checkpoint
    raise Throttled(f"{ended.id} reports one checkpoint after the other.")


@dataclass(frozen=True, kw_only=True, slots=True)
class _Refused:
    """Records that refused the transaction."""

    found: Attempt | None
    retry_exists: bool


def _write(engine: Engine, both: EndAndRetry) -> _Refused | None:
    # A cancel request that comes before this write finds no retry, and one that comes after it
    # finds nothing to cancel here: the first write decides.
    end = replace(both.end, where={**both.end.where, "cancel_requested": None})
    refusals = engine.transact([end, both.retry], is_named=True)
    if not refusals:
        return None
    codes = [refusal.code for refusal in refusals]
    if TRANSIENT.intersection(codes):
        raise Throttled(f"An end with a retry was refused: {codes}.")
    item = refusals[0].found
    return _Refused(
        found=attempt_from_fields(item) if item else None,
        retry_exists=REFUSED in codes[1:],
    )


def _is_held(found: Attempt, ended: Attempt) -> bool:
    """So only a cancel request or a checkpoint can have come."""
    return found.state is RunState.RUNNING and found.fence == ended.fence


def _is_ours(found: Attempt, ended: Attempt) -> bool:
    """Both were written before, and only the answer was lost."""
    if found.ended_at is None or ended.ended_at is None:
        return False
    ours = (ended.state, ended.fence, compact(ended.ended_at))
    return (found.state, found.fence, compact(found.ended_at)) == ours
