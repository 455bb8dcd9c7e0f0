"""Signatures of handlers: which parameter is the payload, and which the context."""

import inspect
from collections.abc import Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any, get_type_hints

from timegate.value_classes import dataclass
from timegate.worker.context import Context
from timegate.worker.declared.shapes import Shape

#: A parameter without a type that is called so takes the context.
_CONTEXT_NAMES = {"context", "ctx"}
#: The first parameter of a method, without a type.
_OF_METHODS = {"self", "cls"}
_BY_NAME = inspect.Parameter.KEYWORD_ONLY


@dataclass(frozen=True, kw_only=True, slots=True)
class Signature:
    """Parameters of a handler, by name; and the shapes of payload and result."""

    payload: str | None
    context: str | None
    takes: Shape
    returns: Shape

    @classmethod
    def of(cls, function: Callable[..., Any]) -> "Signature":
        """Read a function: a payload, a context, both in this order, or neither.

        A single parameter without a type takes the context. Raises ``TypeError`` for others.
        """
        hints = _hints(function)
        names = _required(function)
        _refuse_method(function, names, hints)
        context = next((name for name in names if _is_context(name, hints)), None)
        others = [name for name in names if name != context]
        by_name = {each.name for each in _parameters(function) if each.kind is _BY_NAME}
        if context is None and len(names) == 1 and names[0] not in hints:
            context, others = names[0], []
        if len(others) > 1 or (others and names[0] == context) or by_name & {*names}:
            message = (
                f"{function.__qualname__} takes {', '.join(names)}:"
                " a handler takes a payload, then a Context, or either of them, or nothing"
            )
            raise TypeError(message)
        payload = others[0] if others else None
        shape = Shape(hints.get(payload, Any)) if payload else Shape()
        signature = cls(
            payload=payload,
            context=context,
            takes=shape,
            returns=Shape(hints.get("return", Any)),
        )
        shape.check()
        return signature

    def arguments(self, context: Context) -> tuple[object, ...]:
        """Return the arguments of one run; raises ``ShapeMismatch`` for its payload."""
        payload = (self.takes.read(context.payload),) if self.payload else ()
        return (*payload, context) if self.context else payload


def _refuse_method(function: Callable[..., Any], names: list[str], hints: dict[str, Any]) -> None:
    """Raise ``TypeError`` for a method: a run has no object, and would give it the context."""
    if names and names[0] in _OF_METHODS and names[0] not in hints:
        message = (
            f"{function.__qualname__} takes {names[0]}: a handler is a function and no method,"
            " for a run has no object; a @staticmethod is one"
        )
        raise TypeError(message)


def _hints(function: Callable[..., Any]) -> dict[str, Any]:
    """Read each annotation by itself: one may name what is imported for type checkers alone."""
    names = getattr(inspect.unwrap(function), "__globals__", {})
    hints: dict[str, Any] = {}
    for name, kind in getattr(function, "__annotations__", {}).items():
        with suppress(NameError, AttributeError):
            alone = SimpleNamespace(__annotations__={name: kind}, __globals__=names)
            hints |= get_type_hints(alone)
    return hints


def _required(function: Callable[..., Any]) -> list[str]:
    variadic = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [
        each.name
        for each in _parameters(function)
        if each.default is inspect.Parameter.empty and each.kind not in variadic
    ]


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    return [*inspect.signature(function).parameters.values()]


def _is_context(name: str, hints: dict[str, Any]) -> bool:
    kind = hints.get(name)
    return kind is Context or (kind is None and name in _CONTEXT_NAMES)
