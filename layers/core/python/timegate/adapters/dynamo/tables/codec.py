"""Values as attributes: one codec reads and writes each type of the domain by its type hints.

A dataclass is a map of its fields; a field at its default is left out. A union of dataclasses
names its member by ``type``. A value that a hint does not allow raises ``Malformed``, which names
the path to it. Hints are resolved when a type is first read or written, and never again.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import date, datetime, timedelta
from enum import Enum
from functools import cache, cached_property
from math import ceil
from types import NoneType, UnionType
from typing import Any, Generic, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from timegate.adapters.dynamo.tables.reading import (
    boolean,
    check_shape,
    listed,
    mapping,
    number,
    number_set,
    read_instants,
    real,
    text,
    write_instants,
)
from timegate.adapters.dynamo.tables.values import Plain
from timegate.domain.values.errors import Malformed, TimegateError
from timegate.domain.values.instants import compact, from_compact
from timegate.value_classes import defaults_of

Record = TypeVar("Record")
Write = Callable[[Any], Plain]
Read = Callable[[Any], Any]

#: The attribute that names the member of a union; a member has it as a class variable, or ``tag``
#: where the API shows no type.
_TAG = "type"
_DAMAGE = (TimegateError, LookupError, ValueError, TypeError, AttributeError, OverflowError)


class _Member(NamedTuple):
    """One field of a dataclass, as an attribute."""

    name: str
    attribute: str
    #: The value that is left out; ``MISSING``: none is.
    default: Any
    #: The value of a missing attribute: ``MISSING`` for damage, ``...`` for the type's default.
    absent: Any
    is_optional: bool
    write: Write
    read: Read


class Part(Generic[Record]):
    """Some fields of a dataclass, all unless they are named, as attributes of an item or a map."""

    def __init__(
        self,
        kind: type[Record],
        *,
        only: Collection[str] = (),
        without: Collection[str] = (),
        names: Mapping[str, str] | None = None,
        always: Collection[str] = (),
        within: str | None = None,
    ) -> None:
        """Declare a part.

        ``names``: attributes that are not called as their fields are. ``always``: fields that are
        written at their default as well, since a condition or a filter names them. ``within``: the
        map of the item that has the attributes.
        """
        self._kind = kind
        self._only, self._without, self._always = only, without, always
        self._names = names or {}
        self._within = within

    def map(self, value: object) -> dict[str, Plain]:
        """Write the fields of a value that has them; one at its default is left out."""
        written: dict[str, Plain] = {}
        for name, attribute, default, write in self._written:
            inner = getattr(value, name)
            if inner is not default and (default is MISSING or inner != default):
                written[attribute] = inner if write is _same else write(inner)
        return written

    def fields(self, value: object) -> dict[str, Plain]:
        """Write attributes of an item: ``None`` for a field at its default, which removes it.

        Raises ``TypeError`` for a part with a field that may be ``None`` and has another default.
        """
        if self._within is not None:
            return {self._within: self.map(value) or None}
        return {**self.unset, **self.map(value)}

    def field(self, name: str, value: object) -> dict[str, Plain]:
        """Write the attribute of one field, as ``fields`` does."""
        member = self._members[name]
        return {member.attribute: None if value == member.default else member.write(value)}

    def arguments(self, attributes: Mapping[str, Plain]) -> dict[str, Any]:
        """Read fields by name; one at its default is not among them. Raises ``Malformed``."""
        if self._within is None:
            return self._read(attributes)
        try:
            return self._read(mapping(attributes.get(self._within)))
        except Malformed as error:
            raise Malformed(f"{self._within}: {error}") from error

    def read(self, attributes: Plain, **beside: Any) -> Record:  # noqa: ANN401 - fields of a type
        """Read a value whose other fields are ``beside``; raises ``Malformed``."""
        return self._kind(**self.arguments(mapping(attributes)), **beside)

    def _read(self, attributes: Mapping[str, Plain]) -> dict[str, Any]:
        check_shape(attributes)
        found: dict[str, Any] = {}
        for name, attribute, absent, read in self._readable:
            inner = attributes.get(attribute, MISSING)
            if inner is not MISSING:
                try:
                    found[name] = read(inner)
                except _DAMAGE as error:
                    raise Malformed(f"{attribute}: {error}") from error
            elif absent is MISSING:
                raise Malformed(f"{attribute} is missing.")
            elif absent is None:
                found[name] = None
        return found

    @cached_property
    def _members(self) -> dict[str, _Member]:
        hints = get_type_hints(self._kind)
        own = {each.name: each for each in fields(self._kind)}  # type: ignore[arg-type]
        chosen = [name for name in own if name not in self._without]
        chosen = [name for name in chosen if name in self._only] if self._only else chosen
        return {name: self._member(own[name], hints[name]) for name in chosen}

    def _member(self, field: Field[Any], hint: Any) -> _Member:  # noqa: ANN401 - any field
        default: Any = defaults_of(self._kind).get(field.name, MISSING)
        is_always, is_optional = field.name in self._always, NoneType in get_args(hint)
        absent: Any = MISSING if default is MISSING else ...
        if is_optional and (default is MISSING or is_always):
            absent = default = None
        # No attribute holds a ``None`` that is left out.
        write, read = codec_of(_without_none(hint) if default is None and not is_always else hint)
        return _Member(
            name=field.name,
            attribute=self._names.get(field.name, field.name),
            default=MISSING if is_always else default,
            absent=absent,
            is_optional=is_optional,
            write=write,
            read=read,
        )

    @cached_property
    def _written(self) -> list[tuple[str, str, Any, Write]]:
        return [(m.name, m.attribute, m.default, m.write) for m in self._members.values()]

    @cached_property
    def _readable(self) -> list[tuple[str, str, Any, Read]]:
        return [(m.name, m.attribute, m.absent, m.read) for m in self._members.values()]

    @cached_property
    def unset(self) -> Mapping[str, Plain]:
        """Name every attribute, to remove it."""
        for member in self._members.values():
            if member.is_optional and member.default is not None and member.default is not MISSING:
                message = f"{member.name} may be None: an item would say that it is not set."
                raise TypeError(message)
        return dict.fromkeys(member.attribute for member in self._members.values())


@cache
def codec_of(hint: Any) -> tuple[Write, Read]:  # noqa: ANN401 - any type of a field
    """Return what writes and what reads values of a type; raises ``TypeError`` for others."""
    hint = getattr(hint, "__supertype__", hint)
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, parts = get_origin(hint), get_args(hint)
    if origin in {Union, UnionType}:
        return _union(hint)
    if origin is not None and origin in _CONTAINERS:
        return _CONTAINERS[origin](parts)
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _same, hint
    if hasattr(hint, "parse"):
        return str, lambda value: hint.parse(text(value))
    if is_dataclass(hint):
        part = Part(hint)  # type: ignore[arg-type]
        return part.map, part.read
    raise _not_held(hint)


def _not_held(what: object) -> TypeError:
    return TypeError(f"Items hold no {what}.")


def _without_none(hint: Any) -> Any:  # noqa: ANN401 - any type of a field
    own = tuple(each for each in get_args(hint) if each is not NoneType)
    return Union[own]  # noqa: UP007 - made from parts


def _union(hint: Any) -> tuple[Write, Read]:  # noqa: ANN401 - any union
    """A union of dataclasses, or of anything and ``None``."""
    own = get_args(hint)
    if NoneType in own:
        inner, outer = codec_of(_without_none(hint))
        return (
            lambda value: None if value is None else inner(value),
            lambda value: None if value is None else outer(value),
        )
    members = {getattr(each, _TAG, None) or each.tag: Part(each) for each in own}
    tags = dict(zip(own, members, strict=True))

    def write(value: object) -> Plain:
        tag = tags[type(value)]
        return {_TAG: tag, **members[tag].map(value)}

    def read(value: Any) -> object:  # noqa: ANN401 - what an item holds
        tag = mapping(value).get(_TAG)
        if not isinstance(tag, str) or tag not in members:
            raise Malformed(f"{tag!r} is no {_TAG} of {', '.join(members)}.")
        return members[tag].read(value)

    return write, read


def _row(parts: tuple[Any, ...]) -> tuple[Write, Read]:
    """Tuples of one type, of instants, and of a fixed number of types."""
    if parts == (datetime, ...):
        return write_instants, read_instants
    if parts[-1] is ...:
        write, read = codec_of(parts[0])
        return (
            lambda values: [write(each) for each in values],
            lambda values: tuple([read(each) for each in listed(values)]),
        )
    codecs = [codec_of(each) for each in parts]
    return (
        lambda values: [w(each) for (w, _), each in zip(codecs, values, strict=True)],
        lambda values: tuple(r(each) for (_, r), each in zip(codecs, listed(values), strict=True)),
    )


def _named(parts: tuple[Any, ...]) -> tuple[Write, Read]:
    """Maps from text."""
    if codec_of(parts[0]) is not _SCALARS[str]:
        raise _not_held(parts)
    write, read = codec_of(parts[1])
    return (
        lambda values: {str(name): write(inner) for name, inner in values.items()},
        lambda values: {name: read(inner) for name, inner in mapping(values).items()},
    )


def _numbers(parts: tuple[Any, ...]) -> tuple[Write, Read]:
    """Sets of whole numbers; DynamoDB has no empty ones, and an empty list stands for them."""
    if parts != (int,):
        raise _not_held(parts)
    return (
        lambda values: frozenset(values) or [],
        lambda values: frozenset() if values == [] else number_set(values),
    )


def _same(value: Any) -> Any:  # noqa: ANN401 - stored as it is
    return value


_SCALARS: dict[Any, tuple[Write, Read]] = {
    str: (_same, text),
    bool: (_same, boolean),
    int: (_same, number),
    float: (_same, real),
    bytes: (bytes.hex, lambda value: bytes.fromhex(text(value))),
    datetime: (compact, lambda value: from_compact(text(value))),
    date: (date.isoformat, lambda value: date.fromisoformat(text(value))),
    timedelta: (lambda it: ceil(it.total_seconds()), lambda value: timedelta(seconds=real(value))),
}
_CONTAINERS: dict[Any, Callable[[tuple[Any, ...]], tuple[Write, Read]]] = {
    tuple: _row,
    frozenset: _numbers,
    Mapping: _named,
}
