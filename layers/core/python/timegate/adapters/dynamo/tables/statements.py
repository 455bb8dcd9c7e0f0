"""PartiQL statements in batches: each with its own condition, none bound to its neighbours."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.tables.engine import TRANSIENT
from timegate.adapters.dynamo.tables.expressions import statement
from timegate.adapters.dynamo.tables.throttles import throttles_translated
from timegate.adapters.dynamo.tables.values import from_item, to_attribute
from timegate.adapters.dynamo.tables.writes import Update, WriteResult
from timegate.domain.values.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: DynamoDB's limit for one batch.
MAX_STATEMENTS = 25
#: Tries at a throttled statement before the caller hears of it; 50 ms doubling in between.
TRIES = 4
_FIRST_PAUSE_SECONDS = 0.05


def execute(
    client: "DynamoDBClient",
    updates: Sequence[Update],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> list[WriteResult]:
    """Execute updates, 25 a call; raises ``Throttled`` when some stay throttled.

    Raising does not undo the others: every statement is conditional, so the caller's repetition
    meets its own work.
    """
    results: dict[int, WriteResult] = {}
    for start in range(0, len(updates), MAX_STATEMENTS):
        waiting = list(range(start, min(start + MAX_STATEMENTS, len(updates))))
        for attempt in range(TRIES):
            if attempt:
                pause(_FIRST_PAUSE_SECONDS * 2**attempt * random.uniform(0.5, 1))  # noqa: S311
            answers = _call(client, [updates[index] for index in waiting])
            waiting = _sort(waiting, answers, results)
            if not waiting:
                break
        if waiting:
            raise Throttled(f"{len(waiting)} statements stayed throttled.")
    return [results[index] for index in range(len(updates))]


def _call(client: "DynamoDBClient", updates: Sequence[Update]) -> list[Any]:
    with throttles_translated():
        answer = client.batch_execute_statement(Statements=[_request(u) for u in updates])
    return list(answer["Responses"])


def _request(update: Update) -> Any:  # noqa: ANN401 - a boto3 request member
    text, parameters = statement(update)
    request: dict[str, Any] = {
        "Statement": text,
        "Parameters": [to_attribute(parameter) for parameter in parameters],
    }
    if update.shows_refused:
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return request


def _sort(waiting: list[int], answers: list[Any], results: dict[int, WriteResult]) -> list[int]:
    """File the answers; the statements still to be tried."""
    throttled = []
    for index, answer in zip(waiting, answers, strict=True):
        error = answer.get("Error")
        if error is None:
            results[index] = WriteResult(done=True)
        elif error["Code"] == "ConditionalCheckFailed":
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
