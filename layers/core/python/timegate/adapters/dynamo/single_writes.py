"""Single writes side by side: for what a reader of the stream must see.

AWS streams what PartiQL writes, the local cloud does not (``docs/local-cloud.md``). A single write
costs the same capacity as a statement of a batch; what it costs more is a round trip, and those
run side by side.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from botocore.exceptions import ClientError

from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.adapters.dynamo.transactions import write_or_refuse
from timegate.adapters.dynamo.values import Plain, from_item, to_attribute, to_item
from timegate.adapters.dynamo.writes import Count, Insert, Put, Replace, Result, Update, Write
from timegate.domain.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: Round trips under way at once, below the client's connection pool.
SIDE_BY_SIDE = 16

Asked = TypeVar("Asked")
Answer = TypeVar("Answer")


def write_each(client: "DynamoDBClient", writes: Sequence[Write]) -> list[Result]:
    """Write each item by itself, in no order; raises ``Throttled`` when one stays throttled.

    Raising does not undo the others: every write is conditional, so the caller's repetition meets
    its own work.
    """
    return side_by_side(partial(_write, client), writes)


def side_by_side(call: Callable[[Asked], Answer], asked: Sequence[Asked]) -> list[Answer]:
    """The answers to calls that mostly wait, in the order asked; raises what one of them raises."""
    if len(asked) <= 1:
        return [call(each) for each in asked]
    with ThreadPoolExecutor(min(SIDE_BY_SIDE, len(asked))) as pool:
        return list(pool.map(call, asked))


def _write(client: "DynamoDBClient", write: Write) -> Result:
    try:
        with throttles_translated():
            match write:
                case Insert() | Replace():
                    client.put_item(**put_request(write))
                case Update():
                    client.update_item(**update_request(write))
                case Count():
                    client.update_item(**count_request(write))
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        found: Any = error.response.get("Item")
        return Result(done=False, found=from_item(found) if found else None)
    return Result(done=True)


def write_with(client: "DynamoDBClient", write: Write, beside: Sequence[Write | Put]) -> bool:
    """A write and what goes with it, or neither; alone it costs half."""
    if not beside:
        return _write(client, write).done
    return not write_or_refuse(client, [member(each) for each in (write, *beside)])


def write_together(client: "DynamoDBClient", writes: Sequence[Write | Put]) -> bool:
    """All of them or none: whether every condition held; raises ``Throttled``."""
    try:
        with throttles_translated():
            client.transact_write_items(TransactItems=[member(write) for write in writes])
    except client.exceptions.TransactionCanceledException as error:
        codes = {f"{r.get('Code')}" for r in error.response.get("CancellationReasons", [])}
        if {code.removesuffix("Exception") for code in codes} & MEMBER_CODES:
            raise Throttled(str(error)) from error
        return False
    return True


def put_request(write: Insert | Put | Replace) -> dict[str, Any]:
    """What ``PutItem``, or a transaction's ``Put``, is asked."""
    request: dict[str, Any] = {"TableName": write.table, "Item": to_item(write.fields)}
    match write:
        case Insert():
            return request | {"ConditionExpression": "attribute_not_exists(pk)"}
        case Replace():
            return request | _condition(write.where)
        case Put():
            return request


def update_request(write: Update) -> dict[str, Any]:
    """What ``UpdateItem``, or a transaction's ``Update``, is asked.

    Set values are named ``:s_…``, compared ones ``:w_…``: a field may be both. Those that are
    taken out of sets are named ``:t_…``.
    """
    kept = [f"#{name} = :s_{name}" for name in write.kept]
    sets = ", ".join([*kept, *(f"#{name} = #{name} + :one" for name in write.raised)])
    removes = ", ".join(f"#{name}" for name in write.gone)
    takes = ", ".join(f"#{name} :t_{name}" for name in write.taken)
    condition = _condition(write.where)
    names = condition["ExpressionAttributeNames"]
    values = condition["ExpressionAttributeValues"]
    return {
        "TableName": write.table,
        "Key": write.key.attributes(),
        "UpdateExpression": f"SET {sets}"
        + (f" REMOVE {removes}" if removes else "")
        + (f" DELETE {takes}" if takes else ""),
        "ConditionExpression": condition["ConditionExpression"],
        "ExpressionAttributeNames": names
        | {f"#{n}": n for n in (*write.kept, *write.gone, *write.raised, *write.taken)},
        "ExpressionAttributeValues": values
        | {f":s_{name}": to_attribute(value) for name, value in write.kept.items()}
        | {f":t_{name}": to_attribute(value) for name, value in write.taken.items()}
        | ({":one": {"N": "1"}} if write.raised else {}),
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD" if write.shows_refused else "NONE",
    }


def _condition(where: Mapping[str, Plain]) -> dict[str, Any]:
    """The item exists, for a write must not create one, and its fields are as they should be."""
    clauses = ["attribute_exists(pk)"] + [
        f"attribute_not_exists(#{name})" if value is None else f"#{name} = :w_{name}"
        for name, value in where.items()
    ]
    return {
        "ConditionExpression": " AND ".join(clauses),
        "ExpressionAttributeNames": {f"#{name}": name for name in where},
        "ExpressionAttributeValues": {
            f":w_{name}": to_attribute(value) for name, value in where.items() if value is not None
        },
    }


def count_request(write: Count) -> dict[str, Any]:
    """What ``UpdateItem``, or a transaction's ``Update``, is asked."""
    request: dict[str, Any] = {
        "TableName": write.table,
        "Key": write.key.attributes(),
        "UpdateExpression": "ADD counted :by",
        "ExpressionAttributeValues": {":by": {"N": str(write.by)}},
    }
    if write.expires_at is not None:
        request["UpdateExpression"] += " SET expires_at = :expires"
        request["ExpressionAttributeValues"][":expires"] = {"N": str(write.expires_at)}
    if write.at_most is None:
        return request
    room = write.at_most - write.by
    # Nothing was counted yet: that is less than any room there is.
    is_new = "attribute_not_exists(counted) OR " if room >= 0 else ""
    request["ConditionExpression"] = f"{is_new}counted <= :room"
    request["ExpressionAttributeValues"][":room"] = {"N": str(room)}
    request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return request


def member(write: Write | Put) -> Any:  # noqa: ANN401 - a boto3 request member
    """A write as a member of a transaction."""
    match write:
        case Update():
            return {"Update": update_request(write)}
        case Count():
            return {"Update": count_request(write)}
        case Insert() | Replace() | Put():
            return {"Put": put_request(write)}
