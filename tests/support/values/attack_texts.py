"""Texts on which a regular expression works as hard as it can, derived from its parts.

Backtracking is worst on what almost matches: the beginning of a match over and over, a part that
may repeat without end, and then a character that nothing expects.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

#: The parser of regular expressions; Python keeps it for itself.
c: Any = import_module("re._constants")
_parser: Any = import_module("re._parser")

#: Ways that are tried through a pattern with many alternatives.
_MOST_PATHS = 16
#: Texts between repetitions: a candidate begins after some of them and not after others.
_BETWEEN = ("", "-", " ", "é", '"')
#: In most classes one of these is; a class with none of them has its own first member.
_USUAL = 'a0A_-. /:=,"%#\té'
#: No pattern of the product expects it.
_UNEXPECTED = "\x7f"


@dataclass(frozen=True, slots=True)
class _Part:
    """A text that a part of the pattern matches, and whether more of it would match as well."""

    text: str
    unit: str = ""


_Path = tuple[_Part, ...]


def attack_texts(pattern: str, flags: int, size: int) -> Iterator[str]:
    """Different texts of about this size."""
    seen: set[str] = set()
    for path in _paths(_parser.parse(pattern, flags & ~re.UNICODE)):
        for text in _attacks(path, size):
            if text not in seen:
                seen.add(text)
                yield text


def _attacks(path: _Path, size: int) -> Iterator[str]:
    head = ""
    for part in path:
        if part.unit:
            yield head + _filled(part.unit, size) + _UNEXPECTED
            yield _filled(head + part.unit * 40, size) + _UNEXPECTED
        head += part.text
        for between in _BETWEEN:
            yield _filled(between + head, size) + _UNEXPECTED
    yield head + _filled(" ", size) + _UNEXPECTED


def _filled(unit: str, size: int) -> str:
    return unit * (size // max(1, len(unit)) + 1)


def _paths(items: Any) -> list[_Path]:  # noqa: ANN401 - the parser's tree
    """Ways through a sequence; of several alternatives in it, one after another is taken."""
    found: list[_Path] = [()]
    for item in items:
        ways = _ways(*item)
        first = [path + ways[0] for path in found]
        others = [found[0] + way for way in ways[1:]]
        found = (first + others)[:_MOST_PATHS]
    return found


def _ways(kind: Any, value: Any) -> list[_Path]:  # noqa: ANN401 - the parser's tree
    if kind in {c.LITERAL, c.NOT_LITERAL, c.ANY, c.IN}:
        return [(_Part(_character(kind, value)),)]
    if kind is c.BRANCH:
        return [path for branch in value[1] for path in _paths(branch)]
    if kind is c.SUBPATTERN:
        return _paths(value[-1])
    if kind is c.ATOMIC_GROUP:
        return _paths(value)
    if kind in {c.MAX_REPEAT, c.MIN_REPEAT, c.POSSESSIVE_REPEAT}:
        least, most, inner = value
        count = min(max(least, 1), most)
        return [_repeated(path, count, most) for path in _paths(inner)]
    return [()]


def _repeated(path: _Path, count: int, most: int) -> _Path:
    unit = "".join(part.text for part in path)
    return (_Part(unit * count, unit if most > 1 else ""), *(p for p in path if p.unit))


def _character(kind: Any, value: Any) -> str:  # noqa: ANN401 - the parser's tree
    if kind is c.LITERAL:
        return str(chr(value))
    if kind is c.NOT_LITERAL:
        return "a" if value != ord("a") else "b"
    if kind is c.ANY:
        return "a"
    usual: list[str] = [*_USUAL, *map(chr, range(32, 127))]
    return next(each for each in usual if _is_in(value, each))


def _is_in(members: list[Any], character: str) -> bool:
    is_member = any(_is_one(kind, value, character) for kind, value in members)
    return not is_member if members[0][0] is c.NEGATE else is_member


def _is_one(kind: Any, value: Any, character: str) -> bool:  # noqa: ANN401 - the parser's tree
    if kind is c.LITERAL:
        return bool(ord(character) == value)
    if kind is c.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if kind is c.CATEGORY:
        return re.fullmatch(_CATEGORIES[value], character) is not None
    return False


_CATEGORIES = {
    c.CATEGORY_DIGIT: r"\d",
    c.CATEGORY_NOT_DIGIT: r"\D",
    c.CATEGORY_SPACE: r"\s",
    c.CATEGORY_NOT_SPACE: r"\S",
    c.CATEGORY_WORD: r"\w",
    c.CATEGORY_NOT_WORD: r"\W",
}
