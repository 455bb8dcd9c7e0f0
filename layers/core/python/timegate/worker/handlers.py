"""Handlers: the functions that do the work, by the name that jobs call them."""

import re
import sys
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any, Protocol, TypeVar, Unpack, overload

from timegate.client.schemas import JobPatch
from timegate.worker.context import Context
from timegate.worker.declared.coded_job import DeclaredJob

Handler = Callable[[Context], Any] | Callable[[Context], Awaitable[Any]]
Payload = TypeVar("Payload")
Result = TypeVar("Result")

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_REGISTERED: dict[str, Handler] = {}


class Declare(Protocol):
    """Makes a job of a function; the types of payload and result are the function's."""

    @overload
    def __call__(
        self, function: Callable[[], Coroutine[Any, Any, Result]], /
    ) -> DeclaredJob[None, Result]: ...

    @overload
    def __call__(self, function: Callable[[], Result], /) -> DeclaredJob[None, Result]: ...

    @overload
    def __call__(
        self, function: Callable[[Context], Coroutine[Any, Any, Result]], /
    ) -> DeclaredJob[Any, Result]: ...

    @overload
    def __call__(self, function: Callable[[Context], Result], /) -> DeclaredJob[Any, Result]: ...

    @overload
    def __call__(
        self, function: Callable[[Payload], Coroutine[Any, Any, Result]], /
    ) -> DeclaredJob[Payload, Result]: ...

    @overload
    def __call__(
        self, function: Callable[[Payload], Result], /
    ) -> DeclaredJob[Payload, Result]: ...

    @overload
    def __call__(
        self, function: Callable[[Payload, Context], Coroutine[Any, Any, Result]], /
    ) -> DeclaredJob[Payload, Result]: ...

    @overload
    def __call__(
        self, function: Callable[[Payload, Context], Result], /
    ) -> DeclaredJob[Payload, Result]: ...

    def __call__(self, function: Callable[..., Any], /) -> Any:
        """Make a job of a function."""


def job(name: str, /, **declared: Unpack[JobPatch]) -> Declare:
    """Let a function, sync or async, do the runs whose jobs name this handler.

    ``timegate deploy`` makes a job of it, with the fields that are given. They are the API's:
    ``schedule``, ``payload``, ``retry``, ``timeout_seconds`` and the others. The function takes its
    payload, the ``Context``, both in this order, or neither. It returns the run's result: anything
    JSON can say. Raises ``ValueError`` for a name that no job can have, or that another function
    has, and for ``action`` or ``name`` among the fields; ``TypeError`` for a name that is no text.
    """
    _check_name(name)
    fixed = declared.keys() & {"action", "name"}
    if fixed:
        message = f"{name}: {fixed.pop()} is given by the function and its pool"
        raise ValueError(message)

    def register(function: Callable[..., Any]) -> Any:  # noqa: ANN401 - as Declare says
        known = _REGISTERED.get(name)
        if known is not None and not _is_same(known, function):
            message = (
                f"the handler {name} is {_place(known)} already, and {_place(function)} cannot be"
                " it too: give one of them another name"
            )
            raise ValueError(message)
        made: DeclaredJob[Any, Any] = DeclaredJob(name, function, declared)
        _REGISTERED[name] = made
        return made

    return register


def _check_name(name: object) -> None:
    if not isinstance(name, str):
        called = getattr(name, "__name__", "report")
        message = f'a job has a name: write @job("{called}") above the function, and not @job alone'
        raise TypeError(message)
    if not _NAME.fullmatch(name):
        message = (
            f"{name!r} is no handler's name: at most 64 letters, digits, dots, dashes and"
            " underscores, of which the first is a letter or digit"
        )
        raise ValueError(message)


def _is_same(known: Callable[..., Any], function: Callable[..., Any]) -> bool:
    """Tell if two functions are one: a module may be imported again, also by another name.

    The program that was started is ``__main__``, and may be imported as itself.
    """
    if known.__qualname__ != function.__qualname__:
        return False
    return known.__module__ == function.__module__ or (
        _file(known) == _file(function) and _file(known) is not None
    )


def _file(function: Callable[..., Any]) -> str | None:
    return getattr(sys.modules.get(function.__module__), "__file__", None)


def _place(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


def registered() -> Mapping[str, Handler]:
    """Every handler of this program."""
    return dict(_REGISTERED)
