"""Dataclasses whose import compiles no source text.

``dataclasses`` writes and compiles the source of up to ten methods of each class at its import. A
function imports hundreds of classes, and an invocation uses few of them (docs/decisions/0202).
Fields, slots and ``replace`` are those of ``dataclasses``; the other methods are closures, and
``__init__`` is compiled for the first instance.
"""

import dataclasses
import operator
from collections.abc import Callable, Iterator
from dataclasses import MISSING, Field, FrozenInstanceError
from functools import cache, partial
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    # Type checkers know the decorator of the standard library by its name.
    from dataclasses import dataclass
else:

    def dataclass(**options: bool) -> Callable[[type], type]:
        """Make a dataclass; ``options`` are those of ``dataclasses.dataclass``."""
        return lambda plain: _made(plain, **options)


__all__ = ["dataclass", "defaults_of", "fields_of"]

Reader = Callable[[object], tuple[object, ...]]

#: The default of a parameter whose value a factory makes.
_UNGIVEN = object()
_KNOWN_FIELDS: dict[type, tuple[Field[Any], ...]] = {}
_KNOWN_DEFAULTS: dict[type, dict[str, Any]] = {}


def _made(
    plain: type, *, frozen: bool = False, eq: bool = True, order: bool = False, **options: bool
) -> type:
    # The standard library would read the signature of a class without a docstring.
    plain.__doc__ = plain.__doc__ or plain.__name__
    made: type = dataclasses.dataclass(init=False, repr=False, eq=False, **options)(plain)
    methods = {"__init__": _first_init(made, frozen=frozen), "__repr__": _represent}
    if eq:
        methods |= _comparisons(made, frozen=frozen, order=order)
    if frozen:
        methods |= {"__setattr__": _refuse_value, "__delattr__": _refuse_deletion}
    if frozen and "__slots__" in made.__dict__:
        methods |= {"__getstate__": _state, "__setstate__": _restore}
    for name in methods.keys() - plain.__dict__.keys():
        setattr(made, name, methods[name])
    return made


def fields_of(kind: type) -> tuple[Field[Any], ...]:
    """Return the fields of a dataclass; the standard library looks for them anew each time."""
    found = _KNOWN_FIELDS.get(kind)
    if found is None:
        found = _KNOWN_FIELDS[kind] = _fields(kind)
    return found


def defaults_of(kind: type) -> dict[str, Any]:
    """Return the default of each field that has one, to compare with: it is never changed."""
    found = _KNOWN_DEFAULTS.get(kind)
    if found is None:
        made = {each.name: _default_of(each) for each in fields_of(kind)}
        found = {name: default for name, default in made.items() if default is not MISSING}
        _KNOWN_DEFAULTS[kind] = found
    return found


def _default_of(each: Field[Any]) -> Any:  # noqa: ANN401 - any default
    if each.default_factory is MISSING:
        return each.default
    make = each.default_factory
    return _shared(make) if _is_value(make) else make()  # type: ignore[arg-type]


def _is_value(factory: object) -> bool:
    """Tell if what a factory makes never changes: a value class that is frozen is one."""
    return getattr(factory, "__setattr__", None) is _refuse_value


@cache
def _shared(factory: Callable[[], object]) -> object:
    """Make a value once, for all who have it as their default."""
    return factory()


def _fields(of: object) -> tuple[Field[Any], ...]:
    return dataclasses.fields(of)  # type: ignore[arg-type]


def _first_init(cls: type, *, frozen: bool) -> Callable[..., object]:
    """Return an ``__init__`` that puts the compiled one in its place."""

    def first(self: object, /, *given: object, **named: object) -> None:
        compiled = _compiled_init(cls, frozen=frozen)
        cls.__init__ = compiled  # type: ignore[misc]
        compiled(self, *given, **named)

    return first


def _compiled_init(cls: type, *, frozen: bool) -> Callable[..., None]:
    """Compile an ``__init__`` that sets each field, then calls ``__post_init__``."""
    names: dict[str, Any] = {"_UNGIVEN": _UNGIVEN, "_set": object.__setattr__}
    positional, named = ["self"], ["*"]
    body: list[str] = []
    for each in _fields(cls):
        (named if each.kw_only else positional).extend(_parameter(each, names))
        body += _assignment(each, getattr(cls, each.name, None), names, frozen=frozen)
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(positional + (named if len(named) > 1 else []))
    exec(f"def __init__({parameters}):\n " + "\n ".join(body or ["pass"]), names)  # noqa: S102
    compiled: Callable[..., None] = names["__init__"]
    compiled.__qualname__ = f"{cls.__qualname__}.__init__"
    return compiled


def _parameter(each: Field[Any], names: dict[str, Any]) -> Iterator[str]:
    """Yield the parameter of a field that has one; put its default into ``names``."""
    names[f"_default_{each.name}"] = each.default
    if not each.init:
        return
    if each.default_factory is not MISSING:
        yield f"{each.name}=_UNGIVEN"
    elif each.default is not MISSING:
        yield f"{each.name}=_default_{each.name}"
    else:
        yield each.name


def _assignment(
    each: Field[Any], slot: object, names: dict[str, Any], *, frozen: bool
) -> Iterator[str]:
    """Yield the statement that sets a field, and put what it calls into ``names``."""
    name = value = each.name
    if each.default_factory is not MISSING:
        make = each.default_factory
        names[f"_make_{name}"] = partial(_shared, make) if _is_value(make) else make  # type: ignore[arg-type]
        value = f"_make_{name}()" + (f" if {name} is _UNGIVEN else {name}" if each.init else "")
    elif not each.init:
        value = f"_default_{name}"
        if each.default is MISSING:
            return
    if not frozen:
        yield f"self.{name} = {value}"
    elif isinstance(slot, MemberDescriptorType):
        names[f"_set_{name}"] = slot.__set__
        yield f"_set_{name}(self, {value})"
    else:
        yield f"_set(self, {name!r}, {value})"


def _comparisons(cls: type, *, frozen: bool, order: bool) -> dict[str, Any]:
    read = _reader([each.name for each in _fields(cls) if each.compare])

    def equal(self: object, other: object) -> bool:
        return read(self) == read(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(read(self))

    methods = {"__eq__": equal, "__hash__": hashed if frozen else None}
    signs = ("lt", "le", "gt", "ge") if order else ()
    return methods | {f"__{sign}__": _ordered(getattr(operator, sign), read) for sign in signs}


def _ordered(compare: Callable[[Any, Any], object], read: Reader) -> Callable[..., object]:
    def ordered(self: object, other: object) -> object:
        if other.__class__ is self.__class__:
            return compare(read(self), read(other))
        return NotImplemented

    return ordered


def _reader(names: list[str]) -> Reader:
    """Return a function that reads these fields as a tuple."""
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda of: tuple(getattr(of, name) for name in names)


@recursive_repr()
def _represent(self: object) -> str:
    shown = [f"{each.name}={getattr(self, each.name)!r}" for each in _fields(self) if each.repr]
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def _refuse_value(_: object, name: str, value: object) -> NoReturn:  # noqa: ARG001
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_deletion(_: object, name: str) -> NoReturn:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: object) -> list[object]:
    return [getattr(self, each.name) for each in _fields(self)]


def _restore(self: object, state: list[object]) -> None:
    for each, value in zip(_fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)
