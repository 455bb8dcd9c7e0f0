"""Objects of JSON that stand one after the other in a file, or in lists of an answer."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from timegate.domain.values.errors import InvalidInput

#: An object, with the line it begins on.
Described = tuple[int, Mapping[str, Any]]


def objects_of(text: str, *, lists: Collection[str], of: str) -> list[Described]:
    """Read every object, in order; ``lists``: the members of an answer that hold more of them.

    ``of`` names the program that wrote the text. Raises ``InvalidInput`` naming the line that is
    no JSON.
    """
    decoder = json.JSONDecoder()
    found: list[Described] = []
    line, position = 1, 0
    while (begin := _past_space(text, position)) < len(text):
        line += text.count("\n", position, begin)
        try:
            value, position = decoder.raw_decode(text, begin)
        except (ValueError, RecursionError) as error:
            at = getattr(error, "lineno", line)
            detail = f"It is no JSON of {of}: {error}."
            raise InvalidInput(f"line {at}", "invalid_json", detail) from error
        found += [(line, each) for each in _objects(value, lists)]
        line += text.count("\n", begin, position)
    return found


def _past_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _objects(value: object, lists: Collection[str]) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, list):
        for each in value:
            yield from _objects(each, lists)
    elif isinstance(value, dict):
        listed = (value.get(name) for name in lists)
        inner = next((each for each in listed if isinstance(each, list)), None)
        if inner is None:
            yield value
        else:
            yield from _objects(inner, lists)
    else:
        raise InvalidInput("file", "invalid_json", "It holds a value that is no object.")
