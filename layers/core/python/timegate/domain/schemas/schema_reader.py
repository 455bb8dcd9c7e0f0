"""Reading schemas: what is not in the closed part, or could never hold, is refused."""

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, NoReturn

from timegate.domain.schemas.fitting import faults_of
from timegate.domain.schemas.keywords import ANYWHERE, BELONGS_TO, DIALECT, unknown_keyword
from timegate.domain.schemas.pattern_grammar import UnsupportedPattern
from timegate.domain.schemas.places import Place, written
from timegate.domain.schemas.schema import FORMATS, TYPES, Schema, choice_of
from timegate.domain.schemas.text_pattern import TextPattern
from timegate.domain.values.errors import InvalidInput

#: Every write of its job bills it, and every run that is claimed reads it.
MAX_SCHEMA_BYTES = 4096
#: Schemas within schemas.
MAX_DEPTH = 10
#: Positions of all patterns.
MAX_POSITIONS = 1024
_MAX_NAMED = 100
_COUNTS: Final = {
    "minLength": "shortest",
    "maxLength": "longest",
    "minItems": "fewest_items",
    "maxItems": "most_items",
}
_RANGES: Final = (("minimum", "maximum"), ("minLength", "maxLength"), ("minItems", "maxItems"))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


#: Keywords whose values have one form, and a sentence on it.
_VALUES: Final[Mapping[str, tuple[Callable[[object], bool], str]]] = {
    **dict.fromkeys(("title", "description"), (_is_text, "It is a text for people.")),
    **dict.fromkeys(_COUNTS, (_is_count, "It is a whole number, and not below 0.")),
    **dict.fromkeys(("minimum", "maximum"), (_is_number, "It is a number.")),
    "pattern": (_is_text, "A pattern is a text."),
}


@lru_cache(maxsize=4)
def read_schema(text: str, field: str = "payload_schema") -> Schema:
    """Read a schema, given as JSON text; raises ``InvalidInput`` with a pointer to what is wrong.

    ``field``: where the schema stands.
    """
    size = len(text.encode())
    if size > MAX_SCHEMA_BYTES:
        detail = f"It has {size} bytes as JSON; the limit is {MAX_SCHEMA_BYTES}."
        raise InvalidInput(field, "too_long", detail)
    return _Reader().schema(json.loads(text), (field, None), depth=1)


class _Reader:
    """Reads one schema, and counts what its patterns take."""

    def __init__(self) -> None:
        self._positions = 0

    def schema(self, given: object, place: Place, *, depth: int) -> Schema:
        """Read a schema and those in it."""
        if not isinstance(given, dict):
            _refuse(place, "wrong_type", "A schema is a JSON object.")
        if depth > MAX_DEPTH:
            _refuse(place, "too_complex", f"Schemas are nested {MAX_DEPTH} times at most.")
        types = _types(given, place)
        _check_keywords(given, types, place, is_whole=depth == 1)
        _check_ranges(given, place)
        choices = _choices(given, types, place)
        read = Schema(
            types=types,
            members=self._members(given, place, depth),
            required=_names(given, place),
            others=self._others(given, place, depth),
            items=self._inner(given, "items", place, depth),
            choices=choices,
            chosen=frozenset(map(choice_of, choices or ())),
            least=given.get("minimum"),
            most=given.get("maximum"),
            **{attribute: given.get(name) for name, attribute in _COUNTS.items()},
            pattern=self._pattern(given, place),
            pattern_text=given.get("pattern", ""),
            format=given.get("format"),
        )
        _check_required(read, place)
        _check_default(read, given, place)
        return read

    def _members(self, given: Mapping[str, Any], place: Place, depth: int) -> Mapping[str, Schema]:
        members = given.get("properties", {})
        where: Place = ("properties", place)
        if not isinstance(members, dict):
            _refuse(where, "wrong_type", "It is an object of schemas by name.")
        return {
            name: self.schema(member, (name, where), depth=depth + 1)
            for name, member in members.items()
        }

    def _others(self, given: Mapping[str, Any], place: Place, depth: int) -> Schema | bool:
        others = given.get("additionalProperties", True)
        if isinstance(others, bool):
            return others
        return self.schema(others, ("additionalProperties", place), depth=depth + 1)

    def _inner(
        self, given: Mapping[str, Any], name: str, place: Place, depth: int
    ) -> Schema | None:
        return self.schema(given[name], (name, place), depth=depth + 1) if name in given else None

    def _pattern(self, given: Mapping[str, Any], place: Place) -> TextPattern | None:
        text, where = given.get("pattern"), ("pattern", place)
        if text is None:
            return None
        try:
            pattern = TextPattern(text)
        except UnsupportedPattern as error:
            _refuse(where, "unsupported_pattern", str(error))
        self._positions += pattern.positions
        if self._positions > MAX_POSITIONS:
            detail = f"The patterns of a schema have {MAX_POSITIONS} parts together at most."
            _refuse(where, "too_complex", detail)
        return pattern


def _types(given: Mapping[str, Any], place: Place) -> tuple[str, ...] | None:
    if "type" not in given:
        return None
    named = given["type"] if isinstance(given["type"], list) else [given["type"]]
    if not named or any(each not in TYPES for each in named if isinstance(each, str)):
        _refuse(("type", place), "invalid_choice", f"A type is one of {', '.join(TYPES)}.")
    if not all(isinstance(each, str) for each in named):
        _refuse(("type", place), "wrong_type", "A type is a text, or a list of texts.")
    if len(set(named)) < len(named):
        _refuse(("type", place), "repeated", "A type is named twice.")
    return tuple(named)


def _check_keywords(
    given: Mapping[str, Any], types: tuple[str, ...] | None, place: Place, *, is_whole: bool
) -> None:
    for name, value in given.items():
        where: Place = (name, place)
        if name == "$schema" and is_whole:
            if value != DIALECT:
                _refuse(where, "invalid_choice", f"The dialect is {DIALECT}.")
        elif name in BELONGS_TO:
            _check_type_of(name, types, where)
        elif name not in ANYWHERE:
            _refuse(where, "unknown_keyword", unknown_keyword(name))
        wrong = _VALUES.get(name)
        if wrong is not None and not wrong[0](value):
            _refuse(where, "wrong_type", wrong[1])
    if "format" in given and given["format"] not in FORMATS:
        _refuse(("format", place), "invalid_choice", f"A format is one of {', '.join(FORMATS)}.")


def _check_type_of(name: str, types: tuple[str, ...] | None, where: Place) -> None:
    """Refuse a keyword whose types the schema does not name: other values would pass it by."""
    wanted = BELONGS_TO[name]
    if types is None:
        _refuse(where, "required", f"Give a type of {' or '.join(wanted)} beside it.")
    if not any(each in types for each in wanted):
        _refuse(where, "without_effect", f"It says nothing of the type {', '.join(types)}.")


def _check_ranges(given: Mapping[str, Any], place: Place) -> None:
    for least, most in _RANGES:
        if least in given and most in given and given[least] > given[most]:
            _refuse((least, place), "contradictory", f"It is more than {most}.")


def _choices(
    given: Mapping[str, Any], types: tuple[str, ...] | None, place: Place
) -> tuple[Any, ...] | None:
    if "const" in given and "enum" in given:
        _refuse(("const", place), "contradictory", "It goes without enum: give one of both.")
    name = "const" if "const" in given else "enum"
    if name not in given:
        return None
    values, where = [given[name]] if name == "const" else given[name], (name, place)
    if not isinstance(values, list) or not values:
        _refuse(where, "wrong_type", "It is a list with a value in it.")
    if any(isinstance(each, list | dict) for each in values):
        _refuse(where, "wrong_type", "Its values are texts, numbers, true, false or null.")
    if len({choice_of(each) for each in values}) < len(values):
        _refuse(where, "repeated", "A value is listed twice.")
    typed = Schema(types=types)
    if any(faults_of(typed, each, "") for each in values):
        _refuse(where, "contradictory", "A value of it is not of the type.")
    return tuple(values)


def _names(given: Mapping[str, Any], place: Place) -> tuple[str, ...]:
    names = given.get("required", [])
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        _refuse(("required", place), "wrong_type", "It is a list of names of members.")
    if len(set(names)) < len(names):
        _refuse(("required", place), "repeated", "A name is listed twice.")
    return tuple(names)


def _check_required(read: Schema, place: Place) -> None:
    if read.others is not False:
        return
    for name in read.required:
        if name not in read.members:
            detail = f"No other members are allowed, and there is no {name[:_MAX_NAMED]}."
            _refuse(("required", place), "contradictory", detail)


def _check_default(read: Schema, given: Mapping[str, Any], place: Place) -> None:
    if "default" not in given:
        return
    where = written(("default", place))
    for fault in faults_of(read, given["default"], where):
        detail = f"It does not fit its own schema. {fault.detail}"
        raise InvalidInput(fault.field, "contradictory", detail)


def _refuse(place: Place, code: str, detail: str) -> NoReturn:
    raise InvalidInput(written(place), code, detail)
