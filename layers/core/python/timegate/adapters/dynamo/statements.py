"""PartiQL statements in batches: each with its own condition, none bound to its neighbours."""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from timegate.adapters.dynamo.keys import Key
from timegate.adapters.dynamo.throttles import MEMBER_CODES, throttles_translated
from timegate.adapters.dynamo.values import Plain, from_item, to_attribute
from timegate.domain.errors import Throttled

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

#: DynamoDB's limit for one batch.
MAX_STATEMENTS = 25
#: Tries at a throttled statement before the caller hears of it; 50 ms doubling in between.
TRIES = 4
_FIRST_PAUSE_SECONDS = 0.05

#: What a statement that was refused by its condition found, if it asked.
Refused = dict[str, Plain] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Statement:
    """One insert or update."""

    text: str
    parameters: tuple[Plain, ...]
    #: Report the item that the condition refused.
    shows_refused: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class Result:
    """Whether a statement took effect, and what was there if it did not."""

    done: bool
    found: Refused = None


def insert(table: str, fields: Mapping[str, Plain]) -> Statement:
    """Store a new item; refused when its key exists."""
    kept = {name: value for name, value in fields.items() if value is not None and value != {}}
    names = ", ".join(f"'{name}': ?" for name in kept)
    return Statement(
        text=f'INSERT INTO "{table}" VALUE {{{names}}}', parameters=tuple(kept.values())
    )


def update(
    table: str,
    key: Key,
    fields: Mapping[str, Plain],
    *,
    removed: Sequence[str] = (),
    where: Mapping[str, Plain],
    shows_refused: bool = False,
) -> Statement:
    """Set fields (``None`` removes one) where the item is as ``where`` says (``None``: missing)."""
    kept = {name: value for name, value in fields.items() if value is not None}
    gone = [*removed, *(name for name, value in fields.items() if value is None)]
    clauses = [f'SET "{name}" = ?' for name in kept] + [f'REMOVE "{name}"' for name in gone]
    conditions = ["pk = ?", "sk = ?"]
    matched: list[Plain] = [key.pk, key.sk]
    for name, value in where.items():
        conditions.append(f'"{name}" IS MISSING' if value is None else f'"{name}" = ?')
        matched += [] if value is None else [value]
    text = f'UPDATE "{table}" {" ".join(clauses)} WHERE {" AND ".join(conditions)}'
    return Statement(text=text, parameters=(*kept.values(), *matched), shows_refused=shows_refused)


def execute(
    client: "DynamoDBClient",
    statements: Sequence[Statement],
    *,
    pause: Callable[[float], None] = time.sleep,
) -> list[Result]:
    """Execute statements, 25 a call; raises ``Throttled`` when some stay throttled.

    Raising does not undo the others: every statement is conditional, so the caller's repetition
    meets its own work.
    """
    results: dict[int, Result] = {}
    for start in range(0, len(statements), MAX_STATEMENTS):
        waiting = list(range(start, min(start + MAX_STATEMENTS, len(statements))))
        for attempt in range(TRIES):
            if attempt:
                pause(_FIRST_PAUSE_SECONDS * 2**attempt * random.uniform(0.5, 1))  # noqa: S311
            answers = _call(client, [statements[index] for index in waiting])
            waiting = _sort(waiting, answers, results)
            if not waiting:
                break
        if waiting:
            raise Throttled(f"{len(waiting)} statements stayed throttled.")
    return [results[index] for index in range(len(statements))]


def _call(client: "DynamoDBClient", statements: Sequence[Statement]) -> list[Any]:
    with throttles_translated():
        answer = client.batch_execute_statement(Statements=[_request(s) for s in statements])
    return list(answer["Responses"])


def _request(statement: Statement) -> Any:  # noqa: ANN401 - a boto3 request member
    request: dict[str, Any] = {
        "Statement": statement.text,
        "Parameters": [to_attribute(parameter) for parameter in statement.parameters],
    }
    if statement.shows_refused:
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    return request


def _sort(waiting: list[int], answers: list[Any], results: dict[int, Result]) -> list[int]:
    """File the answers; the statements still to be tried."""
    throttled = []
    for index, answer in zip(waiting, answers, strict=True):
        error = answer.get("Error")
        if error is None:
            results[index] = Result(done=True)
        elif error["Code"] in {"ConditionalCheckFailed", "DuplicateItem"}:
            found = error.get("Item")
            results[index] = Result(done=False, found=from_item(found) if found else None)
        elif error["Code"] in MEMBER_CODES:
            throttled.append(index)
        else:
            raise StatementFailed(error)
    return throttled


class StatementFailed(RuntimeError):
    """DynamoDB refused a statement for what it says: a bug."""

    def __init__(self, error: Mapping[str, Any]) -> None:
        super().__init__(f"{error.get('Code')}: {error.get('Message')}")
