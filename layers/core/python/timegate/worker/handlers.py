"""Handlers: the functions that do the work, by the name that jobs call them."""

import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

from timegate.worker.context import Context

Handler = Callable[[Context], Any] | Callable[[Context], Awaitable[Any]]
Decorated = TypeVar("Decorated", bound=Handler)

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_REGISTERED: dict[str, Handler] = {}


def job(name: str) -> Callable[[Decorated], Decorated]:
    """Let a function, sync or async, do the runs whose jobs name this handler.

    What it returns is the run's result: anything JSON can say. Raises ``ValueError`` for a name
    that no job can have, or that another function has.
    """
    if not _NAME.fullmatch(name):
        message = f"{name!r} is no handler's name: letters, digits, dots, dashes, underscores"
        raise ValueError(message)

    def register(handler: Decorated) -> Decorated:
        known = _REGISTERED.get(name)
        # A module may be imported twice: as itself, and as the program that was started.
        if known is not None and known.__qualname__ != handler.__qualname__:
            message = f"the handler {name} is {known.__qualname__} already"
            raise ValueError(message)
        _REGISTERED[name] = handler
        return handler

    return register


def registered() -> Mapping[str, Handler]:
    """Every handler of this program."""
    return dict(_REGISTERED)
