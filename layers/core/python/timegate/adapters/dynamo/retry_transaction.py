"""Ending one attempt and creating the next: both or neither."""

import hashlib
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.single_writes import put_request, update_request
from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.adapters.dynamo.values import from_item
from timegate.adapters.dynamo.writes import Insert, Update
from timegate.domain.errors import Throttled
from timegate.domain.instants import compact
from timegate.domain.run import Attempt, RunState
from timegate.ports.stores import RetryWritten

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def finish_and_retry(
    client: "DynamoDBClient",
    ended: Attempt,
    end: Update,
    retry: Insert,
) -> RetryWritten:
    """Write both, unless the lease was lost or a cancel was requested.

    ``DONE`` also when both were written before and only the answer was lost.
    """
    # A request that comes before this write finds no retry, and one that comes after it finds
    # nothing to cancel here: whoever writes first decides.
    end = replace(end, where={**end.where, "cancel_requested": None})
    members: list[Any] = [{"Update": update_request(end)}, {"Put": put_request(retry)}]
    try:
        with throttles_translated():
            client.transact_write_items(TransactItems=members, ClientRequestToken=_token(members))
    except client.exceptions.TransactionCanceledException as error:
        reasons: list[Any] = list(error.response.get("CancellationReasons", []))
        if any(
            f"{reason.get('Code')}".removesuffix("Exception") in MEMBER_CODES for reason in reasons
        ):
            raise Throttled(str(error)) from error
        return _what_was_found(reasons, ended)
    return RetryWritten.DONE


def _token(members: list[Any]) -> str:
    """The same writes sent twice within ten minutes are one transaction.

    Of all that is written: DynamoDB refuses a token that comes again with anything else.
    """
    return hashlib.sha256(json.dumps(members, sort_keys=True).encode()).hexdigest()[:36]


def _what_was_found(reasons: list[Any], ended: Attempt) -> RetryWritten:
    found = reasons[0].get("Item") if reasons else None
    if not found:
        return RetryWritten.LEASE_LOST
    stored = attempt_from_fields(from_item(found))
    if _is_ours(stored, ended):
        return RetryWritten.DONE
    holds_lease = stored.state is RunState.RUNNING and stored.fence == ended.fence
    return (
        RetryWritten.CALLED_OFF
        if holds_lease and stored.cancel_requested
        else RetryWritten.LEASE_LOST
    )


def _is_ours(stored: Attempt, ended: Attempt) -> bool:
    """Our own end, already written."""
    if stored.ended_at is None or ended.ended_at is None:
        return False
    marks = (stored.state, stored.fence, compact(stored.ended_at))
    return marks == (ended.state, ended.fence, compact(ended.ended_at))
