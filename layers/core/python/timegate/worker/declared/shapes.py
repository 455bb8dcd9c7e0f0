"""Shapes: types of payloads and results, between JSON and what a handler takes and returns.

pydantic reads and writes them where it is installed. Without it, dataclasses of plain fields are
read, and any other type is refused when the handler is declared.
"""

import json
from contextlib import suppress
from dataclasses import fields, is_dataclass
from datetime import date
from functools import cached_property
from importlib.util import find_spec
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

#: JSON gives these back as they are.
_PLAIN = {str, int, float, bool, NoneType, dict, list, Any, object}


class ShapeMismatch(ValueError):
    """A value that a shape does not read; says which field, and why."""


class Shape:
    """One type; ``Any`` takes every JSON as it is."""

    def __init__(self, kind: Any = Any) -> None:  # noqa: ANN401 - any type
        self.kind = kind

    @cached_property
    def _adapter(self) -> Any:  # noqa: ANN401 - pydantic's, or none
        if find_spec("pydantic") is None:
            return None
        from pydantic import (  # noqa: PLC0415 - may not be installed
            PydanticUserError,
            TypeAdapter,
        )

        try:
            adapter = TypeAdapter(self.kind)
            # A dataclass may name a type that is imported for type checkers alone.
            adapter.rebuild(raise_errors=True)
        except (PydanticUserError, NameError) as error:
            raise self._unreadable(error) from error
        return adapter

    @property
    def takes_anything(self) -> bool:
        """Every JSON fits."""
        return self.kind in (Any, object)

    def read(self, value: Any) -> Any:  # noqa: ANN401 - any JSON
        """A value of the type; raises ``ShapeMismatch``."""
        if self.takes_anything:
            return value
        if self._adapter is None:
            return _read(self.kind, value, "")
        from pydantic import ValidationError  # noqa: PLC0415 - may not be installed

        try:
            return self._adapter.validate_json(json.dumps(value))
        except ValidationError as error:
            raise ShapeMismatch("; ".join(_said(each) for each in error.errors())) from error

    def check(self) -> None:
        """Raise ``TypeError`` for a type that nothing here reads."""
        if self.takes_anything or self._adapter is not None:
            return
        try:
            _check(self.kind, set())
        except NameError as error:
            raise self._unreadable(error) from error

    def _unreadable(self, error: Exception) -> TypeError:
        name = getattr(self.kind, "__name__", str(self.kind))
        why = str(error).partition("\n")[0].rstrip(".")
        return TypeError(f"no payload is read as {name}: {why}")


def as_json(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """A value as JSON gives it back: dataclasses, pydantic's models and instants are written out.

    So is all that pydantic writes where it is installed: enumerations, decimals, ids and others.
    Raises ``TypeError`` or ``ValueError`` for what JSON cannot say.
    """
    text = json.dumps(value, default=_written, allow_nan=False, ensure_ascii=False)
    # Half a surrogate pair, as in the names of some files, has no bytes.
    return json.loads(text.encode())


def _written(value: Any) -> Any:  # noqa: ANN401 - any JSON
    if is_dataclass(value) and not isinstance(value, type):
        return {each.name: getattr(value, each.name) for each in fields(value)}
    if isinstance(value, date):
        return value.isoformat()
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json")
    if find_spec("pydantic") is not None:
        from pydantic_core import to_jsonable_python  # noqa: PLC0415 - may not be installed

        # Types that pydantic does not know are refused below.
        with suppress(ValueError):
            return to_jsonable_python(value)
    message = f"{type(value).__name__} is not JSON"
    raise TypeError(message)


def _said(error: Any) -> str:  # noqa: ANN401 - pydantic's details
    place = ".".join(str(part) for part in error["loc"])
    return f"{place}: {error['msg']}" if place else str(error["msg"])


def _read(kind: Any, value: Any, place: str) -> Any:  # noqa: ANN401 - a type, and any JSON
    if kind in (Any, object):
        return value
    if is_dataclass(kind):
        return _read_dataclass(kind, value, place)
    if get_origin(kind) in (Union, UnionType):
        return _read_union(kind, value, place)
    wanted = get_origin(kind) or kind
    fits = isinstance(value, wanted) and (wanted is bool or not isinstance(value, bool))
    if wanted is float and type(value) is int:
        return float(value)
    if not fits:
        name = getattr(wanted, "__name__", str(wanted))
        raise ShapeMismatch(f"{place or 'the payload'}: {name} was wanted, and not {value!r}"[:200])
    return _read_members(kind, value, place)


def _read_members(kind: Any, value: Any, place: str) -> Any:  # noqa: ANN401
    match get_origin(kind), get_args(kind):
        case built, (member,) if built is list:
            return [_read(member, each, f"{place}.{n}".strip(".")) for n, each in enumerate(value)]
        case built, (_, member) if built is dict:
            return {k: _read(member, each, f"{place}.{k}".strip(".")) for k, each in value.items()}
        case _:
            return value


def _read_union(kind: Any, value: Any, place: str) -> Any:  # noqa: ANN401
    said = ""
    for each in get_args(kind):
        try:
            return _read(each, value, place)
        except ShapeMismatch as refused:
            said = said or str(refused)
    raise ShapeMismatch(said)


def _read_dataclass(kind: Any, value: Any, place: str) -> Any:  # noqa: ANN401
    if not isinstance(value, dict):
        raise ShapeMismatch(
            f"{place or 'the payload'}: an object was wanted, and not {value!r}"[:200]
        )
    hints = get_type_hints(kind)
    unknown = sorted(value.keys() - {each.name for each in fields(kind) if each.init})
    if unknown:
        raise ShapeMismatch(f"{place}.{unknown[0]}".strip(".") + ": there is no such field")
    given = {
        name: _read(hints[name], each, f"{place}.{name}".strip(".")) for name, each in value.items()
    }
    try:
        return kind(**given)
    except (TypeError, ValueError) as error:
        raise ShapeMismatch(f"{place or 'the payload'}: {error}") from error


def _check(kind: Any, known: set[Any]) -> None:  # noqa: ANN401 - a type
    if is_dataclass(kind):
        if kind not in known:
            # One that has itself as a member is checked once.
            known.add(kind)
            for each in get_type_hints(kind).values():
                _check(each, known)
        return
    origin, members = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType, list) or (origin is dict and members[0] is str):
        for each in members:
            _check(each, known)
        return
    if kind not in _PLAIN:
        message = f"{kind} needs pydantic: pip install 'timegate[typed]'"
        raise TypeError(message)
