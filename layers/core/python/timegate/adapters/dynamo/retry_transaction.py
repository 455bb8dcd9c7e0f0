"""Ending one attempt and creating the next: both or neither."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.single_writes import put_request, update_request
from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.adapters.dynamo.values import from_item
from timegate.adapters.dynamo.writes import Insert, Update
from timegate.domain.checkpoint import Checkpoint
from timegate.domain.errors import Throttled
from timegate.domain.instants import compact
from timegate.domain.run import Attempt, RunState
from timegate.ports.stores import RetryWritten

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


#: A worker may report a checkpoint while its run is being ended; it cannot do so for ever.
_TRIES = 5


@dataclass(frozen=True, kw_only=True, slots=True)
class EndAndRetry:
    """The two writes, as they are if the run has a certain checkpoint."""

    end: Update
    retry: Insert


def finish_and_retry(
    client: "DynamoDBClient",
    ended: Attempt,
    writes: Callable[[Checkpoint | None], EndAndRetry],
) -> RetryWritten:
    """Write both, unless the lease was lost or a cancel was requested.

    ``DONE`` also when both were written before and only the answer was lost.
    """
    checkpoint = ended.checkpoint
    for _ in range(_TRIES):
        refused = _write(client, writes(checkpoint))
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
    """What was in the way."""

    found: Attempt | None
    retry_exists: bool


def _write(client: "DynamoDBClient", both: EndAndRetry) -> _Refused | None:
    # A cancel request that comes before this write finds no retry, and one that comes after it
    # finds nothing to cancel here: whoever writes first decides.
    end = replace(both.end, where={**both.end.where, "cancel_requested": None})
    members: list[Any] = [{"Update": update_request(end)}, {"Put": put_request(both.retry)}]
    try:
        with throttles_translated():
            client.transact_write_items(TransactItems=members, ClientRequestToken=_token(members))
    except client.exceptions.TransactionCanceledException as error:
        reasons: list[Any] = list(error.response.get("CancellationReasons", []))
        codes = [f"{reason.get('Code')}".removesuffix("Exception") for reason in reasons]
        if MEMBER_CODES.intersection(codes):
            raise Throttled(str(error)) from error
        item = reasons[0].get("Item") if reasons else None
        return _Refused(
            found=attempt_from_fields(from_item(item)) if item else None,
            retry_exists="ConditionalCheckFailed" in codes[1:],
        )
    return None


def _token(members: list[Any]) -> str:
    """The same writes sent twice within ten minutes are one transaction.

    Of all that is written: DynamoDB refuses a token that comes again with anything else.
    """
    return hashlib.sha256(json.dumps(members, sort_keys=True).encode()).hexdigest()[:36]


def _is_held(found: Attempt, ended: Attempt) -> bool:
    """So only a cancel request or a checkpoint can have come."""
    return found.state is RunState.RUNNING and found.fence == ended.fence


def _is_ours(found: Attempt, ended: Attempt) -> bool:
    """Both were written before, and only the answer was lost."""
    if found.ended_at is None or ended.ended_at is None:
        return False
    ours = (ended.state, ended.fence, compact(ended.ended_at))
    return (found.state, found.fence, compact(found.ended_at)) == ours
