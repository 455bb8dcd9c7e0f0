"""Reads and writes of many items by one call: each says what was left, which is tried again.

Statements of PartiQL have each a condition of its own, and are not bound to their neighbours.
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.tables.engine import MAX_STATEMENTS, REFUSED, TRANSIENT
from timegate.adapters.dynamo.tables.keys import Key
from timegate.adapters.dynamo.tables.throttles import throttles_translated
from timegate.adapters.dynamo.tables.values import Plain, from_item, to_attribute, to_item
from timegate.adapters.dynamo.tables.writes import (
    Compared,
    Insert,
    Put,
    Statement,
    Update,
    WriteResult,
)
from timegate.domain.values.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: DynamoDB's limit for one batch of reads.
MAX_KEYS = 100
#: DynamoDB's limit for one batch of writes.
MAX_WRITES = 25
#: Rounds of unprocessed keys, or writes, before the caller is told.
ROUNDS = 5
_PAUSE_SECONDS = 0.05
#: A condition does not hold; an item that is to be new exists.
_REFUSALS = frozenset({REFUSED, "DuplicateItem"})
#: Tries at a throttled statement before the caller hears of it; 50 ms doubling in between.
TRIES = 4
_FIRST_PAUSE_SECONDS = 0.05

Found = dict[Key, dict[str, Plain]]


def read_all(client: "DynamoDBClient", wanted: Mapping[str, Sequence[Key]]) -> dict[str, Found]:
    """The items of each table that exist; raises ``Throttled`` when some stay unread."""
    found: dict[str, Found] = {table: {} for table in wanted}
    distinct = [(table, key) for table, keys in wanted.items() for key in dict.fromkeys(keys)]
    for start in range(0, len(distinct), MAX_KEYS):
        _read(client, distinct[start : start + MAX_KEYS], found)
    return found


def _read(
    client: "DynamoDBClient", keys: Sequence[tuple[str, Key]], found: dict[str, Found]
) -> None:
    request: dict[str, Any] = {}
    for table, key in keys:
        members = request.setdefault(table, {"Keys": [], "ConsistentRead": True})
        members["Keys"].append(key.attributes())
    for round_number in range(ROUNDS):
        if round_number:
            time.sleep(_PAUSE_SECONDS * round_number)
        with throttles_translated():
            answer = client.batch_get_item(RequestItems=request)
        for table, items in answer["Responses"].items():
            for fields in map(from_item, items):
                found[table][Key(pk=str(fields["pk"]), sk=str(fields["sk"]))] = fields
        request = dict(answer.get("UnprocessedKeys") or {})
        if not request:
            return
    raise Throttled("Some keys stayed unread.")


def write_all(client: "DynamoDBClient", table: str, puts: Sequence[Put]) -> None:
    """Store items of a table; raises ``Throttled`` when some stay unwritten.

    No key may be named twice.
    """
    requests = [{"PutRequest": {"Item": to_item(put.fields)}} for put in puts]
    for start in range(0, len(requests), MAX_WRITES):
        _write(client, {table: requests[start : start + MAX_WRITES]})


def delete_all(client: "DynamoDBClient", table: str, keys: Sequence[Key]) -> None:
    """Delete items of a table; raises ``Throttled`` when some stay. No key may be named twice."""
    requests = [{"DeleteRequest": {"Key": key.attributes()}} for key in keys]
    for start in range(0, len(requests), MAX_WRITES):
        _write(client, {table: requests[start : start + MAX_WRITES]})


def _write(client: "DynamoDBClient", requests: dict[str, Any]) -> None:
    for round_number in range(ROUNDS):
        if round_number:
            time.sleep(_PAUSE_SECONDS * round_number)
        with throttles_translated():
            answer = client.batch_write_item(RequestItems=requests)
        requests = dict(answer.get("UnprocessedItems") or {})
        if not requests:
            return
    raise Throttled("Some records stayed unwritten.")


def execute(
    client: "DynamoDBClient",
    writes: Sequence[Statement],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> list[WriteResult]:
    """Execute writes, 25 a call; raises ``Throttled`` when some stay throttled.

    Raising does not undo the others: every statement is conditional, so the caller's repetition
    meets its own work.
    """
    results: dict[int, WriteResult] = {}
    for start in range(0, len(writes), MAX_STATEMENTS):
        waiting = list(range(start, min(start + MAX_STATEMENTS, len(writes))))
        for attempt in range(TRIES):
            if attempt:
                pause(_FIRST_PAUSE_SECONDS * 2**attempt * random.uniform(0.5, 1))  # noqa: S311
            answers = _call(client, [writes[index] for index in waiting])
            waiting = _sort(waiting, answers, results)
            if not waiting:
                break
        if waiting:
            raise Throttled(f"{len(waiting)} statements stayed throttled.")
    return [results[index] for index in range(len(writes))]


def _call(client: "DynamoDBClient", writes: Sequence[Statement]) -> list[Any]:
    with throttles_translated():
        answer = client.batch_execute_statement(Statements=[_request(each) for each in writes])
    return list(answer["Responses"])


def _request(write: Statement) -> Any:  # noqa: ANN401 - a boto3 request member
    text, parameters = _statement(write)
    request: dict[str, Any] = {
        "Statement": text,
        "Parameters": [to_attribute(parameter) for parameter in parameters],
    }
    if isinstance(write, Update) and write.shows_refused:
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return request


def _sort(waiting: list[int], answers: list[Any], results: dict[int, WriteResult]) -> list[int]:
    """File the answers; the statements still to be tried."""
    throttled = []
    for index, answer in zip(waiting, answers, strict=True):
        error = answer.get("Error")
        if error is None:
            results[index] = WriteResult(done=True)
        elif error["Code"] in _REFUSALS:
            found = error.get("Item")
            results[index] = WriteResult(done=False, found=from_item(found) if found else None)
        elif error["Code"] in TRANSIENT:
            throttled.append(index)
        else:
            raise StatementFailed(error)
    return throttled


class StatementFailed(RuntimeError):
    """DynamoDB refused a statement for what it says: a bug."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(f"{error.get('Code')}: {error.get('Message')}")


def _statement(write: Statement) -> tuple[str, list[Plain]]:
    """Return a PartiQL statement with its parameters; raises ``ValueError`` for more than it can.

    A statement inserts, and replaces nothing; or it sets, removes and compares, and neither counts
    nor creates.
    """
    return _insertion(write) if isinstance(write, Insert) else _change(write)


def _insertion(insert: Insert) -> tuple[str, list[Plain]]:
    if insert.as_of is not None:
        message = f"A statement of a batch cannot say all of {insert}."
        raise ValueError(message)
    fields = {name: value for name, value in insert.fields.items() if value is not None}
    item = ", ".join(f"'{name}': ?" for name in fields)
    return f'INSERT INTO "{insert.table}" VALUE {{{item}}}', [*fields.values()]


def _change(update: Update) -> tuple[str, list[Plain]]:
    more = (
        update.added,
        update.taken,
        update.first,
        update.appended,
        update.or_where,
        update.within,
    )
    bounds = [each for each in update.where.values() if isinstance(each, Compared)]
    if any(more) or bounds or update.creates:
        message = f"A statement of a batch cannot say all of {update}."
        raise ValueError(message)
    clauses = [f'SET "{name}" = ?' for name in update.kept]
    clauses += [f'REMOVE "{name}"' for name in update.gone]
    conditions = ["pk = ?", "sk = ?"]
    matched: list[Any] = [update.key.pk, update.key.sk]
    for name, value in update.where.items():
        conditions.append(f'"{name}" IS MISSING' if value is None else f'"{name}" = ?')
        matched += [] if value is None else [value]
    text = f'UPDATE "{update.table}" {" ".join(clauses)} WHERE {" AND ".join(conditions)}'
    return text, [*update.kept.values(), *matched]
