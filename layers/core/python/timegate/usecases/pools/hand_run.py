"""Handing a run to the worker of a pool: its lease's token, its payload and its checkpoint."""

import json
from contextlib import suppress

from timegate.domain.execution.trace_context import lease_traceparent
from timegate.domain.pools.lease_token import issue_token
from timegate.domain.values.corrupt_record import BlobMissing
from timegate.domain.values.errors import LeaseLost, Malformed, Throttled
from timegate.ports.call_runner import TargetFailed
from timegate.usecases.execution.hand_back import (
    PayloadLost,
    is_lost_for_good,
    put_off,
)
from timegate.usecases.execution.known_answer import known_answer
from timegate.usecases.execution.record_ending import record_ending
from timegate.usecases.execution.supervise_run import CallFailed, Known
from timegate.usecases.runs.store_checkpoint import load_checkpoint
from timegate.usecases.runs.store_payload import payload_to_send
from timegate.usecases.services.execution_services import Claimed, Execution
from timegate.usecases.services.worker_services import WorkerServices
from timegate.value_classes import dataclass


@dataclass(frozen=True, kw_only=True, slots=True)
class Handed:
    """A run that is the worker's from now on."""

    claimed: Claimed
    token: str
    #: Its run's trace, and a span of the lease.
    traceparent: str
    #: JSON text; ``None``: its job has no payload.
    payload: str | None
    #: Checkpoint of the worker that held the run last; ``None``: it begins at the beginning.
    checkpoint: str | None

    @property
    def response_bytes(self) -> int:
        """Return the bytes that its texts take at most in a response, whose body is JSON text."""
        parent = self.claimed.attempt.parent
        texts = (self.payload, self.checkpoint, parent.document if parent is not None else None)
        return sum(len(json.dumps(text)) for text in texts)


def hand(claimed: Claimed, execution: Execution, services: WorkerServices) -> Handed | None:
    """Give a leased run to its worker; ``None``: there is nothing to do any more, or not now."""
    try:
        known = known_answer(claimed, execution)
        if known is not None:
            record_ending(claimed, Known(answer=known), execution, services.completions())
            return None
        payload = payload_to_send(claimed.job, claimed.attempt, execution.blobs)
        checkpoint = load_checkpoint(claimed.attempt.checkpoint, services.blobs)
    except LeaseLost:
        return None
    except TargetFailed as refused:
        failed = CallFailed(started_at=execution.clock.now(), failure=refused.failure)
        _end(claimed, failed, execution, services)
        return None
    except (Malformed, Throttled) as error:
        if isinstance(error, BlobMissing) and is_lost_for_good(claimed):
            _end(claimed, PayloadLost(path=error.path), execution, services)
            return None
        # Another worker gets it when that has passed; its handler was not called.
        put_off(claimed, execution)
        return None
    attempt, fence = claimed.attempt, claimed.lease.fence
    return Handed(
        claimed=claimed,
        token=issue_token(attempt, claimed_at=services.clock.now()),
        traceparent=lease_traceparent(attempt, fence, percent=services.trace_percent),
        payload=payload,
        checkpoint=checkpoint,
    )


def _end(
    claimed: Claimed,
    ending: CallFailed | PayloadLost,
    execution: Execution,
    services: WorkerServices,
) -> None:
    with suppress(LeaseLost):
        record_ending(claimed, ending, execution, services.completions())
