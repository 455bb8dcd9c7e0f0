"""Options that belong together are a dataclass; typer sees one option per field of it."""

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Protocol, TypeVar, dataclass_transform, get_args, runtime_checkable

from typer.models import OptionInfo

from timegate.value_classes import dataclass

_Options = TypeVar("_Options")


@runtime_checkable
class OptionsInForce(Protocol):
    """Options that hold for as long as their command runs."""

    def in_force(self) -> AbstractContextManager[None]:
        """Let them hold."""


@dataclass_transform(frozen_default=True, kw_only_default=True)
def option_group(panel: str) -> Callable[[type[_Options]], type[_Options]]:
    """Make a class of options a dataclass; help shows each that names no panel in this one."""

    def made(options: type[_Options]) -> type[_Options]:
        group = dataclass(frozen=True, kw_only=True, slots=True)(options)
        for option in fields(group):  # type: ignore[arg-type]
            for info in get_args(option.type):
                if isinstance(info, OptionInfo) and info.rich_help_panel is None:
                    info.rich_help_panel = panel
        return group

    return made


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command take dataclasses of options, and typer take the command.

    Each field of such a dataclass is annotated and has a default, as typer wants its parameters,
    or is a dataclass of options itself.
    """
    signature = inspect.signature(command)
    groups = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if isinstance(parameter.annotation, type) and is_dataclass(parameter.annotation)
    }

    @functools.wraps(command)
    def gathering(**values: object) -> None:
        with ExitStack() as stack:
            for name, group in groups.items():
                given = _gathered(group, values)
                if isinstance(given, OptionsInForce):
                    stack.enter_context(given.in_force())
                values[name] = given
            command(**values)

    parameters = [
        flat.replace(kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in signature.parameters.values()
        for flat in _flattened(parameter)
    ]
    gathering.__annotations__ = {p.name: p.annotation for p in parameters}
    vars(gathering)["__signature__"] = signature.replace(parameters=parameters)
    return gathering


def _gathered(group: Any, values: dict[str, object]) -> object:  # noqa: ANN401 - any dataclass
    """Make the dataclass of the values of its options, which it takes out."""
    return group(
        **{
            field.name: _gathered(field.type, values)
            if is_dataclass(field.type)
            else values.pop(field.name)
            for field in fields(group)
        }
    )


def _flattened(parameter: inspect.Parameter) -> Iterator[inspect.Parameter]:
    if not is_dataclass(parameter.annotation):
        yield parameter
        return
    keyword = inspect.Parameter.KEYWORD_ONLY
    for field in fields(parameter.annotation):
        default = inspect.Parameter.empty if field.default is MISSING else field.default
        option = inspect.Parameter(field.name, keyword, default=default, annotation=field.type)
        yield from _flattened(option)
