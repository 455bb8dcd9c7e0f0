"""Schemas as they are checked against: each keyword that values are held to."""

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final

from timegate.domain.schemas.text_pattern import TextPattern
from timegate.value_classes import dataclass

#: Types that a schema may name.
TYPES: Final = ("object", "array", "string", "integer", "number", "boolean", "null")
#: Formats that texts are held to.
FORMATS: Final = ("date", "date-time")
_TYPES_OF: Final[Mapping[type, tuple[str, ...]]] = {
    type(None): ("null",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("integer", "number"),
    str: ("string",),
    list: ("array",),
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Schema:
    """A schema of a value, or of a member or an item of one; what it leaves out holds nothing."""

    #: In the order of the schema; ``None``: any.
    types: tuple[str, ...] | None = None
    #: Schemas of members by name.
    members: Mapping[str, "Schema"] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    #: Schema of members that ``members`` does not name; ``False``: there may be none.
    others: "Schema | bool" = True
    #: Schema of each item of an array; ``None``: any.
    items: "Schema | None" = None
    #: Values that it may have, in order; ``None``: any.
    choices: tuple[Any, ...] | None = None
    least: float | None = None
    most: float | None = None
    #: Lengths of texts, in characters.
    shortest: int | None = None
    longest: int | None = None
    #: Lengths of arrays.
    fewest_items: int | None = None
    most_items: int | None = None
    pattern: TextPattern | None = None
    #: The pattern as it is written.
    pattern_text: str = ""
    format: str | None = None
    #: Texts and numbers of its choices, which are found at once.
    chosen: frozenset[tuple[str, Any]] = frozenset()


def types_of(value: object) -> tuple[str, ...]:
    """Return the types that a JSON value has, the narrowest first: ``1.0`` is an integer too."""
    if isinstance(value, float) and not value.is_integer():
        return ("number",)
    return _TYPES_OF.get(type(value), ("object",))


def choice_of(value: object) -> tuple[str, Any]:
    """Return a value that is no list and no object as choices are compared: ``1`` is ``1.0``."""
    return types_of(value)[-1], value
