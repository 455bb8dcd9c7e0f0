"""What happens to a lease between its claim and its end: one write each."""

from collections.abc import Mapping
from datetime import datetime
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.attempt_items import attempt_from_fields
from timegate.adapters.dynamo.checkpoint_items import checkpoint_to_fields, progress_to_fields
from timegate.adapters.dynamo.delivery_items import answer_to_fields
from timegate.adapters.dynamo.keys import attempt_key
from timegate.adapters.dynamo.lease_items import LEASE_FIELDS
from timegate.adapters.dynamo.single_writes import write_each
from timegate.adapters.dynamo.throttles import throttles_translated
from timegate.adapters.dynamo.values import Item, Plain, from_item, to_attribute
from timegate.adapters.dynamo.writes import Result, Update
from timegate.domain.checkpoint import Report
from timegate.domain.delivery import KeptAnswer
from timegate.domain.errors import CheckpointOutdated, LeaseLost
from timegate.domain.instants import compact
from timegate.domain.run import Attempt, RunState
from timegate.domain.suspects import alone_when_released
from timegate.ports.held_leases import HeldByDagRun

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import UpdateItemInputTypeDef

#: It is running, and under the very lease that is being renewed.
_IS_HELD = "#state = :running AND fence = :fence"
#: It comes after the one that is stored, if any.
_GROWS = "(attribute_not_exists(checkpoint_sequence) OR checkpoint_sequence < :sequence)"
#: Who finds it in its pool may take it over when the lease has expired.
_SHOWN = "offered_at = :expires"
#: The target has it from its first word on, or since it was left to it.
_FIRST_WORD = "handed_over_at = if_not_exists(handed_over_at, :at)"


def extend(
    client: "DynamoDBClient",
    table: str,
    attempt: Attempt,
    *,
    expires_at: datetime,
    report: Report,
    watch: Mapping[str, Plain],
    handed_over_at: datetime | None = None,
) -> bool:
    """Renew a lease and store what its holder reports; whether a cancel was requested.

    Raises ``LeaseLost`` and ``CheckpointOutdated``.
    """
    try:
        with throttles_translated():
            answer = client.update_item(
                **_extension(table, attempt, expires_at, report, watch, handed_over_at)
            )
    except client.exceptions.ConditionalCheckFailedException as error:
        found: Any = error.response.get("Item")
        return _reported_before(found, attempt, report)
    return attempt_from_fields(from_item(answer["Attributes"])).cancel_requested


def _extension(
    table: str,
    attempt: Attempt,
    expires_at: datetime,
    report: Report,
    watch: Mapping[str, Plain],
    handed_over_at: datetime | None,
) -> "UpdateItemInputTypeDef":
    said = {**_said(report), **watch}
    kept = {name: value for name, value in said.items() if value is not None}
    shown = [_SHOWN] if attempt.offer is not None else []
    own = (f"{name} = :{name}" for name in kept)
    first = [_FIRST_WORD] if handed_over_at is not None else []
    sets = ", ".join(["lease_expires_at = :expires", *shown, *first, *own])
    gone = ", ".join(name for name in said if name not in kept)
    values: Item = {
        ":expires": {"S": compact(expires_at)},
        ":running": {"S": RunState.RUNNING},
        ":fence": {"N": str(attempt.fence)},
        **{f":{name}": to_attribute(value) for name, value in kept.items()},
    }
    if handed_over_at is not None:
        values[":at"] = {"S": compact(handed_over_at)}
    condition = _IS_HELD
    if report.checkpoint is not None:
        condition += f" AND {_GROWS}"
        values[":sequence"] = {"N": str(report.checkpoint.sequence)}
    return {
        "TableName": table,
        "Key": attempt_key(attempt.tenant, attempt.id).attributes(),
        "UpdateExpression": f"SET {sets}" + (f" REMOVE {gone}" if gone else ""),
        "ConditionExpression": condition,
        "ExpressionAttributeNames": {"#state": "state"},
        "ExpressionAttributeValues": values,
        "ReturnValues": "ALL_NEW",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }


def _said(report: Report) -> dict[str, Plain]:
    return {**progress_to_fields(report.progress), **checkpoint_to_fields(report.checkpoint)}


def _reported_before(found: Item | None, attempt: Attempt, report: Report) -> bool:
    """Our own report, already written: the answer to it was lost on its way."""
    stored = attempt_from_fields(from_item(found)) if found else None
    held = stored is not None and (stored.state, stored.fence) == (RunState.RUNNING, attempt.fence)
    if stored is None or not held or report.checkpoint is None:
        raise LeaseLost(str(attempt.id))
    if checkpoint_to_fields(stored.checkpoint) != checkpoint_to_fields(report.checkpoint):
        raise CheckpointOutdated(str(attempt.id), report.checkpoint.sequence)
    return stored.cancel_requested


def hand_over(
    client: "DynamoDBClient",
    table: str,
    attempt: Attempt,
    *,
    expires_at: datetime,
    at: datetime,
    watch: Mapping[str, Plain],
    to: HeldByDagRun | None = None,
) -> bool:
    """Leave the lease to the target; ``False`` when it was lost, or the run has ended."""
    held = {"dag_run": to.dag_run, "deadline_at": compact(to.deadline_at)} if to else {}
    update = Update(
        table=table,
        key=attempt_key(attempt.tenant, attempt.id),
        fields={
            "lease_expires_at": compact(expires_at),
            "handed_over_at": compact(at),
            **held,
            **watch,
        },
        where={"state": RunState.RUNNING, "fence": attempt.fence, "handed_over_at": None},
        shows_refused=True,
    )
    (result,) = write_each(client, [update])
    return result.done or _has_spoken(result, attempt)


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
        fields={
            "state": state,
            "direct": False,
            "releases": attempt.releases + 1,
            **_alone(attempt),
            **watch,
        },
        removed=LEASE_FIELDS,
        where={"state": RunState.RUNNING, "fence": attempt.fence},
        shows_refused=True,
    )
    (result,) = write_each(client, [update])
    return result.done or _released_before(result, attempt, state)


def _alone(attempt: Attempt) -> dict[str, Plain]:
    """A lease that was handed back is none that ended without a word."""
    return {"alone": alone_when_released(attempt) or None} if attempt.alone else {}


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


def _has_spoken(result: Result, attempt: Attempt) -> bool:
    """The target was quicker with its first heartbeat; or this is our own write."""
    if result.found is None:
        return False
    stored = attempt_from_fields(result.found)
    return stored.state is RunState.RUNNING and stored.fence == attempt.fence


def _released_before(result: Result, attempt: Attempt, state: RunState) -> bool:
    """Our own release, already written: the answer to it was lost on its way."""
    if result.found is None:
        return False
    stored = attempt_from_fields(result.found)
    marks = (stored.state, stored.fence, stored.releases)
    return marks == (state, attempt.fence, attempt.releases + 1)
