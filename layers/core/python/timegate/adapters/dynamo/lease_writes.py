"""What happens to a lease between its claim and its end: one write each."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING

from timegate.adapters.dynamo.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.delivery_items import answer_to_fields
from timegate.adapters.dynamo.keys import attempt_key
from timegate.adapters.dynamo.single_writes import write_each
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item
from timegate.adapters.dynamo.writes import Result, Update
from timegate.domain.delivery import KeptAnswer
from timegate.domain.errors import LeaseLost
from timegate.domain.instants import compact
from timegate.domain.run import Attempt, RunState

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: It is running, and under the very lease that is being renewed.
_IS_HELD = "#state = :running AND fence = :fence"


def extend(client: "DynamoDBClient", table: str, attempt: Attempt, *, expires_at: datetime) -> bool:
    """Renew a lease; whether a cancel was requested; raises ``LeaseLost``."""
    try:
        with throttles_translated():
            answer = client.update_item(
                TableName=table,
                Key=attempt_key(attempt.tenant, attempt.id).attributes(),
                UpdateExpression="SET lease_expires_at = :expires",
                ConditionExpression=_IS_HELD,
                ExpressionAttributeNames={"#state": "state"},
                ExpressionAttributeValues={
                    ":expires": {"S": compact(expires_at)},
                    ":running": {"S": RunState.RUNNING},
                    ":fence": {"N": str(attempt.fence)},
                },
                ReturnValues="ALL_NEW",
            )
    except client.exceptions.ConditionalCheckFailedException as error:
        raise LeaseLost(str(attempt.id)) from error
    return attempt_from_fields(from_item(answer["Attributes"])).cancel_requested


def release(
    client: "DynamoDBClient",
    table: str,
    attempt: Attempt,
    *,
    state: RunState,
    watch: Mapping[str, Plain],
) -> bool:
    """Hand a lease back; ``False`` when it was lost."""
    update = Update(
        table=table,
        key=attempt_key(attempt.tenant, attempt.id),
        fields={"state": state, "direct": False, "releases": attempt.releases + 1, **watch},
        removed=["owner", "lease_expires_at", "deadline_at"],
        where={"state": RunState.RUNNING, "fence": attempt.fence},
        shows_refused=True,
    )
    (result,) = write_each(client, [update])
    return result.done or _released_before(result, attempt, state)


def keep_answer(client: "DynamoDBClient", table: str, attempt: Attempt, answer: KeptAnswer) -> bool:
    """Keep an answer, unless there is one."""
    update = Update(
        table=table,
        key=attempt_key(attempt.tenant, attempt.id),
        # Should the attempt be queued just now, this image must not publish it again.
        fields={**answer_to_fields(answer), "direct": True},
        where={"answer_fence": None},
    )
    (result,) = write_each(client, [update])
    return result.done


def count_duplicate(client: "DynamoDBClient", table: str, attempt: Attempt) -> None:
    """Add one; an attempt that is not there is not created."""
    try:
        with throttles_translated():
            client.update_item(
                TableName=table,
                Key=attempt_key(attempt.tenant, attempt.id).attributes(),
                UpdateExpression="ADD duplicates_prevented :one",
                ConditionExpression="attribute_exists(pk)",
                ExpressionAttributeValues={":one": {"N": "1"}},
            )
    except client.exceptions.ConditionalCheckFailedException:
        return


def _released_before(result: Result, attempt: Attempt, state: RunState) -> bool:
    """Our own release, already written: the answer to it was lost on its way."""
    if result.found is None:
        return False
    stored = attempt_from_fields(result.found)
    marks = (stored.state, stored.fence, stored.releases)
    return marks == (state, attempt.fence, attempt.releases + 1)
