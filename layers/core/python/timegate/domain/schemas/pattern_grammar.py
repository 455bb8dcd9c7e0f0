"""The grammar of patterns: a part of ECMA-262 that is matched in linear time.

It has characters, classes, groups, alternatives and repetitions. It has no look-around, no
back-references and no lazy or possessive repetitions.
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

from timegate.domain.values.errors import TimegateError
from timegate.value_classes import dataclass

MAX_PATTERN_LENGTH = 256
#: Groups within groups.
MAX_GROUPS = 10
#: Repetitions in braces.
MAX_TIMES = 128
#: Characters, as first and last code points of spans that are in order and apart.
Spans: TypeAlias = tuple[tuple[int, int], ...]
_LAST = 0x10FFFF


def _joined(spans: Iterable[tuple[int, int]]) -> Spans:
    """Put spans in order, and join those that meet."""
    found: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if found and first <= found[-1][1] + 1:
            found[-1] = (found[-1][0], max(found[-1][1], last))
        else:
            found.append((first, last))
    return tuple(found)


def _others(spans: Spans) -> Spans:
    """Return the characters that spans leave out."""
    firsts = (0, *(last + 1 for _, last in spans))
    lasts = (*(first - 1 for first, _ in spans), _LAST)
    return tuple(each for each in zip(firsts, lasts, strict=True) if each[0] <= each[1])


def _of(characters: str) -> Spans:
    return _joined((ord(each), ord(each)) for each in characters)


_DIGITS: Final = _joined([(ord("0"), ord("9"))])
_WORD: Final = _joined([*_DIGITS, (ord("a"), ord("z")), (ord("A"), ord("Z")), *_of("_")])
_LINES: Final = _of("\n\r\u2028\u2029")
_SPACES: Final = _joined(
    [*_LINES, *_of("\t\v\f \u00a0\u1680\u202f\u205f\u3000\ufeff"), (0x2000, 0x200A)]
)
_NAMED: Final = {"d": _DIGITS, "w": _WORD, "s": _SPACES}
_CONTROL: Final = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v"}
_REPEATS: Final = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_SPECIAL: Final = frozenset("^$\\.*+?()[]{}|/-")


class UnsupportedPattern(TimegateError):
    """A pattern has a part that the grammar does not have."""

    code = "unsupported_pattern"


@dataclass(frozen=True, slots=True)
class CharacterIn:
    """One character of a set."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class InTurn:
    """Parts that follow one another."""

    parts: "tuple[Part, ...]"


@dataclass(frozen=True, slots=True)
class AnyOf:
    """Alternatives."""

    parts: "tuple[Part, ...]"


@dataclass(frozen=True, slots=True)
class Repeated:
    """A part, so many times; ``most`` ``None``: any number."""

    part: "Part"
    least: int
    most: int | None


Part: TypeAlias = CharacterIn | InTurn | AnyOf | Repeated


@dataclass(frozen=True, kw_only=True, slots=True)
class Pattern:
    """A pattern, parsed."""

    part: Part
    from_start: bool
    to_end: bool


def parse_pattern(text: str) -> Pattern:
    """Parse a pattern; raises ``UnsupportedPattern`` with a sentence on its first unknown part."""
    if len(text) > MAX_PATTERN_LENGTH:
        message = f"A pattern has at most {MAX_PATTERN_LENGTH} characters."
        raise UnsupportedPattern(message)
    from_start = text.startswith("^")
    body = text[1:] if from_start else text
    to_end = body.endswith("$") and (len(body) - len(body[:-1].rstrip("\\"))) % 2 == 1
    reader = _Reader(body[:-1] if to_end else body)
    part = reader.alternatives(0)
    if not reader.at_end:
        raise UnsupportedPattern("A closing parenthesis has no opening one.")
    if isinstance(part, AnyOf) and (from_start or to_end):
        raise UnsupportedPattern("Put alternatives beside ^ and $ into a group: ^(?:a|b)$.")
    return Pattern(part=part, from_start=from_start, to_end=to_end)


class _Reader:
    """Reads a pattern from its first to its last character."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0

    @property
    def at_end(self) -> bool:
        return self._at >= len(self._text)

    def _peek(self) -> str:
        return "" if self.at_end else self._text[self._at]

    def _take(self) -> str:
        if self.at_end:
            raise UnsupportedPattern("The pattern ends where a part of it is open.")
        self._at += 1
        return self._text[self._at - 1]

    def _skip(self, text: str) -> bool:
        found = self._text.startswith(text, self._at)
        self._at += len(text) if found else 0
        return found

    def alternatives(self, depth: int) -> Part:
        parts = [self._sequence(depth)]
        while self._skip("|"):
            parts.append(self._sequence(depth))
        return parts[0] if len(parts) == 1 else AnyOf(tuple(parts))

    def _sequence(self, depth: int) -> Part:
        parts: list[Part] = []
        while self._peek() not in {"", "|", ")"}:
            parts.append(self._repeated(self._atom(depth)))
        if not parts:
            raise UnsupportedPattern("A part of the pattern is empty: write ? behind the other.")
        return parts[0] if len(parts) == 1 else InTurn(tuple(parts))

    def _atom(self, depth: int) -> Part:
        character = self._take()
        if character == "(":
            return self._group(depth + 1)
        if character == "[":
            return CharacterIn(self._class())
        if character == ".":
            return CharacterIn(_others(_LINES))
        if character == "\\":
            return CharacterIn(self._escape())
        if character in "^$":
            raise UnsupportedPattern("^ stands at the beginning, and $ at the end.")
        if character in "*+?{}]":
            message = f"{character} has nothing to repeat or close; write \\{character} for itself."
            raise UnsupportedPattern(message)
        return CharacterIn(_of(character))

    def _group(self, depth: int) -> Part:
        if depth > MAX_GROUPS:
            message = f"A pattern has at most {MAX_GROUPS} groups within one another."
            raise UnsupportedPattern(message)
        if not self._skip("?:") and self._peek() == "?":
            raise UnsupportedPattern("Groups look neither ahead nor behind, and have no names.")
        part = self.alternatives(depth)
        if self._take() != ")":
            raise UnsupportedPattern("A group is not closed.")
        # A part of its own: alternatives in it do not reach beyond it.
        return InTurn((part,))

    def _repeated(self, part: Part) -> Part:
        character = self._peek()
        if character in _REPEATS:
            self._at += 1
            least, most = _REPEATS[character]
        elif character == "{":
            least, most = self._times()
        else:
            return part
        if self._peek() in {"?", "+", "*", "{"}:
            raise UnsupportedPattern("A repetition is not repeated, and none is lazy.")
        return Repeated(part, least, most)

    def _times(self) -> tuple[int, int | None]:
        end = self._text.find("}", self._at)
        least, comma, most = self._text[self._at + 1 : max(end, self._at)].partition(",")
        if end < 0 or not _is_count(least) or not (most == "" or _is_count(most)):
            raise UnsupportedPattern("Write repetitions as {2}, {2,} or {2,4}.")
        self._at = end + 1
        lowest = int(least)
        highest = (int(most) if most else None) if comma else lowest
        if highest is not None and not 1 <= highest >= lowest:
            raise UnsupportedPattern("A repetition ends at no less than it begins with, and at 1.")
        if max(lowest, highest or 0) > MAX_TIMES:
            message = f"A part is repeated at most {MAX_TIMES} times by a number."
            raise UnsupportedPattern(message)
        return lowest, highest

    def _escape(self) -> Spans:
        character = self._take()
        named = _named(character)
        return _of(self._escaped(character)) if named is None else named

    @staticmethod
    def _escaped(character: str) -> str:
        if character in _CONTROL:
            return _CONTROL[character]
        if character not in _SPECIAL:
            raise UnsupportedPattern("An escape is one of \\d \\w \\s \\t \\n \\r, or of a sign.")
        return character

    def _class(self) -> Spans:
        is_inverse = self._skip("^")
        spans: list[tuple[int, int]] = []
        while not self._skip("]"):
            first = self._take()
            if first == "\\":
                first = self._take()
                named = _named(first)
                if named is not None:
                    spans += named
                    continue
                first = self._escaped(first)
            spans.append((ord(first), ord(self._range_end(first))))
        if not spans:
            raise UnsupportedPattern("A class names at least one character.")
        return _others(_joined(spans)) if is_inverse else _joined(spans)

    def _range_end(self, first: str) -> str:
        if self._peek() != "-" or self._text[self._at + 1 : self._at + 2] in {"]", ""}:
            return first
        self._at += 1
        last = self._take()
        last = self._escaped(self._take()) if last == "\\" else last
        if last < first:
            raise UnsupportedPattern("A range of a class ends before it begins.")
        return last


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= len(str(MAX_TIMES))


def _named(letter: str) -> Spans | None:
    """Return the set that a letter names, in capitals all others; ``None``: it names none."""
    spans = _NAMED.get(letter.lower())
    return _others(spans) if spans is not None and letter.isupper() else spans
