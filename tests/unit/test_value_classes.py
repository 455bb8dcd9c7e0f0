"""Value classes behave as dataclasses of the standard library; their import compiles nothing."""

import builtins
import copy
import dataclasses
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, field, fields, replace
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from timegate import value_classes
from timegate.value_classes import dataclass, defaults_of

Made = Callable[..., Any]
Held = TypeVar("Held")


@dataclass(frozen=True, kw_only=True, slots=True)
class Point:
    """A point that can be pickled, as its module has it by name."""

    x: int
    y: int = 0


def both(**options: bool) -> list[Made]:
    """The same class by the standard library and by the house."""
    return [made_by(dataclasses.dataclass, **options), made_by(value_classes.dataclass, **options)]


def made_by(decorator: Made, **options: bool) -> Made:
    """A class with each kind of field."""

    class Kinds:
        """Each kind of field."""

        shared: ClassVar[int] = 1
        plain: int
        text: str = "a"
        listed: list[int] = field(default_factory=list)
        quiet: int = field(default=0, repr=False)
        aside: int = field(default=0, compare=False)
        derived: int = field(init=False, compare=False)
        fixed: int = field(init=False, default=7)
        made: dict[str, int] = field(init=False, default_factory=dict, compare=False)

        def __post_init__(self) -> None:
            object.__setattr__(self, "derived", self.plain * 2)

    found: Made = decorator(**options)(Kinds)
    return found


OPTIONS = [
    {"frozen": True, "kw_only": True, "slots": True},
    {"frozen": True, "slots": True},
    {"frozen": True, "kw_only": True},
    {"kw_only": True, "slots": True},
    {"slots": True, "order": True},
    {"frozen": True, "eq": False},
    {},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_instances_are_those_of_the_standard_library(options: dict[str, bool]) -> None:
    """Values, defaults, factories, derived fields, text and ``replace`` are the same."""
    theirs, ours = both(**options)
    for given in ({"plain": 1}, {"plain": 2, "text": "b", "listed": [3], "quiet": 4, "aside": 5}):
        there, here = theirs(**given), ours(**given)

        assert repr(here) == repr(there)
        for each in fields(there):
            assert getattr(here, each.name) == getattr(there, each.name)
        assert repr(replace(here, plain=9)) == repr(replace(there, plain=9))
        assert here.listed is not ours(plain=1).listed
    assert [each.name for each in fields(ours)] == [each.name for each in fields(theirs)]  # type: ignore[arg-type]
    assert ours.__match_args__ == theirs.__match_args__  # type: ignore[attr-defined]
    assert hasattr(ours(plain=1), "__dict__") == hasattr(theirs(plain=1), "__dict__")


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_instances_compare_as_those_of_the_standard_library(options: dict[str, bool]) -> None:
    """The class and the fields that compare decide; so does the hash, where there is one."""
    for made in both(**options):
        one, same, other = made(plain=1), made(plain=1, aside=3), made(plain=2)
        by_value = options.get("eq", True)

        assert (one == same) is by_value
        assert one != other
        assert one != Point(x=1)
        assert (made.__hash__ is None) is (by_value and not options.get("frozen", False))
        if options.get("order"):
            assert one < other
            assert one <= same
            assert other > one
            assert other >= one
            with pytest.raises(TypeError):
                _ = one < Point(x=1)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_calls_are_refused_as_by_the_standard_library(options: dict[str, bool]) -> None:
    """A missing, an unknown and a positional value end with the same sentence, more than once."""
    theirs, ours = both(**options)
    for arguments, named in (
        ((), {}),
        ((), {"plain": 1, "extra": 2}),
        ((), {"fixed": 1}),
        ((1,), {}),
    ):
        told = [refusal(made, arguments, named) for made in (theirs, ours, ours)]

        assert told[0] == told[1] == told[2]


def refusal(made: Made, arguments: tuple[int, ...], named: dict[str, int]) -> str | None:
    """The error of a call, or ``None``."""
    try:
        made(*arguments, **named)
    except TypeError as error:
        return str(error).replace("both.<locals>.", "")
    return None


def test_hashes_are_those_of_the_fields_that_compare() -> None:
    """Equal values are one key."""
    assert hash(Point(x=1)) == hash(Point(x=1, y=0))
    assert {Point(x=1): "a"}[Point(x=1)] == "a"


@pytest.mark.parametrize("made", [Point, *both(frozen=True)])
def test_a_frozen_value_stays(made: Made) -> None:
    """No field of it can be set, added or deleted."""
    value: Any = made(x=1) if made is Point else made(plain=1)
    name = fields(value)[0].name

    with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
        setattr(value, name, 2)
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'extra'"):
        value.extra = 2
    with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
        delattr(value, name)


@pytest.mark.parametrize(
    "through", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))]
)
def test_copies_are_equal(through: Callable[[Point], Point]) -> None:
    """Frozen values with slots are copied and pickled."""
    assert through(Point(x=1, y=2)) == Point(x=1, y=2)


def test_a_subclass_has_the_fields_of_its_bases() -> None:
    """Fields of bases come first, and each class has a constructor of its own."""

    @dataclass(frozen=True, kw_only=True, slots=True)
    class Spot(Point):
        """A point with a name."""

        name: str

    @dataclass(frozen=True, slots=True)
    class Box(Generic[Held]):
        """One value."""

        held: Held

    assert repr(Spot(x=1, name="a")).endswith("Spot(x=1, y=0, name='a')")
    assert Point(x=1) != Spot(x=1, name="a")
    assert Box[int](1) == Box(1)
    match Box(2):
        case Box(held):
            assert held == 2


def test_methods_of_a_class_stay() -> None:
    """A class that says how it compares or prints is asked."""

    @dataclass(frozen=True, slots=True)
    class Loud:
        """A value with methods of its own."""

        text: str

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Loud) and other.text.upper() == self.text.upper()

        def __hash__(self) -> int:
            return hash(self.text.upper())

        def __repr__(self) -> str:
            return self.text.upper()

    assert Loud("a") == Loud("A")
    assert {Loud("a"), Loud("A")} == {Loud("a")}
    assert repr(Loud("a")) == "A"


def test_no_method_is_compiled_before_the_first_instance(monkeypatch: pytest.MonkeyPatch) -> None:
    """A class costs an import no compilation of methods; its constructor is compiled once.

    Python 3.13 compiles a text without a method for each class.
    """
    compiled: list[str] = []
    run = builtins.exec

    def counted(source: str, *names: dict[str, object]) -> None:
        if "self" in source:
            compiled.append(source)
        run(source, *names)

    monkeypatch.setattr(builtins, "exec", counted)
    for options in OPTIONS:
        made = made_by(value_classes.dataclass, **options)
        assert compiled == []
        made(plain=1)
        made(plain=2)
        assert len(compiled) == 1
        compiled.clear()


@dataclass(frozen=True, kw_only=True, slots=True)
class Origin:
    """A value whose every field has a default."""

    at: Point = field(default_factory=lambda: Point(x=0))
    size: int = 1


@dataclass(frozen=True, kw_only=True, slots=True)
class Drawing:
    """A value with defaults that factories make."""

    title: str
    origin: Origin = field(default_factory=Origin)
    names: dict[str, int] = field(default_factory=dict)


def test_a_frozen_value_is_made_once_as_a_default() -> None:
    """All share it, for it never changes; what may change is made for each."""
    first, second = Drawing(title="a"), Drawing(title="b")

    assert first.origin is second.origin
    assert first.names is not second.names
    assert Drawing(title="c", origin=Origin(size=2)).origin == Origin(size=2)


def test_defaults_are_those_of_new_values() -> None:
    """A field without a default has none."""
    assert defaults_of(Drawing) == {"origin": Origin(), "names": {}}
    assert defaults_of(Drawing)["origin"] is Drawing(title="a").origin
    assert defaults_of(Point) == {"y": 0}
