"""Ending one attempt and creating the next: both or neither."""

import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.keys import attempt_key
from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.adapters.dynamo.values import Item, Plain, from_item, to_attribute
from timegate.domain.errors import Throttled
from timegate.domain.instants import compact
from timegate.domain.run import Attempt, RunState

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: It is running, and under our lease.
_IS_HELD = "#state = :running AND #fence = :held"
_IS_NEW = "attribute_not_exists(pk)"


def finish_and_retry(
    client: "DynamoDBClient",
    table: str,
    ended: Attempt,
    end_fields: Mapping[str, Plain],
    retry_item: Item,
) -> bool:
    """Write both; ``False`` when the lease was lost.

    ``True`` also when both were written before and only the answer was lost.
    """
    members: list[Any] = [
        {"Update": _end(table, ended, end_fields)},
        {"Put": {"TableName": table, "Item": retry_item, "ConditionExpression": _IS_NEW}},
    ]
    try:
        with throttles_translated():
            client.transact_write_items(TransactItems=members, ClientRequestToken=_token(ended))
    except client.exceptions.TransactionCanceledException as error:
        reasons: list[Any] = list(error.response.get("CancellationReasons", []))
        if any(
            f"{reason.get('Code')}".removesuffix("Exception") in MEMBER_CODES for reason in reasons
        ):
            raise Throttled(str(error)) from error
        return _written_before(reasons, ended)
    return True


def _end(table: str, ended: Attempt, fields: Mapping[str, Plain]) -> Mapping[str, Any]:
    sets = ", ".join(f"#{name} = :{name}" for name in fields)
    return {
        "TableName": table,
        "Key": attempt_key(ended.tenant, ended.id).attributes(),
        "UpdateExpression": f"SET {sets} REMOVE watch_bucket, watch_at",
        "ConditionExpression": _IS_HELD,
        "ExpressionAttributeNames": {f"#{name}": name for name in (*fields, "fence")},
        "ExpressionAttributeValues": {
            **{f":{name}": to_attribute(value) for name, value in fields.items()},
            ":running": {"S": RunState.RUNNING},
            ":held": {"N": str(ended.fence)},
        },
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }


def _token(ended: Attempt) -> str:
    """The same end sent twice within ten minutes is one transaction."""
    at = compact(ended.ended_at) if ended.ended_at is not None else ""
    identity = f"{ended.tenant}#{ended.id}#{ended.fence}#{at}"
    return hashlib.sha256(identity.encode()).hexdigest()[:36]


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
