"""Values of a metric in a window, and of expressions over several, as CloudWatch has them."""

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ministack.services import cloudwatch  # type: ignore[import-untyped]

#: ``TC(:1000)`` and ``PR(:1000)``: how many samples are up to a bound, and of a hundred.
_RANKED = re.compile(r"(TC|PR)\(:(\d+(?:\.\d+)?)\)")
_OPERATORS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.GtE: operator.ge,
    ast.Gt: operator.gt,
    ast.LtE: operator.le,
    ast.Lt: operator.lt,
}


def statistic(points: Sequence[dict[str, Any]], name: str) -> float | None:
    """Return a statistic of points; ``None`` of none."""
    if not points:
        return None
    if ranked := _RANKED.fullmatch(name):
        samples = cloudwatch._percentile_samples(points) or []
        within = sum(weight for value, weight in samples if value <= float(ranked[2]))
        every = sum(weight for _, weight in samples)
        return float(within if ranked[1] == "TC" else 100 * within / every)
    found = cloudwatch._stat_value(cloudwatch._calc_stats(points), name, points)
    return None if found is None else float(found)


def computed(expression: str, values: Mapping[str, float | None]) -> float | None:
    """Return the value of an expression; what is missing makes missing what is made of it.

    The grammar of expressions is that of Python, as far as alarms here use it.
    """
    found = _value(ast.parse(expression, mode="eval").body, values)
    return None if found is None else float(found)


def _value(node: ast.expr, values: Mapping[str, float | None]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name):
            return values[name]
        case (
            ast.BinOp(left=left, op=op, right=right)
            | ast.Compare(left=left, ops=[op], comparators=[right])
        ):
            pair = (_value(left, values), _value(right, values))
            return None if None in pair else _OPERATORS[type(op)](*pair)
        case ast.Call(func=ast.Name(id="IF"), args=[condition, first, second]):
            truth = _value(condition, values)
            return None if truth is None else _value(first if truth else second, values)
        case ast.Call(func=ast.Name(id="FILL"), args=[filled, otherwise]):
            found = _value(filled, values)
            return _value(otherwise, values) if found is None else found
        case ast.Call(func=ast.Name(id="MAX"), args=[ast.List(elts=several)]):
            known = [_value(each, values) for each in several]
            return max((each for each in known if each is not None), default=None)
    message = f"The local cloud computes no {ast.unparse(node)}."
    raise ValueError(message)
