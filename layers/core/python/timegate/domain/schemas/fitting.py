"""Checking a JSON value against a schema, within a budget of steps."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from itertools import islice
from typing import Any, Final

from timegate.domain.schemas.places import Place, written
from timegate.domain.schemas.schema import Schema, choice_of, types_of
from timegate.domain.values.errors import InvalidInput

#: Faults that a refusal names.
MAX_FAULTS = 20
#: Values, members and eighths of a pattern's work on a character that one check looks at.
MAX_STEPS = 200_000
#: Positions of a pattern that a character is compared with in one step.
_POSITIONS_PER_STEP = 8
_MAX_LISTED = 200
_DATE: Final = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
_TIME: Final = re.compile(
    r"([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)", re.ASCII
)
_ARTICLES: Final = {
    "object": "an object",
    "array": "a list",
    "string": "a text",
    "integer": "an integer",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


class _TooMuch(Exception):
    """The check takes more steps than it may."""


class _Steps:
    """Steps that a check may still take."""

    def __init__(self) -> None:
        self.left = MAX_STEPS

    def spend(self, steps: int = 1) -> None:
        self.left -= steps
        if self.left < 0:
            raise _TooMuch


def faults_of(schema: Schema, value: object, field: str) -> list[InvalidInput]:
    """Name what does not fit, at most ``MAX_FAULTS`` places; nothing: the value fits.

    ``field``: where the value stands. JSON pointers follow it.
    """
    found: list[InvalidInput] = []
    try:
        found.extend(islice(_faults(schema, value, (field, None), _Steps()), MAX_FAULTS))
    except _TooMuch:
        detail = f"Checking it against the schema takes more than {MAX_STEPS:,} steps."
        found = [*found[: MAX_FAULTS - 1], InvalidInput(field, "too_complex", detail)]
    return found


def _faults(schema: Schema, value: Any, place: Place, steps: _Steps) -> Iterator[InvalidInput]:  # noqa: ANN401
    """Yield faults of a value and all in it: a schema is nested a few times only."""
    steps.spend()
    kinds = types_of(value)
    if schema.types is not None and not any(each in schema.types for each in kinds):
        asked = " or ".join(_ARTICLES[each] for each in schema.types)
        detail = f"The schema asks for {asked}, and it is {_ARTICLES[kinds[0]]}."
        yield InvalidInput(written(place), "wrong_type", detail)
        return
    if schema.choices is not None and not _is_chosen(schema, value):
        yield InvalidInput(written(place), "invalid_choice", _choices(schema.choices))
        return
    match kinds[-1]:
        case "number":
            yield from _of_number(schema, value, place)
        case "string":
            yield from _of_text(schema, value, place, steps)
        case "array":
            yield from _of_list(schema, value, place, steps)
        case "object":
            yield from _of_object(schema, value, place, steps)


def _is_chosen(schema: Schema, value: object) -> bool:
    return not isinstance(value, list | Mapping) and choice_of(value) in schema.chosen


def _choices(choices: tuple[Any, ...]) -> str:
    from timegate.domain.values.payload import json_text  # noqa: PLC0415 - refusals alone

    listed = ", ".join(map(json_text, choices))
    if len(listed) > _MAX_LISTED:
        return f"It is none of the {len(choices)} values that the schema lists."
    return f"The schema allows {listed}."


def _of_number(schema: Schema, value: float, place: Place) -> Iterator[InvalidInput]:
    if schema.least is not None and value < schema.least:
        detail = f"The schema asks for {schema.least} or more."
        yield InvalidInput(written(place), "too_small", detail)
    if schema.most is not None and value > schema.most:
        detail = f"The schema asks for {schema.most} or less."
        yield InvalidInput(written(place), "too_large", detail)


def _of_text(schema: Schema, value: str, place: Place, steps: _Steps) -> Iterator[InvalidInput]:
    yield from _of_length(len(value), schema.shortest, schema.longest, "characters", place)
    if schema.pattern is not None:
        steps.spend(len(value) * (1 + schema.pattern.positions // _POSITIONS_PER_STEP))
        if not schema.pattern.matches(value):
            detail = f"The schema asks for a text like {schema.pattern_text}."
            yield InvalidInput(written(place), "invalid_format", detail)
    if schema.format is not None and not _has_format(value, schema.format):
        shown = "2026-11-30" if schema.format == "date" else "2026-11-30T07:00:00Z"
        detail = f"The schema asks for a {schema.format}, such as {shown}."
        yield InvalidInput(written(place), "invalid_format", detail)


def _of_list(
    schema: Schema, value: list[Any], place: Place, steps: _Steps
) -> Iterator[InvalidInput]:
    yield from _of_length(len(value), schema.fewest_items, schema.most_items, "items", place)
    if schema.items is None:
        return
    for index, item in enumerate(value):
        yield from _faults(schema.items, item, (index, place), steps)


def _of_object(
    schema: Schema, value: Mapping[str, Any], place: Place, steps: _Steps
) -> Iterator[InvalidInput]:
    steps.spend(len(schema.required))
    for name in schema.required:
        if name not in value:
            yield InvalidInput(written((name, place)), "missing", "The schema requires it.")
    for name, member in schema.members.items():
        steps.spend()
        if name in value:
            yield from _faults(member, value[name], (name, place), steps)
    if schema.others is not True:
        yield from _of_others(schema, value, place, steps)


def _of_others(
    schema: Schema, value: Mapping[str, Any], place: Place, steps: _Steps
) -> Iterator[InvalidInput]:
    """Yield faults of members that the schema does not name."""
    for name, member in value.items():
        steps.spend()
        if name in schema.members:
            continue
        if isinstance(schema.others, Schema):
            yield from _faults(schema.others, member, (name, place), steps)
        else:
            detail = "The schema has no such member, and allows no others."
            yield InvalidInput(written((name, place)), "unknown_field", detail)


def _of_length(
    length: int, least: int | None, most: int | None, unit: str, place: Place
) -> Iterator[InvalidInput]:
    if least is not None and length < least:
        detail = f"The schema asks for {least} {unit} or more, and it has {length}."
        yield InvalidInput(written(place), "too_short", detail)
    if most is not None and length > most:
        detail = f"The schema asks for {most} {unit} or less, and it has {length}."
        yield InvalidInput(written(place), "too_long", detail)


def _has_format(text: str, name: str) -> bool:
    day, has_time = text[:10], name == "date-time"
    if has_time and not (text[10:11] in {"T", "t"} and _TIME.fullmatch(text[11:])):
        return False
    if not has_time and len(text) != len(day):
        return False
    return _DATE.fullmatch(day) is not None and _is_day(day)


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
