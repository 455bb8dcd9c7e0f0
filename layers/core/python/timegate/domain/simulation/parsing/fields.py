"""Reading a document: every field is known, is there, and has the type it says."""

from collections.abc import Callable, Mapping
from datetime import datetime
from enum import StrEnum
from typing import TypeVar

from timegate.domain.values.durations import is_duration, read_duration
from timegate.domain.values.errors import InvalidInput
from timegate.domain.values.written_instants import read_instant

Value = TypeVar("Value")
Default = TypeVar("Default")
Choice = TypeVar("Choice", bound=StrEnum)
#: Turns what a document holds at a path into a value; raises ``InvalidInput`` with that path.
Read = Callable[[object, str], Value]

#: More than a person writes.
MAX_LIST = 100


class Fields:
    """The fields of one object in a document; the reader that took all of them calls ``done``."""

    def __init__(self, value: object, path: str = "") -> None:
        if not isinstance(value, Mapping):
            raise InvalidInput(path or "scenario", "wrong_type", "It must be an object.")
        self._path = path
        self._left = {str(name): each for name, each in value.items()}

    def path(self, name: str) -> str:
        """Return a field's path in the document: ``edits.0.schedule``."""
        return f"{self._path}.{name}" if self._path else name

    def required(self, name: str, read: Read[Value]) -> Value:
        """Take a field; raises ``InvalidInput`` when it is not there."""
        if name not in self._left:
            raise InvalidInput(self.path(name), "missing", "It is required.")
        return read(self._left.pop(name), self.path(name))

    def optional(self, name: str, read: Read[Value], default: Default) -> Value | Default:
        """Take a field if it is there."""
        return self.required(name, read) if name in self._left else default

    def peek(self, name: str, read: Read[Value]) -> Value:
        """Read a field that is there, and leave it."""
        return read(self._left[name], self.path(name))

    def given(self) -> frozenset[str]:
        """The names of the fields not taken yet."""
        return frozenset(self._left)

    def done(self) -> None:
        """Refuse fields that were not taken: a misspelt one would change nothing, silently."""
        for name in sorted(self._left):
            raise InvalidInput(self.path(name), "unknown_field", "There is no such field here.")


def instant(value: object, path: str) -> datetime:
    """An instant with its offset, as text."""
    try:
        return read_instant(value if isinstance(value, str) else "")
    except InvalidInput as refused:
        raise InvalidInput(path, refused.code, refused.detail) from refused


def text(value: object, path: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise InvalidInput(path, "wrong_type", "It must be a text.")
    return value


def flag(value: object, path: str) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise InvalidInput(path, "wrong_type", "It must be true or false.")
    return value


def whole(least: int, most: int) -> Read[int]:
    """Whole numbers from ``least`` to ``most``."""

    def read(value: object, path: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise InvalidInput(path, "wrong_type", "It must be a whole number.")
        _check_range(value, least, most, path)
        return value

    return read


def number(least: float, most: float) -> Read[float]:
    """Numbers from ``least`` to ``most``."""

    def read(value: object, path: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise InvalidInput(path, "wrong_type", "It must be a number.")
        _check_range(value, least, most, path)
        return value

    return read


def seconds(read_number: Read[Value]) -> Read[Value]:
    """Seconds as a number, or as a duration in ISO 8601."""

    def read(value: object, path: str) -> Value:
        if not isinstance(value, str):
            return read_number(value, path)
        if not is_duration(value):
            detail = "It must be a number of seconds, or a duration such as PT5M."
            raise InvalidInput(path, "wrong_type", detail)
        try:
            return read_number(read_duration(value), path)
        except InvalidInput as refused:
            raise InvalidInput(path, refused.code, refused.detail) from refused

    return read


def one_of(choices: type[Choice]) -> Read[Choice]:
    """One of the words of an enumeration."""

    def read(value: object, path: str) -> Choice:
        words = sorted(choices)
        if not isinstance(value, str) or value not in words:
            raise InvalidInput(path, "invalid_choice", f"It must be one of {', '.join(words)}.")
        return choices(value)

    return read


def or_null(read: Read[Value]) -> Read[Value | None]:
    """Null says what leaving the field out says."""
    return lambda value, path: None if value is None else read(value, path)


def many(read_one: Read[Value], *, most: int = MAX_LIST) -> Read[tuple[Value, ...]]:
    """A list; each element is found by its number, from 0."""

    def read(value: object, path: str) -> tuple[Value, ...]:
        if not isinstance(value, list):
            raise InvalidInput(path, "wrong_type", "It must be a list.")
        if len(value) > most:
            raise InvalidInput(path, "too_long", f"It may have {most} elements.")
        return tuple(read_one(each, f"{path}.{at}") for at, each in enumerate(value))

    return read


def table(read_one: Read[Value], *, most: int = MAX_LIST) -> Read[dict[str, Value]]:
    """An object whose fields have names of their own."""

    def read(value: object, path: str) -> dict[str, Value]:
        if not isinstance(value, Mapping):
            raise InvalidInput(path, "wrong_type", "It must be an object.")
        if len(value) > most:
            raise InvalidInput(path, "too_long", f"It may have {most} fields.")
        named = {str(name): each for name, each in value.items()}
        return {name: read_one(each, f"{path}.{name}") for name, each in named.items()}

    return read


def _check_range(value: float, least: float, most: float, path: str) -> None:
    # Said this way round, so that NaN is in no range.
    if not value >= least:
        raise InvalidInput(path, "too_small", f"It must be {least} or more.")
    if not value <= most:
        raise InvalidInput(path, "too_large", f"It must be {most} or less.")
