"""Lines on which elements of JSON begin, found at the speed of its decoder."""

import json
from collections.abc import Iterable, Iterator

_SPACE = " \t\r\n"


def lines_of_elements(text: str, *path: str) -> list[int]:
    """Find the line of a document, and of each element of the list at ``path``; from 1.

    Raises ``ValueError`` for a text that is not one document of JSON.
    """
    decoder = json.JSONDecoder()
    begin = _past_space(text, 0)
    _, end = decoder.raw_decode(text, begin)
    if text[end:].strip(_SPACE):
        message = "another document follows"
        raise ValueError(message)
    at: int | None = begin
    for name in path:
        # The last one of a name is read.
        places = [place for key, place in _members(text, at, decoder) if key == name]
        at = places[-1] if places else None
    return _lines(text, [begin, *_elements(text, at, decoder)])


def lines_of_members(text: str) -> list[int]:
    """Find the line of each member of an object; from 1, and of other values none.

    Raises ``ValueError`` for a text that does not begin with JSON.
    """
    decoder = json.JSONDecoder()
    begin = _past_space(text, 0)
    decoder.raw_decode(text, begin)
    return _lines(text, [place for _, place in _members(text, begin, decoder)])


def _lines(text: str, places: Iterable[int]) -> list[int]:
    lines, counted, line = [], 0, 1
    for place in places:
        line += text.count("\n", counted, place)
        counted = place
        lines.append(line)
    return lines


def _members(text: str, at: int | None, decoder: json.JSONDecoder) -> Iterator[tuple[str, int]]:
    """Yield the names of an object, and the places of their values; of other values none."""
    if at is None or text[at] != "{":
        return
    at = _past_space(text, at + 1)
    while text[at] != "}":
        name, at = decoder.raw_decode(text, at)
        at = _past_space(text, _past_space(text, at) + 1)
        yield name, at
        at = _behind(text, at, decoder)


def _elements(text: str, at: int | None, decoder: json.JSONDecoder) -> Iterator[int]:
    """Yield the places of the elements of a list; of other values none."""
    if at is None or text[at] != "[":
        return
    at = _past_space(text, at + 1)
    while text[at] != "]":
        yield at
        at = _behind(text, at, decoder)


def _behind(text: str, at: int, decoder: json.JSONDecoder) -> int:
    """Return the place behind a value and its comma."""
    _, at = decoder.raw_decode(text, at)
    at = _past_space(text, at)
    return _past_space(text, at + 1) if text[at] == "," else at


def _past_space(text: str, at: int) -> int:
    while at < len(text) and text[at] in _SPACE:
        at += 1
    return at
