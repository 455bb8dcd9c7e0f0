"""Objects of JSON that stand one after the other in a file, or in lists of an answer."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from timegate.cli.reading.json_lines import lines_of_elements
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
        found += _described(value, text[begin:position], line, lists)
        line += text.count("\n", begin, position)
    return found


def _past_space(text: str, position: int) -> int:
    while position < len(text) and text[position].isspace():
        position += 1
    return position


def _described(value: object, text: str, line: int, lists: Collection[str]) -> Iterator[Described]:
    """Yield the objects of one document, each with its line; ``line``: that of the document."""
    inner, path = _inner(value, lists)
    if inner is None:
        yield line, _object(value)
        return
    lines = lines_of_elements(text, *path)[1:]
    for each, of_each in zip(inner, lines, strict=True):
        for found in _objects(each, lists):
            yield line + of_each - 1, found


def _objects(value: object, lists: Collection[str]) -> Iterator[Mapping[str, Any]]:
    """Yield the objects of an element, which may be an answer or a list itself."""
    inner, _ = _inner(value, lists)
    if inner is None:
        yield _object(value)
        return
    for each in inner:
        yield from _objects(each, lists)


def _inner(value: object, lists: Collection[str]) -> tuple[list[Any] | None, tuple[str, ...]]:
    """Return the list that a value is or holds, and the path to it."""
    if isinstance(value, list):
        return value, ()
    if isinstance(value, dict):
        for name in lists:
            if isinstance(value.get(name), list):
                return value[name], (name,)
    return None, ()


def _object(value: object) -> Mapping[str, Any]:
    if isinstance(value, dict):
        return value
    raise InvalidInput("file", "invalid_json", "It holds a value that is no object.")
