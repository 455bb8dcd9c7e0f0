"""References: an input takes parts of itself from the parameters and from earlier results."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from timegate.domain.dags.evaluation import Budget, CannotEvaluate, TooComplex, evaluate
from timegate.domain.dags.expressions import ExpressionNames, names_in
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import TaskKey

#: Beside ``{"$ref": "<JMESPath>"}``: the value where that finds nothing.
DEFAULT = "default"


class InputError(Exception):
    """A task's input cannot be made of what is there: it fails before it starts."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def resolve(template: str, data: Mapping[str, object], budget: Budget) -> str:
    """The JSON text of an input, every reference replaced by what it finds.

    Raises ``InputError`` for one that finds nothing and has no default, and names it.
    """
    budget.begin_input()
    value = _resolved(json.loads(template), data, budget)
    try:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)
    except ValueError as error:
        detail = "A reference finds a number that JSON does not know."
        raise InputError("reference_invalid", detail) from error
    except RecursionError as error:
        detail = "What the references find is nested too deeply."
        raise InputError("reference_too_complex", detail) from error


def look_up(expression: str, data: Mapping[str, object], budget: Budget) -> object:
    """Return the value that an expression finds in a run's data; ``None`` if it finds none."""
    try:
        return evaluate(expression, data, budget)
    except CannotEvaluate as error:
        detail = f"{expression!r} cannot be evaluated: {error}"
        raise InputError("reference_invalid", detail) from error
    except TooComplex as error:
        detail = f"{expression!r} {error}; simplify it, or what it looks at."
        raise InputError("reference_too_complex", detail) from error


def expressions(template: str | None) -> tuple[str, ...]:
    """Every reference of an input."""
    return tuple(_expressions(json.loads(template))) if template is not None else ()


def named_tasks(texts: Iterable[str]) -> frozenset[TaskKey]:
    """The tasks that these expressions speak of; raises ``InputError`` for what is none."""
    return frozenset(key for text in texts for key in _names_in(text).tasks)


def name_parameters(texts: Iterable[str]) -> bool:
    """Tell if an expression speaks of the parameters; raises as ``named_tasks``."""
    return any("parameters" in _names_in(text).roots for text in texts)


def as_value(result: str | None) -> object:
    """Return a target's answer as data: parsed JSON, otherwise its text."""
    if result is None:
        return None
    try:
        return json.loads(result)
    except (ValueError, RecursionError):
        return result


def _names_in(expression: str) -> ExpressionNames:
    try:
        return names_in(expression)
    except InvalidInput as error:
        detail = f"{expression!r} cannot be evaluated: {error.detail}"
        raise InputError("reference_invalid", detail) from error


def _resolved(value: object, data: Mapping[str, object], budget: Budget) -> object:
    match value:
        case {"$ref": str(expression), **rest} if rest.keys() <= {DEFAULT}:
            return _found(expression, rest, data, budget)
        case dict():
            return {name: _resolved(inner, data, budget) for name, inner in value.items()}
        case list():
            return [_resolved(inner, data, budget) for inner in value]
        case _:
            return value


def _found(
    expression: str, rest: Mapping[Any, Any], data: Mapping[str, object], budget: Budget
) -> object:
    found = look_up(expression, data, budget)
    if found is not None:
        return found
    if DEFAULT in rest:
        return rest[DEFAULT]
    raise InputError("reference_missing", f"{expression!r} finds nothing in this run.")


def _expressions(value: object) -> Iterable[str]:
    match value:
        case {"$ref": str(expression), **rest} if rest.keys() <= {DEFAULT}:
            yield expression
        case dict():
            for inner in value.values():
                yield from _expressions(inner)
        case list():
            for inner in value:
                yield from _expressions(inner)
        case _:
            return
