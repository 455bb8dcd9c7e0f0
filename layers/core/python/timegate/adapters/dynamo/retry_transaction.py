"""Ending one attempt and creating the next: both or neither."""

import hashlib
import json
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.single_writes import put_request, update_request
from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.adapters.dynamo.values import from_item
from timegate.adapters.dynamo.writes import Insert, Update
from timegate.domain.errors import Throttled
from timegate.domain.instants import compact
from timegate.domain.run import Attempt

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient


def finish_and_retry(
    client: "DynamoDBClient",
    ended: Attempt,
    end: Update,
    retry: Insert,
) -> bool:
    """Write both; ``False`` when the lease was lost.

    ``True`` also when both were written before and only the answer was lost.
    """
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
        return _written_before(reasons, ended)
    return True


def _token(members: list[Any]) -> str:
    """The same writes sent twice within ten minutes are one transaction.

    Of all that is written: DynamoDB refuses a token that comes again with anything else.
    """
    return hashlib.sha256(json.dumps(members, sort_keys=True).encode()).hexdigest()[:36]


def _written_before(reasons: list[Any], ended: Attempt) -> bool:
    found = reasons[0].get("Item") if reasons else None
    if not found or ended.ended_at is None:
        return False
    stored = attempt_from_fields(from_item(found))
    return stored.ended_at is not None and (
        stored.state,
        stored.fence,
        compact(stored.ended_at),
    ) == (ended.state, ended.fence, compact(ended.ended_at))
