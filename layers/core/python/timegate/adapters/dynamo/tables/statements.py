"""PartiQL statements in batches: each with its own condition, none bound to its neighbours."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.tables.engine import MAX_STATEMENTS, REFUSED, TRANSIENT
from timegate.adapters.dynamo.tables.expressions import statement
from timegate.adapters.dynamo.tables.throttles import throttles_translated
from timegate.adapters.dynamo.tables.values import from_item, to_attribute
from timegate.adapters.dynamo.tables.writes import Statement, Update, WriteResult
from timegate.domain.values.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: A condition does not hold; an item that is to be new exists.
_REFUSALS = frozenset({REFUSED, "DuplicateItem"})
#: Tries at a throttled statement before the caller hears of it; 50 ms doubling in between.
TRIES = 4
_FIRST_PAUSE_SECONDS = 0.05


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
    text, parameters = statement(write)
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
