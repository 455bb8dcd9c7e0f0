"""Evaluating expressions within a budget: tenants write them, and all tenants share who reads.

Forty characters can double a value forty times: ``[@,@]|[@,@]|…``. The interpreter is that of
``jmespath``. It pays for every node before it visits it, and for what a function builds before the
function runs, so that an expression stops before it takes more than the budget allows.
"""

from collections.abc import Callable, Mapping
from typing import Any, cast

import jmespath
from jmespath.exceptions import JMESPathError, JMESPathTypeError
from jmespath.functions import Functions
from jmespath.visitor import Options, TreeInterpreter

from timegate.value_classes import dataclass

#: All references of a task together, those of a fan-out's members included.
MAX_STEPS = 250_000
#: Bytes that the references of one input find, as JSON, and that functions build on the way.
MAX_BYTES = 1024 * 1024
#: Comparing and copying so many bytes takes no longer than a step.
_BYTES_PER_STEP = 16


class TooComplex(Exception):
    """An expression takes more than its budget."""


class CannotEvaluate(Exception):
    """An expression means nothing for the values that it met."""


@dataclass(kw_only=True, slots=True)
class Budget:
    """Steps and bytes that evaluating may still take."""

    steps: int = MAX_STEPS
    bytes: int = MAX_BYTES

    def begin_input(self) -> None:
        """Each input may have as many bytes; the steps are shared by all of a task's."""
        self.bytes = MAX_BYTES

    def spend(self, steps: int) -> None:
        """Pay for steps; raises ``TooComplex``."""
        self.steps -= steps
        if self.steps < 0:
            raise TooComplex(f"takes more than {MAX_STEPS:,} steps")

    def build(self, size: int) -> None:
        """Pay for bytes before they are there; raises ``TooComplex``."""
        self.spend(size // _BYTES_PER_STEP)
        self.bytes -= size
        if self.bytes < 0:
            raise TooComplex(f"builds more than {MAX_BYTES:,} bytes")

    def look_through(self, value: object) -> None:
        """Pay for looking at all of a value; raises ``TooComplex``."""
        self.spend(size_of(value, _BYTES_PER_STEP * (self.steps + 1)) // _BYTES_PER_STEP)

    def compare(self, left: object, right: object) -> None:
        """Pay for comparing: no more is looked at than the smaller has. Raises ``TooComplex``."""
        enough = 64
        while size_of(left, enough) >= enough and size_of(right, enough) >= enough:
            self.spend(enough // _BYTES_PER_STEP)
            enough *= 2


def evaluate(expression: str, data: Mapping[str, object], budget: Budget) -> object:
    """Find what an expression names in a run's data; ``None``: nothing.

    The budget has paid for the result as JSON. Raises ``TooComplex`` and ``CannotEvaluate``.
    """
    try:
        parsed = jmespath.compile(expression).parsed
        found = _Interpreter(budget).visit(parsed, data)
    except JMESPathTypeError as error:
        # Its own text quotes the value, which may be endless when it is written out.
        name, actual = error.function_name, error.actual_type
        raise CannotEvaluate(f"{name}() takes no {actual}") from error
    except (JMESPathError, ArithmeticError, AttributeError, TypeError, ValueError) as error:
        raise CannotEvaluate(str(error)[:300] or type(error).__name__) from error
    except RecursionError as error:
        raise TooComplex("is nested too deeply") from error
    budget.build(size_of(found, budget.bytes + 1))
    return cast("object", found)


def size_of(value: object, enough: int) -> int:
    """Return the size of a value as JSON, in bytes, about; counting stops at ``enough``.

    A value that stands in several places counts in each of them, as it would be written. Plain
    texts and numbers take at most twice as much; escapes in a text are not counted.
    """
    size, waiting = 0, [value]
    while waiting and size < enough:
        each = waiting.pop()
        size += 2
        if isinstance(each, str):
            size += len(each)
        elif isinstance(each, list):
            size += len(each)
            waiting += each if size < enough else ()
        elif isinstance(each, dict):
            size += sum(len(str(name)) + 4 for name in each)
            waiting += each.values() if size < enough else ()
        elif isinstance(each, float):
            size += len(repr(each))
        elif each is None or isinstance(each, bool):
            size += len("null") - 2
        elif isinstance(each, int):
            size += each.bit_length() // 4
    return size


class _Functions(Functions):
    """Functions that are paid for before they run."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def call_function(self, function_name: str, resolved_args: Any) -> Any:  # noqa: ANN401
        for argument in resolved_args:
            self._budget.spend(_length(argument))
        price = _PRICES.get(function_name)
        if price is not None:
            price(self._budget, resolved_args)
        return super().call_function(function_name, resolved_args)

    def _create_key_func(self, *arguments: Any) -> Callable[[object], object]:  # noqa: ANN401
        key_of = super()._create_key_func(*arguments)  # type: ignore[misc]

        def paid(element: object) -> object:
            key = key_of(element)
            self._budget.look_through(key)
            return cast("object", key)

        return paid


def _length(value: object) -> int:
    """Return the cost in steps of looking at a value's members."""
    if isinstance(value, str):
        return len(value) // _BYTES_PER_STEP
    return len(value) if isinstance(value, list | dict) else 0


def _price_of_join(budget: Budget, arguments: list[Any]) -> None:
    match arguments:
        case [str(separator), list(parts)]:
            texts = sum(len(part) for part in parts if isinstance(part, str))
            budget.build(len(separator) * len(parts) + texts)


def _price_of_text(budget: Budget, arguments: list[Any]) -> None:
    for value in arguments:
        budget.build(size_of(value, budget.bytes + 1))


def _price_of_looking(budget: Budget, arguments: list[Any]) -> None:
    for value in arguments:
        budget.look_through(value)


_PRICES: Mapping[str, Callable[[Budget, list[Any]], None]] = {
    "contains": _price_of_looking,
    "join": _price_of_join,
    "max": _price_of_looking,
    "min": _price_of_looking,
    "reverse": lambda budget, values: budget.build(sum(map(_length, values)) * _BYTES_PER_STEP),
    "sort": _price_of_looking,
    "to_string": _price_of_text,
}


class _Interpreter(TreeInterpreter):
    """An interpreter that pays for each step."""

    def __init__(self, budget: Budget) -> None:
        super().__init__(Options(custom_functions=_Functions(budget)))
        self._budget = budget

    def visit(self, node: Any, *arguments: Any, **named: Any) -> Any:  # noqa: ANN401
        self._budget.spend(1)
        return super().visit(node, *arguments, **named)

    def visit_comparator(self, node: Any, value: object) -> Any:  # noqa: ANN401
        left, right = (self.visit(child, value) for child in node["children"])
        self._budget.compare(left, right)
        return super().visit_comparator(_with(node, left, right), value)

    def visit_flatten(self, node: Any, value: object) -> Any:  # noqa: ANN401
        base = self.visit(node["children"][0], value)
        if isinstance(base, list):
            self._budget.spend(sum(map(_length, base)) + len(base))
        return super().visit_flatten(_with(node, base), value)

    def visit_slice(self, node: Any, value: object) -> Any:  # noqa: ANN401
        self._budget.spend(_length(value))
        return super().visit_slice(node, value)


def _with(node: Any, *values: object) -> Any:  # noqa: ANN401
    """The same node over what has been evaluated already."""
    return {**node, "children": [{"type": "literal", "value": each} for each in values]}
