"""References of tasks to the data of their run: JMESPath, and what an expression may name.

The data has a root for each of ``ROOTS``. An expression names one of ``tasks`` at a time, by its
key, so that it is known before any run which tasks it waits for.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, cast

import jmespath
from jmespath.exceptions import JMESPathError
from jmespath.functions import Functions

from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.identity import TaskKey
from timegate.value_classes import dataclass

#: Roots: the run's parameters, its tasks' results, and its identity.
ROOTS = frozenset({"parameters", "tasks", "run"})
#: Within the input of a fan-out's members: the element, and its place in the list, from 0.
MEMBER_ROOTS = frozenset({"item", "index"})
#: Known fields of an ended task. The result of a fan-out is the list of its members'.
TASK_FIELDS = ("result", "state")
MAX_EXPRESSION_LENGTH = 1_000
#: Names, steps, functions, comparisons and values in an expression, and how deep they are nested.
MAX_NODES = 200
MAX_DEPTH = 50

#: Their first part is evaluated where they stand, the others in what it found.
_NARROWING = frozenset(
    {
        "subexpression",
        "index_expression",
        "projection",
        "value_projection",
        "filter_projection",
        "flatten",
        "pipe",
    }
)
_FUNCTIONS = frozenset(Functions.FUNCTION_TABLE)
_Node = dict[str, Any]


@dataclass(frozen=True, kw_only=True, slots=True)
class ExpressionNames:
    """Names in an expression."""

    roots: frozenset[str]
    #: In the order in which they are named first.
    tasks: tuple[TaskKey, ...]


@lru_cache(maxsize=2_048)
def names_in(expression: str) -> ExpressionNames:
    """Return the names in an expression; raises ``InvalidInput`` (of field ``""``) if it is
    unreadable.

    ``tasks`` alone, or ``@``, would name whatever has ended by then: that is refused.
    """
    chains = _checked_chains(expression, ROOTS | MEMBER_ROOTS)
    roots = {chain[0] for chain in chains}
    of_tasks = [chain[1:] for chain in chains if chain[0] == "tasks"]
    for names in of_tasks:
        _check_task_names(names)
    keys = dict.fromkeys(TaskKey(names[0]) for names in of_tasks)
    return ExpressionNames(roots=frozenset(roots), tasks=tuple(keys))


def check_expression(expression: str, *, roots: frozenset[str]) -> None:
    """Refuse an expression that is unreadable, too large, or begins with no root; raises
    ``InvalidInput`` (of field ``""``).
    """
    _checked_chains(expression, roots)


def _checked_chains(expression: str, known: frozenset[str]) -> list[tuple[str, ...]]:
    """Return the chains of names in an expression; each begins with a known root."""
    parsed = _parsed(expression)
    _check_size(parsed)
    _check_functions(parsed)
    chains = list(_chains(parsed))
    unknown = sorted({chain[0] if chain else "@" for chain in chains} - known)
    if unknown:
        detail = f"{unknown[0]} is not among what an expression begins with: "
        raise InvalidInput("", "unknown_reference", f"{detail}{', '.join(sorted(known))}.")
    return chains


def _parsed(expression: str) -> _Node:
    if not 1 <= len(expression) <= MAX_EXPRESSION_LENGTH:
        detail = f"An expression has 1 to {MAX_EXPRESSION_LENGTH} characters."
        raise InvalidInput("", "invalid_reference", detail)
    try:
        parsed = jmespath.compile(expression).parsed
    except (JMESPathError, RecursionError, ValueError) as error:
        reason = str(error).partition("\n")[0] or type(error).__name__
        detail = f"It is no JMESPath expression: {reason}"
        raise InvalidInput("", "invalid_reference", detail[:300]) from error
    return cast("_Node", parsed)


def _check_size(parsed: _Node) -> None:
    nodes, waiting = 0, [(parsed, 1)]
    while waiting:
        node, depth = waiting.pop()
        nodes += 1
        if nodes > MAX_NODES or depth > MAX_DEPTH:
            detail = f"An expression has at most {MAX_NODES} parts, nested {MAX_DEPTH} deep."
            raise InvalidInput("", "too_complex", detail)
        waiting += [(part, depth + 1) for part in node["children"] if isinstance(part, dict)]


def _check_functions(node: _Node) -> None:
    if node["type"] == "function_expression" and node["value"] not in _FUNCTIONS:
        detail = f"JMESPath has no function {node['value']}."
        raise InvalidInput("", "invalid_reference", detail)
    for part in node["children"]:
        if isinstance(part, dict):
            _check_functions(part)


def _check_task_names(names: Sequence[str]) -> None:
    if not names:
        detail = "Say which task's: tasks.<key>.result."
        raise InvalidInput("", "invalid_reference", detail)
    if len(names) == 1 or names[1] not in TASK_FIELDS:
        detail = f"Of a task there is {' and '.join(TASK_FIELDS)}: tasks.{names[0]}.result."
        raise InvalidInput("", "unknown_reference", detail)


def _chains(node: _Node) -> Iterator[tuple[str, ...]]:
    """The names that an expression follows from the root, one chain for each place it starts."""
    kind, parts = node["type"], node["children"]
    if kind in {"current", "identity"}:
        yield ()
    elif kind == "field" or (kind in _NARROWING and _leads_from_a_name(node)):
        yield _leading_names(node)[0]
    elif kind in _NARROWING:
        yield from _chains(parts[0])
    elif kind != "expref":
        # A part marked with ``&`` is evaluated in the elements of a list, like conditions of
        # filters.
        for part in parts:
            if isinstance(part, dict):
                yield from _chains(part)


def _leads_from_a_name(node: _Node) -> bool:
    while node["type"] in _NARROWING:
        node = node["children"][0]
    return bool(node["type"] == "field")


def _leading_names(node: _Node) -> tuple[tuple[str, ...], bool]:
    """The names one after another that it begins with, and whether it is nothing else."""
    if node["type"] == "field":
        return (node["value"],), True
    if node["type"] not in _NARROWING:
        return (), False
    names: tuple[str, ...] = ()
    for part in node["children"] if node["type"] == "subexpression" else node["children"][:1]:
        more, is_all = _leading_names(part)
        names += more
        if not is_all:
            return names, False
    return names, node["type"] == "subexpression"
